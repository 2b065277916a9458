#include "partita/model/transaction.h"

#include <algorithm>

namespace partita::model {
namespace {

constexpr std::size_t kTransactionItemsMax = 100;

bool has_same_key(const TableShape& table, ItemView left, ItemView right) {
  if (left.find(table.partition_key.name) != right.find(table.partition_key.name)) return false;
  return table.sort_key.name.empty() ||
         left.find(table.sort_key.name) == right.find(table.sort_key.name);
}

ErrorCode code_of(const CancellationReason& reason) {
  if (reason.code == "ConditionalCheckFailed") return ErrorCode::ConditionalCheckFailed;
  if (reason.code == "TransactionConflict") return ErrorCode::TransactionConflict;
  if (reason.code == "ValidationError") return ErrorCode::Validation;
  if (reason.code == "ItemCollectionSizeLimitExceeded") {
    return ErrorCode::ItemCollectionSizeLimitExceeded;
  }
  if (reason.code == "ThrottlingError") return ErrorCode::Throttling;
  return ErrorCode::ProvisionedThroughputExceeded;
}

Refusal refusal_of(const detail::WriteAction& action, const CancellationReason& reason) {
  Refusal refusal;
  refusal.operation = action.operation;
  refusal.entity = action.plan->name;
  refusal.code = code_of(reason);
  refusal.message = std::string(action.plan->name) + ": " + reason.message;
  refusal.item = reason.item;
  if (refusal.code != ErrorCode::ConditionalCheckFailed) return refusal;
  Error told(refusal.code, reason.message);
  if (reason.item) told.set_item(*reason.item);
  told = detail::explain_refusal(action, std::move(told));
  refusal.code = told.code();
  refusal.message = told.message();
  return refusal;
}

// The same error with what the refusals say.
Error in_words(const Error& error, const std::vector<Refusal>& refusals) {
  std::string text;
  for (const Refusal& refusal : refusals) {
    if (!text.empty()) text += "; ";
    text += "operation " + std::to_string(refusal.operation) + ", " + refusal.message;
  }
  Error told(error.code(), std::move(text));
  if (error.item()) told.set_item(*error.item());
  told.set_cancellation_reasons(error.cancellation_reasons());
  return told;
}

}  // namespace

void Transaction::note(Result<void> done) {
  if (!done && status_) status_ = std::move(done);
}

Result<WriteSet*> Transaction::prepared() {
  if (!status_) return Error(status_.error().code(), status_.error().message());
  const auto& actions = writes_.actions;
  if (actions.size() > kTransactionItemsMax) {
    return Error::validation("a transaction has at most 100 items; this one has " +
                             std::to_string(actions.size()));
  }
  for (std::size_t i = 0; i < actions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (has_same_key(store_->shape(), actions[i].item, actions[j].item)) {
        return Error::validation("operations " + std::to_string(actions[j].operation) + " and " +
                                 std::to_string(actions[i].operation) +
                                 " of a transaction concern the same item");
      }
    }
  }
  return &writes_;
}

Result<void> Transaction::run() {
  refusals_.clear();
  PARTITA_CHECK(prepared());
  const auto& actions = writes_.actions;
  if (actions.empty()) return {};
  auto sent = detail::send_writes(*store_, writes_,
                                  token_ ? std::optional<std::string_view>(*token_) : std::nullopt);
  if (sent) return {};
  const Error& error = sent.error();
  if (error.code() == ErrorCode::ConditionalCheckFailed) {  // it was sent alone
    CancellationReason reason{"ConditionalCheckFailed", error.message(), error.item()};
    refusals_.push_back(refusal_of(actions[0], reason));
  }
  const auto& reasons = error.cancellation_reasons();
  for (std::size_t i = 0; i < reasons.size() && i < actions.size(); ++i) {
    if (reasons[i].code != "None") refusals_.push_back(refusal_of(actions[i], reasons[i]));
  }
  if (refusals_.empty()) return sent;
  return in_words(error, refusals_);
}

namespace detail {

void ReadSet::note(Result<Item> key) {
  if (key) {
    keys_.push_back(std::move(*key));
  } else if (status_) {
    status_ = std::move(key).error();
  }
}

}  // namespace detail

Result<ReadItems> Snapshot::run() {
  if (!status_) return std::move(status_).error();
  std::vector<TransactGet> gets;
  for (const Item& key : keys_) {
    store_->note_read(key);
    gets.push_back({.table_name = store_->table_name(), .key = key});
  }
  TransactGetItemsRequest request;
  request.transact_items = gets;
  PARTITA_TRY(TransactGetItemsResponse response, store_->api().transact_get_items(request));
  return ReadItems(std::move(response.responses));
}

}  // namespace partita::model
