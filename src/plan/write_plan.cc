#include "plan/write_plan.h"

#include "value/item_size.h"

namespace partita {

Result<WritePlan> WritePlan::put(TablePointer table, ItemView item,
                                 std::optional<Condition> condition) {
  PARTITA_TRY(EncodedKey key, key_of_item(table->key, item));
  PARTITA_CHECK(check_index_keys(*table, item, WrittenBy::Put));
  return WritePlan(Kind::Put, std::move(table), std::move(key), item, std::nullopt,
                   std::move(condition));
}

Result<WritePlan> WritePlan::update(TablePointer table, ItemView key_item,
                                    std::optional<Update> update,
                                    std::optional<Condition> condition, UpdatedSize measure) {
  PARTITA_TRY(EncodedKey key, key_of_request(table->key, key_item));
  if (update) {
    for (const auto* part : {&table->key.partition, &table->key.sort}) {
      for (const KeyAttribute& attribute : *part) {
        if (update->writes_top_level(attribute.name)) {
          return Error::validation(
              "One or more parameter values were invalid: Cannot update attribute " +
              attribute.name + ". This attribute is part of the key");
        }
      }
    }
    PARTITA_CHECK(check_index_key_types(*table, *update));
    PARTITA_CHECK(check_key_paths(*table, *update));
  }
  WritePlan plan(Kind::Update, std::move(table), std::move(key), key_item, std::move(update),
                 std::move(condition));
  plan.measure_ = measure;
  return plan;
}

Result<WritePlan> WritePlan::remove(TablePointer table, ItemView key_item,
                                    std::optional<Condition> condition) {
  PARTITA_TRY(EncodedKey key, key_of_request(table->key, key_item));
  return WritePlan(Kind::Delete, std::move(table), std::move(key), key_item, std::nullopt,
                   std::move(condition));
}

Result<WritePlan> WritePlan::expire(TablePointer table, ItemView key_item,
                                    const ExpiryWindow& window) {
  PARTITA_TRY(EncodedKey key, key_of_request(table->key, key_item));
  WritePlan plan(Kind::Expire, std::move(table), std::move(key), key_item, std::nullopt,
                 std::nullopt);
  plan.expired_ = &window;
  return plan;
}

Result<WritePlan> WritePlan::check(TablePointer table, ItemView key_item, Condition condition) {
  PARTITA_TRY(EncodedKey key, key_of_request(table->key, key_item));
  return WritePlan(Kind::Check, std::move(table), std::move(key), key_item, std::nullopt,
                   std::move(condition));
}

Result<std::optional<ItemView>> WritePlan::apply(std::optional<ItemView> previous,
                                                 Item& storage) const {
  if (condition_ && !condition_->holds(previous)) {
    return Error(ErrorCode::ConditionalCheckFailed, "The conditional request failed");
  }
  switch (kind_) {
    case Kind::Put:
      return std::optional<ItemView>(item_);
    case Kind::Delete:
      return std::optional<ItemView>();
    case Kind::Expire:
      if (has_expired(previous)) return std::optional<ItemView>();
      return Error(ErrorCode::ConditionalCheckFailed, "The item has not expired");
    case Kind::Update:
      return apply_update(previous, storage);
    case Kind::Check:
      return previous;
  }
  __builtin_unreachable();
}

bool WritePlan::has_expired(std::optional<ItemView> previous) const {
  if (!previous || !table_->expiry) return false;
  const std::optional<ValueView> value = previous->find(table_->expiry->attribute());
  return value && value->is(ValueType::N) && expired_->contains(value->ordered_number());
}

Result<std::optional<ItemView>> WritePlan::apply_update(std::optional<ItemView> previous,
                                                        Item& storage) const {
  if (!update_) {  // no expression: the item is created from its key, or stays as it is
    return std::optional<ItemView>(previous ? *previous : item_);
  }
  if (!previous && update_->only_removes()) return std::optional<ItemView>();  // nothing to create
  PARTITA_TRY(storage, update_->apply(previous ? *previous : item_));
  const ItemView updated = storage;
  // What AttributeUpdates put is worded like what an item puts.
  PARTITA_CHECK(check_index_keys(
      *table_, updated, update_->is_expression() ? WrittenBy::Update : WrittenBy::Put, previous));
  PARTITA_CHECK(check_updated_size(updated));
  return std::optional<ItemView>(updated);
}

// UpdateItem's limit is measured on the item as its request would carry it: without the key, with a
// map's overhead, and with 19 bytes for each action that writes a value and 2 for each that clears
// one; and the plain item must fit too.
Result<void> WritePlan::check_updated_size(ItemView updated) const {
  const std::size_t size = updated.size_bytes();
  const std::size_t as_request = size - item_.size_bytes() + 3 + 19 * update_->writing_actions() +
                                 2 * update_->clearing_actions();
  if (size > kItemBytesMax || (measure_ == UpdatedSize::AsRequest && as_request > kItemBytesMax)) {
    return updated_item_too_large();
  }
  return {};
}

}  // namespace partita
