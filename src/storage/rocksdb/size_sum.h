// Sizes of partitions are kept by adding: a commit writes its delta, RocksDB sums.
#pragma once

#include <memory>

#include <rocksdb/compaction_filter.h>
#include <rocksdb/merge_operator.h>

namespace partita {

// Adds pairs of i64le; overflow wraps. Only partition sizes are ever merged.
std::shared_ptr<rocksdb::MergeOperator> size_sum_operator();

// Forgets sizes of partitions that came down to nothing; absent means zero, so nobody can tell.
// Lives as long as the process.
const rocksdb::CompactionFilter* zero_size_filter();

}  // namespace partita
