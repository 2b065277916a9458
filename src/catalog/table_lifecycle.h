// CREATING, UPDATING and DELETING last for Options::table_delay. No timer ends them: what a table's
// status is follows from what was stored and the moment of asking. While an index comes or goes a
// table is UPDATING for as long as that takes.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "catalog/table_schema.h"

namespace partita {

// Without a delay CREATING and UPDATING are over before they begin, and the clock has no say in it:
// a clock set back must not hide a table.
void enter_status(TableSchema& table, TableStatus status, std::chrono::milliseconds delay,
                  TimePoint now);

// Is the delay of its status under way? It is over too once the clock was set back before its
// beginning.
bool is_delayed(const TableSchema& table, TimePoint now);

TableStatus status_at(const TableSchema& table, TimePoint now);

// Its deletion is over: nobody sees it any more, and its name is free.
bool is_gone(const TableSchema& table, TimePoint now);

// A table with so many items shows that an index of it is being filled, or time to live ENABLING;
// with fewer that would be over before anybody could look.
bool fills_visibly(std::int64_t items);

// ACTIVE or UPDATING: items can be read and written.
bool serves_items(const TableSchema& table, TimePoint now);

}  // namespace partita
