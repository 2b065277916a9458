#include "value/item_encoding.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/base64.h"
#include "base/coding.h"
#include "base/short_copy.h"
#include "value/item_size.h"
#include "value/number.h"

namespace partita {
namespace {

using namespace encoding;

constexpr char kItem = 0;                // the kind of an open item
constexpr std::size_t kHeaderBytes = 9;  // of an item, and of M, L and sets: one byte and two u32

bool is_map(char kind) { return kind == kItem || kind == kMap; }
bool is_nested(char kind) { return kind == kMap || kind == kList; }

// The first sixteen bytes of a key as two numbers that order like them; bytes it lacks count as
// zeros. The key lies in a ByteBuffer.
struct KeyWords {
  std::uint64_t first, second;
};
inline KeyWords key_words(Bytes key) {
  static_assert(ByteBuffer::kSlackBytes >= 16);
  const auto word_at = [&](std::size_t offset) {
    std::uint64_t word;
    std::memcpy(&word, key.data() + offset, 8);
    return byte_swapped(word);
  };
  const auto leading = [](std::uint64_t word, std::size_t bytes) {  // bytes: 0 to 7
    return word & ~(~std::uint64_t{0} >> (8 * bytes));
  };
  if (key.size() >= 16) return {word_at(0), word_at(8)};
  if (key.size() >= 8) return {word_at(0), leading(word_at(8), key.size() - 8)};
  return {leading(word_at(0), key.size()), 0};
}

}  // namespace

ItemWriter::ItemWriter(std::pmr::memory_resource* memory)
    : out_(memory), scratch_(memory), entries_(memory) {}

void ItemWriter::clear() {
  out_.clear();
  open_count_ = 0;
  depth_ = 0;
  size_ = 0;
  size_known_ = true;
}

// ---- Containers

void ItemWriter::open(char kind) {
  Open& opened = open_[open_count_++];
  opened.start = out_.size();
  opened.count = 0;
  opened.kind = kind;
  opened.ascending = true;
  out_.extend(kHeaderBytes)[0] = kind;
}

Result<void> ItemWriter::open_nested(char kind) {
  if (depth_ == kNestingLevelsMax - 1) return nesting_error();
  element_starts();
  ++depth_;
  size_ += 3;
  open(kind);
  return {};
}

// Fills in the header of the innermost container, whose entries are in order by now.
void ItemWriter::close() {
  const Open& closed = innermost();
  char* const header = out_.data() + closed.start;
  write_u32(header + 1, static_cast<std::uint32_t>(out_.size() - closed.start - kHeaderBytes));
  write_u32(header + 5, closed.count);
  if (is_nested(closed.kind)) --depth_;
  --open_count_;
}

void ItemWriter::begin_item() {
  assert(out_.empty());
  open(kItem);
}

void ItemWriter::end_item() {
  assert(open_count_ == 1 && innermost().kind == kItem);
  if (!innermost().ascending) rewrite_in_order(innermost());
  const std::uint32_t count = innermost().count;
  open_count_ = 0;
  char* const header = out_.data();
  header[0] = kItemFormat;
  write_u32(header + 5, count);
  if (!size_known_) size_ = attributes_size_bytes(item().attributes());
  write_u32(header + 1, static_cast<std::uint32_t>(size_));
}

Result<void> ItemWriter::begin_map() { return open_nested(kMap); }

void ItemWriter::end_map() {
  assert(innermost().kind == kMap);
  if (!innermost().ascending) rewrite_in_order(innermost());
  close();
}

Result<void> ItemWriter::begin_list() { return open_nested(kList); }

void ItemWriter::end_list() {
  assert(innermost().kind == kList);
  close();
}

void ItemWriter::begin_set(ValueType type) {
  element_starts();
  open(type == ValueType::SS ? kStringSet : type == ValueType::NS ? kNumberSet : kBinarySet);
}

Result<void> ItemWriter::end_set() {
  Open& set = innermost();
  if (set.count == 0) {
    return Error::validation(std::string("One or more parameter values were invalid: ") +
                             (set.kind == kStringSet   ? "An string set  may not be empty"
                              : set.kind == kNumberSet ? "An number set  may not be empty"
                                                       : "Binary sets should not be empty"));
  }
  if (!set.ascending) {
    const std::uint32_t given = set.count;
    rewrite_in_order(set);
    if (set.count != given) return duplicate_member(set.kind);
  }
  close();
  return {};
}

// ---- Values

// A value begins. In a list it is one more element; in a map its name was counted before.
void ItemWriter::element_starts() {
  if (open_count_ == 0) {
    assert(out_.empty());
    return;
  }
  Open& parent = innermost();
  if (parent.kind == kList) {
    ++parent.count;
    ++size_;
  }
}

bool ItemWriter::follows_last(Bytes key) {
  const char* last = out_.data() + innermost().last;
  const std::uint32_t length = read_varint32(last);
  return Bytes(last, length) < key;
}

// Keeps count and watches whether keys ascend.
inline void ItemWriter::note_key(std::size_t start, Bytes key) {
  Open& container = innermost();
  if (container.ascending && container.count != 0) container.ascending = follows_last(key);
  ++container.count;
  container.last = start;
}

void ItemWriter::name(std::string_view name) {
  assert(is_map(innermost().kind));
  const std::size_t start = out_.size();
  append_length_prefixed(0, name);
  size_ += name.size() + (innermost().kind == kMap ? 1 : 0);
  note_key(start, name);
}

void ItemWriter::named_string(std::string_view name, std::string_view text) {
  if (name.size() >= 0x80 || text.size() >= 0x80) [[unlikely]] {
    this->name(name);
    string(text);
    return;
  }
  Open& container = innermost();
  assert(is_map(container.kind));
  const std::size_t start = out_.size();
  char* at = out_.extend(name.size() + text.size() + 3);
  *at++ = static_cast<char>(name.size());
  copy_mostly_few(at, name.data(), name.size());
  at += name.size();
  *at++ = kString;
  *at++ = static_cast<char>(text.size());
  copy_mostly_few(at, text.data(), text.size());
  size_ += name.size() + text.size() + (container.kind == kMap ? 1 : 0);
  note_key(start, name);
}

// Appends `lead` bytes for the caller to write, a length, and the bytes it counts.
char* ItemWriter::append_length_prefixed(std::size_t lead, Bytes bytes) {
  const std::uint32_t length = static_cast<std::uint32_t>(bytes.size());
  if (length < 0x80) [[likely]] {
    char* const room = out_.extend(lead + 1 + length);
    room[lead] = static_cast<char>(length);
    copy_mostly_few(room + lead + 1, bytes.data(), length);
    return room;
  }
  char* const room = out_.extend(lead + varint32_bytes(length) + length);
  std::memcpy(write_varint32(room + lead, length), bytes.data(), length);
  return room;
}

void ItemWriter::string(std::string_view text) {
  element_starts();
  *append_length_prefixed(1, text) = kString;
  size_ += text.size();
}

void ItemWriter::binary(Bytes bytes) {
  element_starts();
  *append_length_prefixed(1, bytes) = kBinary;
  size_ += bytes.size();
}

Result<void> ItemWriter::number(std::string_view text) {
  PARTITA_TRY(const OrderedNumber number, parse_number(text));
  ordered_number(number.bytes());
  return {};
}

// A number's length is below 0x80, where u8 and varint32 are the same byte.
void ItemWriter::ordered_number(Bytes ordered) {
  element_starts();
  *append_length_prefixed(1, ordered) = kNumber;
  size_ += number_size_bytes(ordered);
}

void ItemWriter::boolean(bool value) {
  element_starts();
  out_.push_back(value ? kTrue : kFalse);
  ++size_;
}

void ItemWriter::null() {
  element_starts();
  out_.push_back(kNull);
  ++size_;
}

void ItemWriter::value(ValueView value) {
  element_starts();
  out_.append(value.bytes());
  size_ += value_size_bytes(value);
}

void ItemWriter::string_member(std::string_view text) { member(text, false); }

void ItemWriter::binary_member(Bytes bytes) { member(bytes, false); }

Result<void> ItemWriter::number_member(std::string_view text) {
  PARTITA_TRY(const OrderedNumber number, parse_number(text));
  ordered_number_member(number.bytes());
  return {};
}

void ItemWriter::ordered_number_member(Bytes ordered) { member(ordered, true); }

void ItemWriter::member(Bytes bytes, bool number) {
  assert((innermost().kind == kNumberSet) == number);
  const std::size_t start = out_.size();
  append_length_prefixed(0, bytes);
  size_ += number ? number_size_bytes(bytes) : bytes.size();
  note_key(start, bytes);
}

// ---- Order

Bytes ItemWriter::Entry::key() const {
  const char* at = start;
  const std::uint32_t key_bytes = read_varint32(at);
  return {at, key_bytes};
}

// Most keys differ in their first bytes; those that do not are compared whole. Of equal keys the
// one given first comes first.
inline bool ItemWriter::Entry::operator<(const Entry& other) const {
  if (first_word != other.first_word) return first_word < other.first_word;
  if (second_word != other.second_word) return second_word < other.second_word;
  const int order = key().compare(other.key());
  return order != 0 ? order < 0 : start < other.start;
}

inline bool ItemWriter::Entry::same_key(const Entry& other) const {
  return first_word == other.first_word && second_word == other.second_word && key() == other.key();
}

void ItemWriter::collect_entries(const Open& container) {
  entries_.resize(container.count);
  const bool map = is_map(container.kind);
  const char* at = out_.data() + container.start + kHeaderBytes;
  for (Entry& entry : entries_) {
    const char* key = at;
    const std::uint32_t length = read_varint32(key);
    const char* const end = map ? value_end(key + length) : key + length;
    const KeyWords words = key_words({key, length});
    entry = {words.first, words.second, at, static_cast<std::uint32_t>(end - at)};
    at = end;
  }
  assert(at == out_.data() + out_.size());
}

// Programs write attributes in much the same order as they sort in, keys first, say: few move far.
void ItemWriter::sort_entries() {
  constexpr std::size_t kFew = 32;
  if (entries_.size() > kFew) return std::sort(entries_.begin(), entries_.end());
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    if (!(entries_[i] < entries_[i - 1])) continue;
    const Entry entry = entries_[i];
    std::size_t place = i;
    do {
      entries_[place] = entries_[place - 1];
      --place;
    } while (place > 0 && entry < entries_[place - 1]);
    entries_[place] = entry;
  }
}

// Sorts the entries of the innermost container and keeps the last of each key.
void ItemWriter::rewrite_in_order(Open& container) {
  collect_entries(container);
  sort_entries();
  scratch_.clear();
  char* at = scratch_.extend(out_.size() - container.start) + kHeaderBytes;
  container.count = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (i + 1 < entries_.size() && entry.same_key(entries_[i + 1])) {
      size_known_ = false;
      continue;
    }
    std::memcpy(at, entry.start, entry.length);
    at += entry.length;
    ++container.count;
  }
  // For a set with duplicates the message needs the members as they were given.
  if (container.count != entries_.size() && !is_map(container.kind)) return;
  scratch_.truncate(static_cast<std::size_t>(at - scratch_.data()));
  if (container.kind == kItem) return out_.swap(scratch_);  // end_item writes what is in front
  out_.truncate(container.start + kHeaderBytes);
  out_.append(scratch_.view().substr(kHeaderBytes));
}

// DynamoDB shows the members as they came, except those of a number set.
Error ItemWriter::duplicate_member(char kind) const {
  if (kind == kNumberSet) return Error::validation("Input collection contains duplicates");
  const Open& set = open_[open_count_ - 1];
  std::string message = "One or more parameter values were invalid: Input collection [";
  const char* const start = out_.data() + set.start + kHeaderBytes;
  bool first = true;
  for (Bytes member : SetView(start, out_.data() + out_.size(), false)) {
    if (!first) message.append(", ");
    first = false;
    if (kind == kStringSet) {
      message.append(member);
    } else {
      append_base64(member, message);
    }
  }
  message.append(kind == kStringSet ? "] contains duplicates."
                                    : "]of type BS contains duplicates.");
  return Error::validation(std::move(message));
}

unsigned nesting_levels(ValueView value) {
  unsigned deepest = 0;
  if (value.is(ValueType::M)) {
    for (const Attribute& entry : value.map()) {
      deepest = std::max(deepest, nesting_levels(entry.value));
    }
    return deepest + 1;
  }
  if (value.is(ValueType::L)) {
    for (ValueView element : value.list()) deepest = std::max(deepest, nesting_levels(element));
    return deepest + 1;
  }
  return 0;
}

Error nesting_error() {
  return Error::validation(
      "Nesting Levels have exceeded supported limits: "
      "Attributes in the item have nested levels beyond supported limit");
}

void append_item(std::span<const Attribute> attributes, std::string& out) {
  const std::size_t start = out.size();
  out.append(kItemHeaderBytes, kItemFormat);
  std::size_t size = 0;
  for (const auto& [name, value] : attributes) {
    append_length_prefixed(out, name);
    out.append(value.bytes());
    size += name.size() + value_size_bytes(value);
  }
  write_u32(out.data() + start + 1, static_cast<std::uint32_t>(size));
  write_u32(out.data() + start + 5, static_cast<std::uint32_t>(attributes.size()));
}

}  // namespace partita
