// What a request touches, as conditions of policies ask for it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "partita/requests/batches.h"
#include "partita/requests/items.h"
#include "partita/requests/queries.h"
#include "partita/requests/transactions.h"
#include "partita/table.h"

#include "auth/policy.h"
#include "expression/expression_cache.h"

namespace partita {

// Collects the names of the top-level attributes a request reads, writes or compares.
class TouchedAttributes {
 public:
  TouchedAttributes(ExpressionCache& cache, const ExpressionAttributes& attributes)
      : cache_(cache), attributes_(attributes) {
    found_.present = true;
  }

  void add(std::string_view name) { found_.values.emplace_back(name); }
  void add_item(ItemView item);
  void add_expression(ExpressionKind kind, const std::optional<std::string_view>& text);
  template <typename Entries>  // of a legacy parameter
  void add_entries(const Entries& entries) {
    if (!entries) return;
    for (const auto& entry : *entries) add(entry.attribute);
  }
  // What is read back: the attributes named, or else whole items.
  void add_projection(const std::optional<std::string_view>& expression,
                      const AttributesToGet& names);
  void add_everything() { found_.unbounded = true; }

  ContextValues take() { return std::move(found_); }

 private:
  void add_path(const Tree& tree, const Step& first);
  const ExpressionAttributeName* find_name(std::string_view placeholder);

  ExpressionCache& cache_;
  const ExpressionAttributes& attributes_;
  std::vector<const ExpressionAttributeName*> by_placeholder_;  // once there was one to be found
  ContextValues found_;
};

// The names of the partition key's attributes, of the table or of an index; none when there is no
// such index.
std::vector<std::string_view> partition_key(const TableDescription& table,
                                            const std::optional<std::string_view>& index_name);

// The partition-key values of items or keys.
ContextValues leading_keys(std::span<const std::string_view> partition_key,
                           std::span<const ItemView> items);
// Those a Query asks for.
ContextValues leading_keys(std::span<const std::string_view> partition_key,
                           const QueryRequest& request, ExpressionCache& cache);

ContextValues attributes_of(const PutItemRequest& request, ExpressionCache& cache);
ContextValues attributes_of(const UpdateItemRequest& request, ExpressionCache& cache);
ContextValues attributes_of(const DeleteItemRequest& request, ExpressionCache& cache);
ContextValues attributes_of(const GetItemRequest& request, ExpressionCache& cache);
ContextValues attributes_of(const QueryRequest& request, ExpressionCache& cache);
ContextValues attributes_of(const ScanRequest& request, ExpressionCache& cache);
ContextValues attributes_of(const KeysAndAttributes& request, ExpressionCache& cache);
ContextValues attributes_of(const TableWrites& request, ExpressionCache& cache);
ContextValues attributes_of(const TransactGet& request, ExpressionCache& cache);
ContextValues attributes_of(const TransactWrite& request, ExpressionCache& cache);

std::string_view text_of(ReturnValues values);
std::string_view text_of(ReturnConsumedCapacity wanted);
// What a Query or Scan selects, said or not.
std::string_view select_text(std::optional<Select> select, bool projected, bool of_index);

}  // namespace partita
