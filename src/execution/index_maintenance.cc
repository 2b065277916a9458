#include "execution/index_maintenance.h"

#include <algorithm>

#include "value/item_encoding.h"

namespace partita {

namespace {

std::optional<IndexEntry> entry_of(const TableSchema& table, const IndexSchema& index,
                                   std::optional<ItemView> item) {
  if (!item) return std::nullopt;
  std::optional<EncodedKey> key = key_in_index(table, index, *item);
  if (!key) return std::nullopt;
  return IndexEntry(table, index, *std::move(key), *item);
}

bool same_place(const EncodedKey& left, const EncodedKey& right) {
  return left.partition == right.partition && left.sort == right.sort;
}

// The entry stays where it is, perhaps with other content.
bool in_place(const IndexChange& change) {
  return change.before && change.after && same_place(change.before->key, change.after->key);
}

std::int64_t size_of(const std::optional<IndexEntry>& entry) {
  return entry ? entry->item().size_bytes() : 0;
}

Result<void> look_up(Engine& engine, IndexChange& change) {
  const auto find = [&](const EncodedKey& key) -> Result<void> {
    StoredEntry found{key};
    const RowKey row_key{Slot::Item, key.sort};
    PARTITA_CHECK(engine.get(key.in(change.index->space), std::span(&row_key, 1), nullptr,
                             [&](const RowView& row) {
                               found.version = row.version;
                               found.size_bytes = ItemView(row.value).size_bytes();
                               return true;
                             }));
    change.stored.push_back(std::move(found));
    return {};
  };
  change.stored.clear();
  if (change.before) PARTITA_CHECK(find(change.before->key));
  if (change.after && !in_place(change)) PARTITA_CHECK(find(change.after->key));
  return {};
}

}  // namespace

IndexEntry::IndexEntry(const TableSchema& table, const IndexSchema& index, EncodedKey place,
                       ItemView item)
    : key(std::move(place)), whole_(item) {
  if (index.projection != ProjectionType::All) projected_ = project_to_index(table, index, item);
}

Size IndexChange::delta() const {
  return {
      static_cast<std::int64_t>(after.has_value()) - static_cast<std::int64_t>(before.has_value()),
      size_of(after) - size_of(before)};
}

Item project_to_index(const TableSchema& table, const IndexSchema& index, ItemView item) {
  if (index.projection == ProjectionType::All) return Item(item);
  std::vector<Attribute> kept;
  for (const Attribute attribute : item) {
    if (index_keeps(table, index, attribute.name)) kept.push_back(attribute);
  }
  std::string encoded;
  append_item(kept, encoded);
  return Item::from_encoded(std::move(encoded));
}

std::vector<IndexChange> index_changes(const TableSchema& table, std::optional<ItemView> before,
                                       std::optional<ItemView> after) {
  std::vector<IndexChange> changes;
  changes.reserve(table.local_indexes.size() + table.global_indexes.size());
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexSchema& index : *indexes) {
      if (index.phase == IndexPhase::Leaving) continue;
      IndexChange change{&index, entry_of(table, index, before), std::nullopt};
      if (index.phase != IndexPhase::Joining) change.after = entry_of(table, index, after);
      if (!change.before && !change.after) continue;
      // The same entry; but one that should be there may be missing until the index has settled.
      if (in_place(change) && change.before->item() == change.after->item() &&
          index.phase == IndexPhase::Serving) {
        continue;
      }
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

std::optional<IndexChange> new_entry(const TableSchema& table, const IndexSchema& index,
                                     ItemView item) {
  IndexChange change{&index, std::nullopt, entry_of(table, index, item)};
  if (!change.after) return std::nullopt;
  return change;
}

Result<void> look_up_entries(Engine& engine, LookUp which, std::vector<IndexChange>& changes) {
  for (IndexChange& change : changes) {
    if (!change.index->global) continue;
    if (which == LookUp::Unsettled && change.index->phase == IndexPhase::Serving) continue;
    PARTITA_CHECK(look_up(engine, change));
  }
  return {};
}

void charge_index_changes(const std::vector<IndexChange>& changes, Charge& charge) {
  for (const IndexChange& change : changes) {
    const auto before = static_cast<std::size_t>(size_of(change.before));
    const auto after = static_cast<std::size_t>(size_of(change.after));
    double units = 0;
    if (in_place(change)) {
      if (change.before->item() == change.after->item()) continue;
      units = write_units(std::max(before, after));
    } else {
      if (change.before) units += write_units(before);
      if (change.after) units += write_units(after);
    }
    charge.indexes.push_back({change.index, units});
  }
}

IndexBatches::IndexBatches(const EncodedKey& item_key, const std::vector<IndexChange>& changes,
                           Rows rows) {
  parts_.reserve(2 * changes.size());
  for (const IndexChange& change : changes) {
    if (!change.index->global) {
      if (rows != Rows::Global) add_local(item_key, change);
    } else if (rows != Rows::Local) {
      change.stored.empty() ? add_global(change) : add_looked_up(change);
    }
  }
}

// Rows beside the item; the index's own space holds nothing but its size.
void IndexBatches::add_local(const EncodedKey& item_key, const IndexChange& change) {
  const Slot slot = change.index->slot;
  if (change.before && !in_place(change)) {
    local_edits_.push_back({{slot, change.before->key.sort}, std::nullopt});
  }
  if (change.after) {
    local_edits_.push_back({{slot, change.after->key.sort}, change.after->item().bytes()});
  }
  parts_.push_back({item_key.in(change.index->space), {}, change.delta()});
}

void IndexBatches::add_global(const IndexChange& change) {
  const SpaceId space = change.index->space;
  if (change.before && !in_place(change)) {
    const EncodedKey& gone = change.before->key;
    parts_.push_back(
        {gone.in(space), {{{Slot::Item, gone.sort}, std::nullopt}}, {-1, -size_of(change.before)}});
  }
  if (change.after) {
    const IndexEntry& entry = *change.after;
    parts_.push_back({entry.key.in(space),
                      {{{Slot::Item, entry.key.sort}, entry.item().bytes()}},
                      in_place(change) ? change.delta() : Size{1, size_of(change.after)}});
  }
}

// Whatever is found where the entry was and where it goes, in the end only `after` is there.
void IndexBatches::add_looked_up(const IndexChange& change) {
  for (const StoredEntry& stored : change.stored) {
    Part part{stored.key.in(change.index->space), {}, {}};
    const RowKey row{Slot::Item, stored.key.sort};
    part.guard = Guard{row, stored.version};
    const bool there = stored.version != 0;
    if (change.after && same_place(stored.key, change.after->key)) {
      part.edits.push_back({row, change.after->item().bytes()});
      part.delta = {there ? 0 : 1, size_of(change.after) - stored.size_bytes};
    } else if (there) {
      part.edits.push_back({row, std::nullopt});
      part.delta = {-1, -stored.size_bytes};
    }
    parts_.push_back(std::move(part));
  }
}

void IndexBatches::append_to(std::vector<PartitionBatch>& batches) const {
  for (const Part& part : parts_) {
    const std::span<const Guard> guards(part.guard ? &*part.guard : nullptr, part.guard ? 1 : 0);
    batches.push_back({part.partition, guards, part.edits, {}, part.delta});
  }
}

}  // namespace partita
