// WritePlan: one item write, decided and checked, nothing done yet.
//
// Every way of writing an item ends in one of these, and the executor runs them all alike.
#pragma once

#include <optional>
#include <string>

#include "partita/item.h"
#include "partita/result.h"

#include "catalog/table_schema.h"
#include "expression/condition.h"
#include "expression/update.h"
#include "plan/item_rules.h"
#include "value/number.h"

namespace partita {

// How the size of an item is measured that an update made (recorded from DynamoDB by Dynoxide).
enum class UpdatedSize : std::uint8_t {
  AsRequest,  // UpdateItem: as its request would carry it
  Plain,      // in a transaction
};

// Which moments, in seconds since 1970, are over: from the first to before the second.
struct ExpiryWindow {
  OrderedNumber from;
  OrderedNumber until;

  bool contains(Bytes moment) const { return from.bytes() <= moment && moment < until.bytes(); }
};

class WritePlan {
 public:
  // The views, the window and bound expressions must outlive the plan.
  static Result<WritePlan> put(TablePointer table, ItemView item,
                               std::optional<Condition> condition);
  static Result<WritePlan> update(TablePointer table, ItemView key, std::optional<Update> update,
                                  std::optional<Condition> condition,
                                  UpdatedSize measure = UpdatedSize::AsRequest);
  static Result<WritePlan> remove(TablePointer table, ItemView key,
                                  std::optional<Condition> condition);
  // Deletes the item if its time is over; else ErrorCode::ConditionalCheckFailed.
  static Result<WritePlan> expire(TablePointer table, ItemView key, const ExpiryWindow& window);
  // Writes nothing: the condition must hold when the writes it comes with happen.
  static Result<WritePlan> check(TablePointer table, ItemView key, Condition condition);

  const TableSchema& table() const { return *table_; }
  const TablePointer& table_pointer() const { return table_; }
  const EncodedKey& key() const { return key_; }
  const std::optional<Update>& update() const { return update_; }
  ItemView item() const { return item_; }  // what is put, or the key of the other kinds
  bool writes() const { return kind_ != Kind::Check; }

  // True when apply looks at the previous item, not only at whether there is one.
  bool reads_previous() const {
    return condition_.has_value() || kind_ == Kind::Update || kind_ == Kind::Expire;
  }

  // The item after this write given the item before it; none when there is none afterwards.
  // ErrorCode::ConditionalCheckFailed when the condition does not hold. The view borrows from the
  // plan, from `previous` or from `storage`.
  //
  // Pure: called again with another `previous` when the commit met a conflict, so it keeps no
  // state.
  Result<std::optional<ItemView>> apply(std::optional<ItemView> previous, Item& storage) const;

 private:
  enum class Kind : std::uint8_t { Put, Update, Delete, Expire, Check };
  WritePlan(Kind kind, TablePointer table, EncodedKey key, ItemView item,
            std::optional<Update> update, std::optional<Condition> condition)
      : kind_(kind),
        table_(std::move(table)),
        key_(std::move(key)),
        item_(item),
        update_(std::move(update)),
        condition_(std::move(condition)) {}

  Result<std::optional<ItemView>> apply_update(std::optional<ItemView> previous,
                                               Item& storage) const;
  Result<void> check_updated_size(ItemView updated) const;
  bool has_expired(std::optional<ItemView> previous) const;

  Kind kind_;
  TablePointer table_;
  EncodedKey key_;
  ItemView item_;  // what Put stores; the key of the others
  UpdatedSize measure_ = UpdatedSize::AsRequest;
  std::optional<Update> update_;
  std::optional<Condition> condition_;
  const ExpiryWindow* expired_ = nullptr;  // of Expire
};

}  // namespace partita
