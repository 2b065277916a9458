// BatchGetItem: up to 100 items by their keys, from one table or several.
#include <algorithm>
#include <map>

#include "operations/batches/batch_operations.h"
#include "operations/batches/distinct_keys.h"
#include "operations/batches/table_reports.h"
#include "operations/items/item_projection.h"
#include "plan/item_rules.h"
#include "value/item_size.h"

namespace partita {

namespace {

constexpr std::size_t kBatchKeysMax = 100;
constexpr std::size_t kBatchBytesMax = 16 * 1024 * 1024;
// What one partition gives: 1 MB, and what an item may reach beyond it (measured on DynamoDB by
// dynalite's tests).
constexpr std::size_t kPartitionBytesMax = 1024 * 1024 + kItemBytesMax - 3;
constexpr std::int64_t kPartitionReadUnits = 3000;
constexpr std::int64_t kPartitionWriteUnits = 1000;

// How many partitions DynamoDB would make for the capacity of a table. None for one on demand, of
// which nobody can tell.
std::size_t partition_count(const TableSchema& table) {
  if (table.billing_mode != BillingMode::Provisioned) return 0;
  const std::int64_t reads = table.throughput.read_capacity_units * kPartitionWriteUnits;
  const std::int64_t writes = table.throughput.write_capacity_units * kPartitionReadUnits;
  constexpr std::int64_t kEach = kPartitionReadUnits * kPartitionWriteUnits;
  return static_cast<std::size_t>(std::max<std::int64_t>((reads + writes + kEach - 1) / kEach, 1));
}

// The bytes read so far of each partition of a table.
class PartitionBytes {
 public:
  explicit PartitionBytes(const TableSchema& table) : partitions_(partition_count(table)) {}

  // Adds an item unless the partition it lies in has given its share.
  bool add(std::uint64_t hash, std::size_t bytes) {
    if (partitions_ == 0) return true;
    std::size_t& read = read_[(hash >> 32) * partitions_ >> 32];
    if (read + bytes > kPartitionBytesMax) return false;
    read += bytes;
    return true;
  }

 private:
  std::size_t partitions_;
  std::map<std::uint64_t, std::size_t> read_;  // by the partition's number
};

// One table of the request, ready to be read.
struct TableReads {
  TablePointer table;
  std::optional<ProjectionPaths> projection;
  std::vector<EncodedKey> keys;
  std::shared_ptr<const View> view;  // of the past, for reads that may be stale
};

// What one table must not mix, several must not either (recorded from DynamoDB by Dynoxide).
Result<void> check_projections(const BatchGetItemRequest& request) {
  bool expression = false, legacy = false;
  for (const KeysAndAttributes& wanted : request.request_items) {
    expression |= wanted.projection_expression.has_value();
    legacy |= wanted.attributes_to_get.has_value();
  }
  const LegacyParameter legacy_parameters[] = {{"AttributesToGet", legacy}};
  const ExpressionParameter expressions[] = {{"ProjectionExpression", expression, false}};
  return check_not_mixed(legacy_parameters, expressions);
}

// Equal keys are equal bytes, so this needs no table yet; AWS tells of duplicates before it misses
// the table (recorded by dynalite's tests).
Result<void> check_keys(const OperationContext& context, const BatchGetItemRequest& request) {
  std::size_t count = 0;
  for (const KeysAndAttributes& wanted : request.request_items) {
    std::pmr::unordered_set<Bytes> keys(context.memory);
    for (const ItemView key : wanted.keys) {
      if (!keys.insert(key.bytes()).second) {
        return Error::validation("Provided list of item keys contains duplicates");
      }
      if (++count > kBatchKeysMax) {
        return Error::validation("Too many items requested for the BatchGetItem call");
      }
    }
  }
  return {};
}

UnprocessedKeys nothing_processed(const KeysAndAttributes& wanted) {
  UnprocessedKeys left;
  left.table_name = wanted.table_name;
  left.consistent_read = wanted.consistent_read;
  if (wanted.projection_expression) left.projection_expression = *wanted.projection_expression;
  if (wanted.expression_attributes.names) {
    for (const ExpressionAttributeName& entry : *wanted.expression_attributes.names) {
      left.expression_attribute_names.emplace_back(entry.placeholder, entry.name);
    }
  }
  if (wanted.attributes_to_get) {
    left.attributes_to_get.assign(wanted.attributes_to_get->begin(),
                                  wanted.attributes_to_get->end());
  }
  return left;
}

// Reads into one answer until it is full.
class BatchReader {
 public:
  BatchReader(const OperationContext& context, const BatchGetItemRequest& request)
      : context_(context), capacity_(request.return_consumed_capacity) {}

  Result<void> read(const KeysAndAttributes& wanted, const TableReads& reads) {
    response_.responses.push_back({std::string(wanted.table_name), {}});
    UnprocessedKeys left = nothing_processed(wanted);
    const bool consistent = wanted.consistent_read.value_or(false);
    Charge charge;
    PartitionBytes partitions(*reads.table);
    for (std::size_t i = 0; i < reads.keys.size(); ++i) {
      const Throttle::Target target{*reads.table, nullptr, reads.keys[i].hash};
      if (Result<void> admitted = context_.executor.admit_read(target, context_.now); !admitted) {
        left.keys.append(wanted.keys[i]);
        if (!throttled_) throttled_ = std::move(admitted).error();
        continue;
      }
      PARTITA_TRY(const Read read, read_one(reads, reads.keys[i], partitions));
      if (!read.kept) left.keys.append(wanted.keys[i]);
      if (read.kept || !full_) {  // one that is left for its partition's sake has been looked at
        const double units = read_units(read.kept ? read.size_bytes : 0, consistent);
        context_.executor.charge_read(target, units, context_.now);
        charge.table_units += units;
        processed_ = true;
      }
    }
    capacity_.add(reads.table, charge);
    if (!left.keys.empty()) response_.unprocessed_keys.push_back(std::move(left));
    return {};
  }

  // The throttle's error if there was no room for a single key.
  Result<BatchGetItemResponse> take() {
    if (throttled_ && !processed_) return *std::move(throttled_);
    response_.consumed_capacity = capacity_.report();
    return std::move(response_);
  }

 private:
  struct Read {
    bool kept = true;            // in the answer, if there is an item
    std::size_t size_bytes = 0;  // of the item, 0 if there is none
  };

  Result<Read> read_one(const TableReads& reads, const EncodedKey& key,
                        PartitionBytes& partitions) {
    Read read;
    read.kept = !full_;
    if (full_) return read;
    ItemList& items = response_.responses.back().items;
    const auto keep = [&](ItemView item) {
      read.size_bytes = item.size_bytes();
      full_ = bytes_ + read.size_bytes > kBatchBytesMax;
      read.kept = !full_ && partitions.add(key.hash, read.size_bytes);
      if (!read.kept) return;
      bytes_ += read.size_bytes;
      if (reads.projection) {
        reads.projection->project(item, items.buffer());
        items.finish_item();
      } else {
        items.append(item);
      }
    };
    PARTITA_CHECK(
        context_.executor.get(*reads.table, key, keep, reads.view.get(), context_.ticket.version));
    return read;
  }

  const OperationContext& context_;
  CapacityByTable capacity_;
  BatchGetItemResponse response_;
  std::size_t bytes_ = 0;
  bool full_ = false;
  bool processed_ = false;  // at least one key
  std::optional<Error> throttled_;
};

}  // namespace

Result<BatchGetItemResponse> batch_get_item(const OperationContext& context,
                                            const BatchGetItemRequest& request) {
  if (request.request_items.empty()) {
    return Error::validation("The requestItems parameter is required for BatchGetItem");
  }
  std::vector<TableReads> tables;
  tables.reserve(request.request_items.size());
  PARTITA_CHECK(check_projections(request));
  for (const KeysAndAttributes& wanted : request.request_items) {
    TableReads reads;
    PARTITA_TRY(reads.projection, bind_projection(context, wanted));
    tables.push_back(std::move(reads));
  }
  PARTITA_CHECK(check_keys(context, request));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const KeysAndAttributes& wanted = request.request_items[i];
    PARTITA_TRY(tables[i].table, find_table(context, wanted.table_name));
    tables[i].view = context.executor.view_for(wanted.consistent_read.value_or(false), context.now);
    tables[i].keys.reserve(wanted.keys.size());
    for (const ItemView key : wanted.keys) {
      PARTITA_TRY(EncodedKey encoded, key_of_request(tables[i].table->key, key));
      tables[i].keys.push_back(std::move(encoded));
    }
  }
  BatchReader reader(context, request);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    PARTITA_CHECK(reader.read(request.request_items[i], tables[i]));
  }
  return reader.take();
}

}  // namespace partita
