#include "catalog/table_lifecycle.h"

namespace partita {

void enter_status(TableSchema& table, TableStatus status, std::chrono::milliseconds delay,
                  TimePoint now) {
  const bool over_at_once = delay.count() <= 0 && status != TableStatus::Deleting;
  table.status = over_at_once ? TableStatus::Active : status;
  table.status_since = now;
  table.status_until = now + delay;
}

bool is_delayed(const TableSchema& table, TimePoint now) {
  return table.status != TableStatus::Active && now < table.status_until &&
         now + kClockLateMax >= table.status_since;
}

TableStatus status_at(const TableSchema& table, TimePoint now) {
  if (table.status == TableStatus::Deleting) return TableStatus::Deleting;
  if (is_delayed(table, now)) return table.status;
  // Once a new index fills in the background, the table can be changed again.
  const IndexSchema* index = table.unsettled_index();
  return index && !index->backfilling ? TableStatus::Updating : TableStatus::Active;
}

bool fills_visibly(std::int64_t items) {
  constexpr std::int64_t kQuietItemsMax = 2000;
  return items > kQuietItemsMax;
}

bool is_gone(const TableSchema& table, TimePoint now) {
  return table.status == TableStatus::Deleting && !is_delayed(table, now);
}

bool serves_items(const TableSchema& table, TimePoint now) {
  switch (table.status) {
    case TableStatus::Active:
    case TableStatus::Updating:
      return true;
    case TableStatus::Creating:
      return !is_delayed(table, now);
    case TableStatus::Deleting:
      return false;
  }
  return false;
}

}  // namespace partita
