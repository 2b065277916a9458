// check_value and check_item: bytes from outside, looked at once and for all.

#include "base/coding.h"
#include "base/utf8.h"
#include "value/item_encoding.h"
#include "value/item_size.h"
#include "value/number.h"

namespace partita {
namespace {

using namespace encoding;

class Checker {
 public:
  explicit Checker(Bytes bytes) : reader_(bytes) {}

  bool at_end() const { return reader_.at_end(); }
  ByteReader& reader() { return reader_; }

  // `levels` L and M are open around this value.
  bool value(unsigned levels) {
    std::uint8_t kind = 0;
    if (!reader_.read_u8(kind)) return false;
    switch (static_cast<char>(kind)) {
      case kString:
        return text();
      case kBinary: {
        Bytes ignored;
        return reader_.read_length_prefixed(ignored);
      }
      case kNumber: {
        Bytes ignored;
        return number(ignored);
      }
      case kFalse:
      case kTrue:
      case kNull:
        return true;
      case kMap:
        return levels + 1 < kNestingLevelsMax &&
               container([&](std::uint32_t count) { return entries(count, levels + 1); });
      case kList:
        return levels + 1 < kNestingLevelsMax &&
               container([&](std::uint32_t count) { return elements(count, levels + 1); });
      case kStringSet:
      case kNumberSet:
      case kBinarySet:
        return container(
            [&](std::uint32_t count) { return members(count, static_cast<char>(kind)); });
      default:
        return false;
    }
  }

  // `count` entries with ascending names.
  bool entries(std::uint32_t count, unsigned levels) {
    Bytes last;
    for (std::uint32_t i = 0; i < count; ++i) {
      Bytes name;
      if (!text(name) || (i != 0 && name <= last) || !value(levels)) return false;
      last = name;
    }
    return true;
  }

 private:
  bool text(Bytes& bytes) { return reader_.read_length_prefixed(bytes) && is_utf8(bytes); }
  bool text() {
    Bytes ignored;
    return text(ignored);
  }

  bool number(Bytes& ordered) {
    std::uint8_t length = 0;
    return reader_.read_u8(length) && reader_.read_bytes(length, ordered) &&
           ordered_number_length(ordered) == length && length != 0;
  }

  bool elements(std::uint32_t count, unsigned levels) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!value(levels)) return false;
    }
    return true;
  }

  bool members(std::uint32_t count, char kind) {
    Bytes last;
    for (std::uint32_t i = 0; i < count; ++i) {
      Bytes member;
      const bool readable = kind == kNumberSet   ? number(member)
                            : kind == kStringSet ? text(member)
                                                 : reader_.read_length_prefixed(member);
      if (!readable || (i != 0 && member <= last)) return false;
      last = member;
    }
    return count != 0;
  }

  // u32(bytes) u32(count) and a body that fills exactly that many bytes.
  template <typename Body>
  bool container(Body body) {
    std::uint32_t length = 0, count = 0;
    if (!reader_.read_u32(length) || !reader_.read_u32(count) || reader_.remaining() < length) {
      return false;
    }
    const std::size_t after = reader_.remaining() - length;
    return body(count) && reader_.remaining() == after;
  }

  ByteReader reader_;
};

Error malformed(const char* what) {
  return Error::internal(std::string("The bytes are not an encoded ") + what + ".");
}

}  // namespace

Result<ValueView> check_value(Bytes bytes) {
  Checker checker(bytes);
  if (!checker.value(0) || !checker.at_end()) return malformed("value");
  return ValueView(bytes);
}

Result<ItemView> check_item(Bytes bytes) {
  Checker checker(bytes);
  std::uint8_t format = 0;
  std::uint32_t size = 0, count = 0;
  const bool readable = checker.reader().read_u8(format) && format == kItemFormat &&
                        checker.reader().read_u32(size) && checker.reader().read_u32(count) &&
                        checker.entries(count, 0) && checker.at_end();
  if (!readable) return malformed("item");
  const ItemView item(bytes);
  if (attributes_size_bytes(item.attributes()) != size) return malformed("item");
  return item;
}

}  // namespace partita
