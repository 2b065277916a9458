#include "storage/rocksdb/size_sum.h"

#include <string>

#include "storage/rocksdb/row_layout.h"

namespace partita {

namespace layout = rocksdb_layout;

namespace {

std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

class SizeSum final : public rocksdb::AssociativeMergeOperator {
 public:
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice* existing, const rocksdb::Slice& operand,
             std::string* sum, rocksdb::Logger*) const override {
    const std::optional<Size> delta = layout::decode_size(layout::view(operand));
    const std::optional<Size> before =
        existing == nullptr ? Size{} : layout::decode_size(layout::view(*existing));
    if (!delta || !before) return false;  // RocksDB reports Corruption
    *sum = layout::encode_size(
        {wrapping_sum(before->items, delta->items), wrapping_sum(before->bytes, delta->bytes)});
    return true;
  }
  const char* Name() const override { return "partita.SizeSum"; }
};

class ZeroSizeFilter final : public rocksdb::CompactionFilter {
 public:
  bool Filter(int, const rocksdb::Slice& key, const rocksdb::Slice& value, std::string*,
              bool*) const override {
    return key.size() > layout::kSpacePrefixBytes &&
           key[4] == static_cast<char>(layout::kPartitionSizeKind) &&
           layout::decode_size(layout::view(value)) == Size{};
  }
  const char* Name() const override { return "partita.ZeroSizeFilter"; }
};

}  // namespace

std::shared_ptr<rocksdb::MergeOperator> size_sum_operator() { return std::make_shared<SizeSum>(); }

const rocksdb::CompactionFilter* zero_size_filter() {
  static const ZeroSizeFilter filter;
  return &filter;
}

}  // namespace partita
