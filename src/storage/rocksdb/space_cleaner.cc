#include "storage/rocksdb/space_cleaner.h"

#include <chrono>
#include <string>
#include <utility>

#include <rocksdb/convenience.h>

#include "storage/rocksdb/row_layout.h"

namespace partita {

namespace layout = rocksdb_layout;

namespace {
constexpr std::chrono::seconds kPauseAfterFailure{5};
// Less than this is not worth a compaction of its own; the ordinary ones will come by.
constexpr std::uint64_t kWorthCompactingBytes = 4 << 20;
}  // namespace

SpaceCleaner::SpaceCleaner(rocksdb::DB& database, const std::vector<SpaceId>& left,
                           std::function<bool(SpaceId)> forget)
    : database_(database),
      forget_(std::move(forget)),
      spaces_(left.begin(), left.end()),
      thread_([this] { run(); }) {}

SpaceCleaner::~SpaceCleaner() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void SpaceCleaner::clean(SpaceId space) {
  {
    const std::lock_guard lock(mutex_);
    spaces_.push_back(space);
  }
  wake_.notify_one();
}

void SpaceCleaner::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !spaces_.empty(); });
    if (stopping_) return;
    const SpaceId space = spaces_.front();
    lock.unlock();
    const bool cleaned = clean_files(space) && forget_(space);
    lock.lock();
    if (cleaned) {
      spaces_.pop_front();
    } else {
      wake_.wait_for(lock, kPauseAfterFailure, [this] { return stopping_.load(); });
    }
  }
}

bool SpaceCleaner::clean_files(SpaceId space) {
  const std::string begin_key = layout::space_key(space);
  const std::string end_key = layout::key_after_prefix(begin_key);
  const rocksdb::Slice begin = begin_key, end = end_key;
  rocksdb::ColumnFamilyHandle* const family = database_.DefaultColumnFamily();
  // Whole files first: they go without being read. The compaction takes the rest and, when it
  // reaches the last level, the range deletion itself.
  if (!rocksdb::DeleteFilesInRange(&database_, family, &begin, &end, /*include_end=*/false).ok()) {
    return false;
  }
  const rocksdb::Range range(begin, end);
  std::uint64_t bytes_left = 0;
  rocksdb::SizeApproximationOptions approximation;
  approximation.include_memtables = true;
  if (!database_.GetApproximateSizes(approximation, family, &range, 1, &bytes_left).ok()) {
    return false;
  }
  if (bytes_left >= kWorthCompactingBytes) {
    rocksdb::CompactRangeOptions options;
    options.exclusive_manual_compaction = false;
    options.canceled = &stopping_;
    if (!database_.CompactRange(options, &begin, &end).ok()) return false;
  }
  return true;
}

}  // namespace partita
