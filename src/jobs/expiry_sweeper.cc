#include "jobs/expiry_sweeper.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "catalog/table_lifecycle.h"
#include "plan/item_rules.h"
#include "value/item_encoding.h"
#include "value/key_encoding.h"
#include "value/number.h"

namespace partita {
namespace {

constexpr std::size_t kRowsPerRead = 100;
constexpr std::size_t kDeletionsPerPiece = 500;  // others want their turn

// What expired longer ago stays: more likely than not its attribute is no moment in seconds.
constexpr std::chrono::years kForgottenAfter{5};

// Seconds since 1970, with their fraction.
OrderedNumber as_number(TimePoint time) {
  const std::int64_t ms = time.time_since_epoch().count();
  const std::int64_t size = ms < 0 ? -ms : ms;
  char text[40];
  std::snprintf(text, sizeof text, "%s%lld.%03d", ms < 0 ? "-" : "",
                static_cast<long long>(size / 1000), static_cast<int>(size % 1000));
  const auto number = parse_number(text);
  assert(number.has_value());  // a clock has far fewer digits than a number may
  return *number;
}

std::string as_key(const OrderedNumber& number) {
  std::string key;
  append_key_component(Value::ordered_number(number.bytes()).view(), key);
  return key;
}

// The table's key of an index row.
Item key_in(const TableSchema& table, ItemView row) {
  std::vector<Attribute> kept;
  for (const Attribute attribute : row) {
    if (table.key.names(attribute.name)) kept.push_back(attribute);
  }
  std::string encoded;
  append_item(kept, encoded);
  return Item::from_encoded(std::move(encoded));
}

}  // namespace

Result<bool> ExpirySweeper::run(TimePoint now, std::size_t& deleted) {
  const std::lock_guard lock(sweeping_);
  const ExpiryWindow window{as_number(now - kForgottenAfter), as_number(now - delay_)};
  Result<bool> more = false;  // or the last failure, which holds up no other table
  for (const TablePointer& table : catalog_.tables(now)) {
    const bool enabled = table->expiry && table->expiry->index.phase == IndexPhase::Serving;
    if (!enabled || !serves_items(*table, now)) continue;
    for (unsigned part = 0; part < kExpiryParts; ++part) {
      Result<bool> rest = sweep(table, window, part, now, deleted);
      if (!rest || (more && *rest)) more = std::move(rest);
    }
  }
  return more;
}

Result<bool> ExpirySweeper::sweep(const TablePointer& table, const ExpiryWindow& window,
                                  unsigned part, TimePoint now, std::size_t& deleted) {
  const std::string partition_key = expiry_partition(part);
  const Partition partition{table->expiry->index.space, partition_hash(partition_key),
                            partition_key};
  KeyRange range{.lower = as_key(window.from), .upper = as_key(window.until)};
  for (std::size_t here = 0; here < kDeletionsPerPiece;) {
    std::vector<Item> keys;  // a sink may not call the engine
    std::string last;
    PARTITA_CHECK(engine_.range(partition, range, Direction::Forward,
                                {static_cast<std::uint32_t>(kRowsPerRead), 0}, nullptr,
                                [&](const RowView& row) {
                                  keys.push_back(key_in(*table, ItemView(row.value)));
                                  last = row.key.sort;
                                  return keys.size() < kRowsPerRead;
                                }));
    range.after = last;
    for (const Item& key : keys) {
      PARTITA_TRY(const bool gone, expire(table, window, key, now));
      if (gone) ++here, ++deleted;
    }
    if (keys.size() < kRowsPerRead) return false;
  }
  return true;
}

Result<bool> ExpirySweeper::expire(const TablePointer& table, const ExpiryWindow& window,
                                   ItemView key, TimePoint now) {
  PARTITA_TRY(const WritePlan plan, WritePlan::expire(table, key, window));
  Version version = 0;  // nobody waits for it
  auto written = executor_.write(plan, {.by_expiry = true}, now, version);
  if (written) return true;
  switch (written.error().code()) {
    case ErrorCode::ConditionalCheckFailed:  // written anew since it was found
    case ErrorCode::TransactionConflict:
      return false;
    default:
      return std::move(written).error();
  }
}

}  // namespace partita
