#include "storage/rocksdb/recovered_log.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace partita {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

// RocksDB's format: a log is made of blocks, and a block of records, none of which crosses its end.
//   record := checksum u32, length u16, type u8, length bytes; type and length are not both zero
// What is left of a block, less than a header, is not used.
constexpr std::size_t kBlockBytes = 32 * 1024;
constexpr std::size_t kHeaderBytes = 7;

// Where in the block zeros stand in place of a record, or its size.
std::size_t find_gap(std::string_view block) {
  std::size_t at = 0;
  while (block.size() - at >= kHeaderBytes) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(block[at + i]); };
    const std::size_t length = byte(4) + std::size_t{256} * byte(5);
    if (length == 0 && byte(6) == 0) return at;
    if (block.size() - at - kHeaderBytes < length) break;  // torn; RocksDB will see it
    at += kHeaderBytes + length;
  }
  return block.size();
}

}  // namespace

IOStatus RecoveredLog::read_block(const IOOptions& options, IODebugContext* debug) {
  block_.resize(kBlockBytes);
  position_ = 0;
  std::size_t filled = 0;
  while (filled < kBlockBytes) {
    Slice part;
    char* const to = block_.data() + filled;
    IOStatus status = file_->Read(kBlockBytes - filled, options, &part, to, debug);
    if (!status.ok()) return status;
    if (part.empty()) break;
    if (part.data() != to) std::memmove(to, part.data(), part.size());
    filled += part.size();
  }
  block_.resize(filled);
  block_.resize(find_gap(block_));
  ended_ = block_.size() < kBlockBytes;
  return IOStatus::OK();
}

IOStatus RecoveredLog::Read(std::size_t wanted, const IOOptions& options, Slice* result,
                            char* scratch, IODebugContext* debug) {
  std::size_t filled = 0;
  while (filled < wanted) {
    if (position_ == block_.size()) {
      if (ended_) break;
      if (IOStatus status = read_block(options, debug); !status.ok()) return status;
    }
    const std::size_t taken = block_.copy(scratch + filled, wanted - filled, position_);
    position_ += taken;
    filled += taken;
  }
  *result = Slice(scratch, filled);
  return IOStatus::OK();
}

IOStatus RecoveredLog::Skip(std::uint64_t bytes) {
  std::string ignored(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kBlockBytes)), '\0');
  while (bytes > 0) {
    Slice skipped;
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, ignored.size()));
    IOStatus status = Read(step, IOOptions(), &skipped, ignored.data(), nullptr);
    if (!status.ok() || skipped.empty()) return status;
    bytes -= skipped.size();
  }
  return IOStatus::OK();
}

}  // namespace partita
