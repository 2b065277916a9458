// BatchGetItem: up to 100 items by their keys, from one table or several.
#include "operations/batches/batch_operations.h"
#include "operations/batches/distinct_keys.h"
#include "operations/batches/table_reports.h"
#include "operations/items/item_projection.h"
#include "plan/item_rules.h"

namespace partita {

namespace {

constexpr std::size_t kBatchKeysMax = 100;
constexpr std::size_t kBatchBytesMax = 16 * 1024 * 1024;

// One table of the request, ready to be read.
struct TableReads {
  TablePointer table;
  std::optional<ProjectionPaths> projection;
  std::vector<EncodedKey> keys;
  std::shared_ptr<const View> view;  // of the past, for reads that may be stale
};

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
    for (std::size_t i = 0; i < reads.keys.size(); ++i) {
      PARTITA_TRY(const std::size_t size_bytes, read_one(reads, reads.keys[i]));
      if (full_) {
        left.keys.append(wanted.keys[i]);
      } else {
        charge.table_units += read_units(size_bytes, consistent);
      }
    }
    capacity_.add(reads.table, charge);
    if (!left.keys.empty()) response_.unprocessed_keys.push_back(std::move(left));
    return {};
  }

  BatchGetItemResponse take() {
    response_.consumed_capacity = capacity_.report();
    return std::move(response_);
  }

 private:
  // The size of the item, 0 if there is none.
  Result<std::size_t> read_one(const TableReads& reads, const EncodedKey& key) {
    std::size_t size_bytes = 0;
    if (full_) return size_bytes;
    ItemList& items = response_.responses.back().items;
    const auto keep = [&](ItemView item) {
      size_bytes = item.size_bytes();
      if (bytes_ + size_bytes > kBatchBytesMax) {
        full_ = true;
        return;
      }
      bytes_ += size_bytes;
      if (reads.projection) {
        reads.projection->project(item, items.buffer());
        items.finish_item();
      } else {
        items.append(item);
      }
    };
    PARTITA_CHECK(
        context_.executor.get(*reads.table, key, keep, reads.view.get(), context_.ticket.version));
    return size_bytes;
  }

  const OperationContext& context_;
  CapacityByTable capacity_;
  BatchGetItemResponse response_;
  std::size_t bytes_ = 0;
  bool full_ = false;
};

}  // namespace

Result<BatchGetItemResponse> batch_get_item(const OperationContext& context,
                                            const BatchGetItemRequest& request) {
  if (request.request_items.empty()) {
    return Error::validation("The requestItems parameter is required for BatchGetItem");
  }
  std::vector<TableReads> tables;
  tables.reserve(request.request_items.size());
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
