// explain: what an operation would send, by which index, and what it would cost.
//
//   std::cout << explain(dinosaurs.query<"by_diet">(Diet::carnivore).limit(20)).value().text();
//   EXPECT_EQ(explain(dinosaurs.create(rex)).value().write_units, 5);
//
// Nothing is written. Writes that depend on what is there (unique values, read_modify_write) read
// it; the create of a numbered entity takes a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "partita/model/query.h"
#include "partita/model/transaction.h"
#include "partita/model/write_set.h"

namespace partita::model {

// What is not known before: how large items are, and how many a query meets without a limit.
struct Assumptions {
  std::int64_t item_bytes = 1024;
  std::int64_t items = 100;
};

struct Explanation {
  std::string operation{};              // "Query", "TransactWriteItems", …
  std::string index{};                  // empty: the table
  std::vector<std::string> requests{};  // DynamoDB's JSON, and a line when items are then got whole
  double read_units = 0;
  double write_units = 0;

  std::string text() const;
};

namespace detail {

Explanation explain_writes(const Store& store, WriteSet& writes);
Explanation explain_query(QuerySpec& spec, const Assumptions& assumed);
Explanation explain_get(const Store& store, ItemView key, bool consistent,
                        const Assumptions& assumed);

}  // namespace detail

// Of a create, put, update, upsert, remove or check.
template <typename Operation>
requires requires(Operation& operation, WriteSet& writes) { operation.prepare(writes); }
Result<Explanation> explain(Operation&& operation) {
  WriteSet writes;
  PARTITA_CHECK(operation.prepare(writes));
  return detail::explain_writes(operation.store(), writes);
}

// Of all that a transaction would write.
inline Result<Explanation> explain(Transaction& transaction) {
  PARTITA_TRY(WriteSet* const writes, transaction.prepared());
  return detail::explain_writes(transaction.store(), *writes);
}

template <typename Entity>
Result<Explanation> explain(Get<Entity> get, const Assumptions& assumed = {}) {
  PARTITA_TRY(const Item key, get.prepare());
  return detail::explain_get(get.store(), key, get.is_consistent(), assumed);
}

// Of a query or scan, also of chosen members or a collection.
template <typename Row>
Result<Explanation> explain(ResultReader<Row>& reader, const Assumptions& assumed = {}) {
  PARTITA_TRY(QuerySpec* const spec, reader.spec());
  return detail::explain_query(*spec, assumed);
}
template <typename Row>
Result<Explanation> explain(ResultReader<Row>&& reader, const Assumptions& assumed = {}) {
  return explain(reader, assumed);
}

}  // namespace partita::model
