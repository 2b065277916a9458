#include "storage/rocksdb/row_layout.h"

#include <cassert>

namespace partita::rocksdb_layout {

namespace {

template <typename Unsigned>
Unsigned read_big_endian(const char* at) {
  Unsigned value;
  std::memcpy(&value, at, sizeof value);
  return byte_swapped(value);
}

void append_space_and_kind(std::string& out, SpaceId space, std::uint8_t kind) {
  append_big_endian_u32(out, space);
  out.push_back(static_cast<char>(kind));
}

// Times order as unsigned numbers once the sign is flipped.
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

}  // namespace

RowKeyBytes::RowKeyBytes(const Partition& partition, const RowKey& row)
    : size_(kRowPrefixBytes + partition.key.size() + row.sort.size()) {
  char* at = inline_;
  if (size_ > sizeof inline_) {
    long_.resize(size_);
    at = long_.data();
  }
  data_ = at;
  const std::uint32_t space = byte_swapped(partition.space);
  const std::uint64_t hash = byte_swapped(partition.hash);
  std::memcpy(at, &space, sizeof space);
  at[4] = static_cast<char>(row.slot);
  std::memcpy(at + kSpacePrefixBytes, &hash, sizeof hash);
  at += kRowPrefixBytes;
  if (!partition.key.empty()) std::memcpy(at, partition.key.data(), partition.key.size());
  at += partition.key.size();
  if (!row.sort.empty()) std::memcpy(at, row.sort.data(), row.sort.size());
}

RowHeader row_header(Version version, std::size_t partition_key_bytes) {
  assert(partition_key_bytes <= kPartitionKeyBytesMax);
  const auto length = static_cast<std::uint16_t>(partition_key_bytes);
  RowHeader header;
  header.bytes[0] = static_cast<char>(kRowFormat);
  std::memcpy(header.bytes + 1, &version, sizeof version);
  std::memcpy(header.bytes + 9, &length, sizeof length);
  return header;
}

std::optional<StoredRow> decode_row(Bytes stored) {
  if (stored.size() < kRowHeaderBytes || stored[0] != static_cast<char>(kRowFormat)) {
    return std::nullopt;
  }
  StoredRow row;
  std::uint16_t length;
  std::memcpy(&row.version, stored.data() + 1, sizeof row.version);
  std::memcpy(&length, stored.data() + 9, sizeof length);
  row.partition_key_bytes = length;
  row.value = stored.substr(kRowHeaderBytes);
  return row;
}

std::string kind_prefix(SpaceId space, std::uint8_t kind) {
  std::string key;
  append_space_and_kind(key, space, kind);
  return key;
}

std::string scan_prefix(SpaceId space, Slot slot, std::uint64_t hash) {
  std::string key = kind_prefix(space, static_cast<std::uint8_t>(slot));
  append_big_endian_u64(key, hash);
  return key;
}

std::string partition_prefix(const Partition& partition, Slot slot) {
  std::string key = scan_prefix(partition.space, slot, partition.hash);
  key.append(partition.key);
  return key;
}

std::string change_prefix(SpaceId space, Lane lane) {
  return kind_prefix(space, static_cast<std::uint8_t>(kChangeKind + lane));
}

std::string change_key(SpaceId space, Lane lane, Version version, std::uint32_t ordinal) {
  std::string key = change_prefix(space, lane);
  append_big_endian_u64(key, version);
  append_big_endian_u32(key, ordinal);
  return key;
}

std::string partition_size_key(const Partition& partition) {
  std::string key = kind_prefix(partition.space, kPartitionSizeKind);
  append_big_endian_u64(key, partition.hash);
  key.append(partition.key);
  return key;
}

std::string space_key(SpaceId space) {
  std::string key;
  append_big_endian_u32(key, space);
  return key;
}

std::string commit_time_key(std::int64_t time_ms) {
  std::string key = kind_prefix(kOwnSpace, kCommitTimeKind);
  append_big_endian_u64(key, static_cast<std::uint64_t>(time_ms) ^ kSignBit);
  return key;
}

std::string dropped_space_key(SpaceId space) {
  std::string key = kind_prefix(kOwnSpace, kDroppedSpaceKind);
  append_big_endian_u32(key, space);
  return key;
}

std::string key_after_prefix(std::string prefix) {
  while (prefix.back() == '\xFF') prefix.pop_back();
  assert(!prefix.empty());
  prefix.back() = static_cast<char>(prefix.back() + 1);
  return prefix;
}

std::string encode_size(Size size) {
  std::string bytes;
  append_u64(bytes, static_cast<std::uint64_t>(size.items));
  append_u64(bytes, static_cast<std::uint64_t>(size.bytes));
  return bytes;
}

std::optional<Size> decode_size(Bytes bytes) {
  if (bytes.size() != kSizeBytes) return std::nullopt;
  Size size;
  std::memcpy(&size.items, bytes.data(), 8);
  std::memcpy(&size.bytes, bytes.data() + 8, 8);
  return size;
}

std::string encode_space_state(const SpaceState& state) {
  std::string bytes = encode_size(state.size);
  append_u64(bytes, state.version);
  append_u64(bytes, static_cast<std::uint64_t>(state.time_ms));
  return bytes;
}

std::optional<SpaceState> decode_space_state(Bytes bytes) {
  if (bytes.size() != kSizeBytes + 16) return std::nullopt;
  SpaceState state;
  state.size = *decode_size(bytes.substr(0, kSizeBytes));
  std::memcpy(&state.version, bytes.data() + kSizeBytes, 8);
  std::memcpy(&state.time_ms, bytes.data() + kSizeBytes + 8, 8);
  return state;
}

std::string encode_u64(std::uint64_t value) {
  std::string bytes;
  append_u64(bytes, value);
  return bytes;
}

std::optional<std::uint64_t> decode_u64(Bytes bytes) {
  if (bytes.size() != 8) return std::nullopt;
  std::uint64_t value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

ChangeView decode_change(Bytes key, Bytes record) {
  return {read_big_endian<std::uint64_t>(key.data() + kSpacePrefixBytes),
          read_big_endian<std::uint32_t>(key.data() + kSpacePrefixBytes + 8), record};
}

std::uint64_t hash_of_row_key(Bytes key) {
  return read_big_endian<std::uint64_t>(key.data() + kSpacePrefixBytes);
}

SpaceId space_of_key(Bytes key) { return read_big_endian<std::uint32_t>(key.data()); }

std::int64_t time_of_commit_time_key(Bytes key) {
  return static_cast<std::int64_t>(read_big_endian<std::uint64_t>(key.data() + kSpacePrefixBytes) ^
                                   kSignBit);
}

SpaceId space_of_dropped_key(Bytes key) {
  return read_big_endian<std::uint32_t>(key.data() + kSpacePrefixBytes);
}

}  // namespace partita::rocksdb_layout
