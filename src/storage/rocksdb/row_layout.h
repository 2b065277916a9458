// Every byte the engine stores. All of it lives in one ordered space of keys.
//
//   key       := space:u32be kind:u8 rest
//   kind      := 0x00..0x07  a row; the kind is its slot          rest := hash:u64be partition-key
//   sort
//                0x40..0x43  a change record; 0x40 + lane         rest := version:u64be
//                ordinal:u32be 0x80        the size of one partition            rest := hash:u64be
//                partition-key 0x81        the size of the space                rest := (empty)
//   row       := format:u8=1 version:u64le partition-key-length:u16le bytes
//   change    := bytes
//   partition := items:i64le bytes:i64le                          (merged: operands are added)
//   state     := items:i64le bytes:i64le version:u64le time:i64le (of the last commit to the space)
//
// Space 0xFFFFFFFF is the engine's own:
//   0x90 epoch                                → u64le             (version_of_epoch)
//   0x91 commit time: time:u64be, sign flipped → version:u64le    (commit_times.h)
//   0x92 dropped space not yet cleaned: space:u32be → (empty)
//
// Times are milliseconds since 1970. A space is one contiguous stretch, so dropping it is one range
// deletion; a scan of a slot meets rows of that slot only.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include <rocksdb/slice.h>

#include "base/coding.h"
#include "storage/engine.h"

namespace partita::rocksdb_layout {

inline constexpr std::uint8_t kRowFormat = 1;
inline constexpr std::size_t kRowHeaderBytes = 1 + 8 + 2;
inline constexpr std::size_t kSpacePrefixBytes = 4 + 1;
inline constexpr std::size_t kRowPrefixBytes = kSpacePrefixBytes + 8;  // before the partition key
inline constexpr std::size_t kSizeBytes = 8 + 8;
inline constexpr std::size_t kPartitionKeyBytesMax = 0xFFFF;

inline constexpr std::uint8_t kChangeKind = 0x40;
inline constexpr std::uint8_t kPartitionSizeKind = 0x80;
inline constexpr std::uint8_t kSpaceStateKind = 0x81;
inline constexpr std::uint8_t kEpochKind = 0x90;
inline constexpr std::uint8_t kCommitTimeKind = 0x91;
inline constexpr std::uint8_t kDroppedSpaceKind = 0x92;
inline constexpr SpaceId kOwnSpace = 0xFFFFFFFF;

inline rocksdb::Slice slice(Bytes bytes) { return {bytes.data(), bytes.size()}; }
inline Bytes view(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

// A row's key, on the stack unless it is long.
class RowKeyBytes {
 public:
  RowKeyBytes(const Partition& partition, const RowKey& row);
  Bytes bytes() const { return {data_, size_}; }
  RowKeyBytes(const RowKeyBytes&) = delete;
  RowKeyBytes& operator=(const RowKeyBytes&) = delete;

 private:
  char inline_[256];
  std::string long_;
  const char* data_;
  std::size_t size_;
};

// The bytes in front of a value.
struct RowHeader {
  char bytes[kRowHeaderBytes];
};
RowHeader row_header(Version version, std::size_t partition_key_bytes);

struct StoredRow {
  Version version = 0;
  std::size_t partition_key_bytes = 0;
  Bytes value;
};
std::optional<StoredRow> decode_row(Bytes stored);  // nothing for bytes that are no row

// What all keys of one kind in a space start with.
std::string kind_prefix(SpaceId space, std::uint8_t kind);
std::string partition_prefix(const Partition& partition, Slot slot);
std::string scan_prefix(SpaceId space, Slot slot, std::uint64_t hash);
std::string change_prefix(SpaceId space, Lane lane);
std::string change_key(SpaceId space, Lane lane, Version version, std::uint32_t ordinal);
std::string partition_size_key(const Partition& partition);
std::string space_key(SpaceId space);  // before all keys of the space
std::string commit_time_key(std::int64_t time_ms);
std::string dropped_space_key(SpaceId space);

// The first byte string after all that start with `prefix`, which has a byte other than 0xFF.
std::string key_after_prefix(std::string prefix);

std::string encode_size(Size size);
std::optional<Size> decode_size(Bytes bytes);

// The last commit to a space, and its size after it.
struct SpaceState {
  Size size;
  Version version = 0;
  std::int64_t time_ms = 0;
};
std::string encode_space_state(const SpaceState& state);
std::optional<SpaceState> decode_space_state(Bytes bytes);

std::string encode_u64(std::uint64_t value);
std::optional<std::uint64_t> decode_u64(Bytes bytes);

// Reads back what the key functions wrote.
ChangeView decode_change(Bytes key, Bytes record);
std::uint64_t hash_of_row_key(Bytes key);
SpaceId space_of_key(Bytes key);
std::int64_t time_of_commit_time_key(Bytes key);
SpaceId space_of_dropped_key(Bytes key);

}  // namespace partita::rocksdb_layout
