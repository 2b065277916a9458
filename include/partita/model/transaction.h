// Transactions: several operations on items of any entities of a table happen, or none.
//
//   Transaction transaction(table);
//   transaction.add(dinosaurs.create(rex))
//       .add(dinosaurs.update("ann").add<&Dinosaur::age>(1))
//       .add(rangers.check("bob").when(field<&Ranger::on_duty> == true));
//   if (auto done = transaction.run(); !done) {
//     for (const Refusal& refusal : transaction.refusals()) …  // which operation, entity, why
//   }
//
// Snapshot reads several items as they were at one moment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "partita/model/operation.h"

namespace partita::model {

// Why an operation of a transaction was not carried out.
struct Refusal {
  std::size_t operation = 0;  // in the order of add
  std::string_view entity{};
  ErrorCode code{};  // ConditionalCheckFailed, NotUnique, StaleVersion, TransactionConflict, …
  std::string message{};
  std::optional<Item> item{};  // what the condition met

  // The item as an object of its entity.
  template <const auto& Definition>
  std::optional<typename EntityOf<Definition>::Object> existing() const {
    if (!item) return std::nullopt;
    auto decoded = EntityOf<Definition>::decode(*item);
    return decoded ? std::move(*decoded) : std::nullopt;
  }
};

class Transaction {
 public:
  explicit Transaction(const Store& store) : store_(&store) {}

  // A create, put, update, upsert, remove or check.
  template <typename Operation>
  Transaction& add(Operation&& operation) {
    note(operation.prepare(writes_));
    return *this;
  }
  // A transaction given again with the same token within ten minutes happens once.
  Transaction& token(std::string token) { return token_ = std::move(token), *this; }

  // At most 100 items, none of them twice. The error tells what was refused, operation by
  // operation.
  Result<void> run();
  // What would be written: for explain.
  Result<WriteSet*> prepared();
  const Store& store() const { return *store_; }
  // After a run that failed.
  const std::vector<Refusal>& refusals() const { return refusals_; }

 private:
  void note(Result<void> done);

  const Store* store_;
  WriteSet writes_;
  Result<void> status_;
  std::optional<std::string> token_;
  std::vector<Refusal> refusals_;
};

// Items read together, in the order they were asked for.
class ReadItems {
 public:
  explicit ReadItems(std::vector<std::optional<Item>> items) : items_(std::move(items)) {}

  std::size_t size() const { return items_.size(); }
  // As they are stored.
  std::vector<std::optional<Item>> take() && { return std::move(items_); }
  // The item of the get that was added as this one, if it was there.
  template <const auto& Definition>
  Result<std::optional<typename EntityOf<Definition>::Object>> at(std::size_t index) const {
    return detail::decode_optional<EntityOf<Definition>>(items_[index]);
  }
  // All items of one entity.
  template <const auto& Definition>
  Result<std::vector<typename EntityOf<Definition>::Object>> of() const {
    std::vector<typename EntityOf<Definition>::Object> found;
    for (const std::optional<Item>& item : items_) {
      PARTITA_TRY(auto object, detail::decode_optional<EntityOf<Definition>>(item));
      if (object) found.push_back(std::move(*object));
    }
    return found;
  }

 private:
  std::vector<std::optional<Item>> items_;
};

namespace detail {

// Keys of gets that are sent together.
class ReadSet {
 public:
  explicit ReadSet(const Store& store) : store_(&store) {}

 protected:
  void note(Result<Item> key);

  const Store* store_;
  std::vector<Item> keys_;
  Result<void> status_;
};

}  // namespace detail

class Snapshot : detail::ReadSet {
 public:
  explicit Snapshot(const Store& store) : ReadSet(store) {}
  template <typename Get>
  Snapshot& add(Get&& get) {
    note(get.prepare());
    return *this;
  }
  // At most 100 items.
  Result<ReadItems> run();
};

}  // namespace partita::model
