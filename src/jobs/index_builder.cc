#include "jobs/index_builder.h"

#include <algorithm>
#include <vector>

#include "catalog/table_lifecycle.h"

namespace partita {
namespace {

constexpr std::size_t kItemsPerPiece = 500;

IndexSchema& index_in(TableSchema& table, SpaceId space) {
  if (table.expiry && table.expiry->index.space == space) return table.expiry->index;
  return *std::find_if(table.global_indexes.begin(), table.global_indexes.end(),
                       [space](const IndexSchema& index) { return index.space == space; });
}

// Definitions of attributes that are no key of anything are not shown.
void forget_unused_definitions(TableSchema& table) {
  std::erase_if(table.attribute_definitions, [&](const AttributeDefinition& definition) {
    if (table.key.names(definition.name)) return false;
    for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
      for (const IndexSchema& index : *indexes) {
        if (index.key.names(definition.name)) return false;
      }
    }
    return true;
  });
}

}  // namespace

IndexBuilder::Left IndexBuilder::run(TimePoint now) {
  Left left = Left::Nothing;
  std::vector<SpaceId> unsettled;
  for (const TablePointer& table : catalog_.tables(now)) {
    if (!table->is_unsettled() || !serves_items(*table, now)) continue;
    const IndexSchema* const index = table->unsettled_index();
    const IndexSchema* const expiry = table->unsettled_expiry();
    for (const IndexSchema* one : {index, expiry}) {
      if (one) unsettled.push_back(one->space);
    }
    // One at a time, as a step may change the table: the other has its turn in the next run.
    const bool index_first = index && (!expiry || (turn_ ^= 1) != 0);
    const Result<Left> outcome = advance(table, index_first ? *index : *expiry, now);
    // What failed, a full disk say, is tried again later.
    left = std::max(left, outcome ? *outcome : Left::Waiting);
  }
  std::erase_if(backfills_, [&](const auto& backfill) {
    return std::find(unsettled.begin(), unsettled.end(), backfill.first) == unsettled.end();
  });
  return left;
}

Result<IndexBuilder::Left> IndexBuilder::advance(const TablePointer& table,
                                                 const IndexSchema& index, TimePoint now) {
  const bool delayed = is_delayed(*table, now);
  const bool under_way = index.phase == IndexPhase::Filling && backfills_[index.space].started;
  if (delayed || (!under_way && catalog_.superseded_in_use(*table))) return Left::Waiting;
  switch (index.phase) {
    case IndexPhase::Joining:
      return begin_filling(table, index, now);
    case IndexPhase::Filling:
      return fill(table, index, now);
    case IndexPhase::Leaving:
      return remove(table, index, now);
    case IndexPhase::Serving:
      break;
  }
  return Left::Nothing;
}

Result<IndexBuilder::Left> IndexBuilder::begin_filling(const TablePointer& table,
                                                       const IndexSchema& index, TimePoint now) {
  PARTITA_TRY(const Size size, engine_.size(table->space));
  TableSchema filling = *table;
  IndexSchema& changed = index_in(filling, index.space);
  changed.phase = IndexPhase::Filling;
  changed.backfilling = fills_visibly(size.items);
  return change(table, std::move(filling), now);
}

Result<IndexBuilder::Left> IndexBuilder::fill(const TablePointer& table, const IndexSchema& index,
                                              TimePoint now) {
  Backfill& backfill = backfills_[index.space];
  backfill.started = true;
  if (!backfill.finished) {
    PARTITA_CHECK(fill_piece(*table, index, backfill, now));
    if (!backfill.finished) return Left::Work;
  }
  PARTITA_TRY(const bool passed, follower_passed(*table, backfill));
  if (!passed) return Left::Waiting;
  TableSchema serving = *table;
  IndexSchema& changed = index_in(serving, index.space);
  changed.phase = IndexPhase::Serving;
  changed.backfilling = false;
  return change(table, std::move(serving), now);
}

Result<void> IndexBuilder::fill_piece(const TableSchema& table, const IndexSchema& index,
                                      Backfill& backfill, TimePoint now) {
  std::vector<EncodedKey> items;  // with an entry in the index
  std::optional<EncodedKey> last = backfill.last;
  std::size_t seen = 0;
  std::optional<ScanStart> start;
  if (backfill.last) {
    start = ScanStart{backfill.last->hash, backfill.last->partition, backfill.last->sort};
  }
  PARTITA_CHECK(engine_.scan(table.space, Slot::Item, HashRange{}, start, {kItemsPerPiece, 0},
                             nullptr, [&](const RowView& row) {
                               last = EncodedKey{std::string(row.partition.key),
                                                 std::string(row.key.sort), row.partition.hash};
                               AttributeFinder attributes{ItemView(row.value)};
                               if (index_key_values(index, attributes)) items.push_back(*last);
                               return ++seen < kItemsPerPiece;
                             }));
  for (const EncodedKey& item : items) {
    PARTITA_CHECK(executor_.fill_index(table, index, item, now));
  }
  backfill.last = std::move(last);
  backfill.finished = seen < kItemsPerPiece;
  return {};
}

// An item may have been taken into the index in a state that the follower has yet to come to. Until
// it has, the index would seem to go back in time.
Result<bool> IndexBuilder::follower_passed(const TableSchema& table, Backfill& backfill) {
  if (!follower_) return true;
  if (!backfill.marks) {
    PARTITA_TRY(backfill.marks, follower_->mark(table));
  }
  return follower_->passed(table, *backfill.marks);
}

Result<IndexBuilder::Left> IndexBuilder::remove(const TablePointer& table, const IndexSchema& index,
                                                TimePoint now) {
  TableSchema without = *table;
  if (index.by_expiry) {
    without.expiry.reset();
  } else {
    std::erase_if(without.global_indexes,
                  [space = index.space](const IndexSchema& one) { return one.space == space; });
    forget_unused_definitions(without);
  }
  return change(table, std::move(without), now);
}

// Somebody else may have changed the table in between; then the next run decides again.
Result<IndexBuilder::Left> IndexBuilder::change(const TablePointer& table, TableSchema schema,
                                                TimePoint now) {
  auto changed = catalog_.update(table, std::move(schema), now);
  if (!changed && changed.error().code() != ErrorCode::Conflict) return std::move(changed).error();
  return Left::Work;
}

}  // namespace partita
