#include "execution/index_maintenance.h"

#include <algorithm>

#include "value/item_encoding.h"

namespace partita {

namespace {

bool same_place(const EncodedKey& left, const EncodedKey& right) {
  return left.partition == right.partition && left.sort == right.sort;
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
  if (change.before && !change.in_place) PARTITA_CHECK(find(change.old_place));
  if (change.after) PARTITA_CHECK(find(change.new_place));
  return {};
}

// The item before or after a change; all indexes look for their keys in it.
struct Image {
  ItemView item;
  AttributeFinder attributes;
  explicit Image(ItemView image) : item(image), attributes(image) {}
};

std::optional<Image> image_of(std::optional<ItemView> item) {
  return item ? std::optional<Image>(*item) : std::nullopt;
}

// False when the index has nothing to do.
bool decide(const TableSchema& table, const EncodedKey& item_key, std::optional<Image>& before,
            std::optional<Image>& after, IndexChange& change) {
  const IndexSchema& index = *change.index;
  const bool takes_entries = index.phase != IndexPhase::Joining;
  const auto old_key = before ? index_key_values(index, before->attributes) : std::nullopt;
  const auto new_key =
      after && takes_entries ? index_key_values(index, after->attributes) : std::nullopt;
  if (!old_key && !new_key) return false;
  change.in_place = old_key && new_key && *old_key == *new_key;
  // Its entries hold nothing but what their place is made of.
  if (change.in_place && index.by_expiry && index.phase == IndexPhase::Serving) return false;
  if (old_key) change.before.emplace(table, index, before->item);
  if (new_key) change.after.emplace(table, index, after->item);
  // The same entry; but one that should be there may be missing until the index has settled.
  if (change.in_place && index.phase == IndexPhase::Serving &&
      change.before->item() == change.after->item()) {
    return false;
  }
  if (old_key && !change.in_place) change.old_place = place_in_index(index, *old_key, item_key);
  if (new_key) change.new_place = place_in_index(index, *new_key, item_key);
  return true;
}

}  // namespace

IndexEntry::IndexEntry(const TableSchema& table, const IndexSchema& index, ItemView item)
    : whole_(item) {
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

std::vector<IndexChange> index_changes(const TableSchema& table, const EncodedKey& item_key,
                                       std::optional<ItemView> before,
                                       std::optional<ItemView> after) {
  std::vector<IndexChange> changes;
  changes.reserve(table.local_indexes.size() + table.global_indexes.size() +
                  (table.expiry ? 1 : 0));
  std::optional<Image> old_image = image_of(before), new_image = image_of(after);
  const auto add = [&](const IndexSchema& index) {
    if (index.phase == IndexPhase::Leaving) return;
    IndexChange& change = changes.emplace_back();  // made in place: it is large
    change.index = &index;
    if (!decide(table, item_key, old_image, new_image, change)) changes.pop_back();
  };
  for (const IndexSchema& index : table.local_indexes) add(index);
  for (const IndexSchema& index : table.global_indexes) add(index);
  if (table.expiry) add(table.expiry->index);
  return changes;
}

std::optional<IndexChange> new_entry(const TableSchema& table, const IndexSchema& index,
                                     const EncodedKey& item_key, ItemView item) {
  IndexChange change{&index};
  std::optional<Image> nothing, image(item);
  if (!decide(table, item_key, nothing, image, change)) return std::nullopt;
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
  charge.indexes.reserve(charge.indexes.size() + changes.size());
  for (const IndexChange& change : changes) {
    if (change.index->by_expiry) continue;  // nobody sees it, and nobody pays for it
    const auto before = static_cast<std::size_t>(size_of(change.before));
    const auto after = static_cast<std::size_t>(size_of(change.after));
    double units = 0;
    if (change.in_place) {
      const bool settled = change.index->phase == IndexPhase::Serving;
      if (!settled && change.before->item() == change.after->item()) continue;
      units = write_units(std::max(before, after));
    } else {
      if (change.before) units += write_units(before);
      if (change.after) units += write_units(after);
    }
    const EncodedKey& place = change.after ? change.new_place : change.old_place;
    charge.indexes.push_back({change.index, units, place.hash});
  }
}

IndexBatches::IndexBatches(const EncodedKey& item_key, const std::vector<IndexChange>& changes,
                           Rows rows, std::vector<PartitionBatch>& batches)
    : batches_(batches) {
  edits_.reserve(2 * changes.size());
  batches_.reserve(batches_.size() + 2 * changes.size());
  for (const IndexChange& change : changes) {
    if (!change.index->global) {
      if (rows != Rows::Global) add_local(item_key, change);
    } else if (rows != Rows::Local) {
      if (change.stored.empty()) {
        add_global(change);
      } else {
        guards_.reserve(2 * changes.size());
        add_looked_up(change);
      }
    }
  }
}

PartitionBatch& IndexBatches::add_batch(const Partition& partition, Size delta) {
  PartitionBatch& batch = batches_.emplace_back();
  batch.partition = partition;
  batch.delta = delta;
  batch.keeps_partition_size = false;
  return batch;
}

void IndexBatches::set_edit(PartitionBatch& batch, const RowKey& row, std::optional<Bytes> value) {
  batch.edits = std::span(&edits_.emplace_back(Edit{row, value}), 1);
}

// Rows beside the item; the index's own space holds nothing but its size.
void IndexBatches::add_local(const EncodedKey& item_key, const IndexChange& change) {
  const Slot slot = change.index->slot;
  if (change.before && !change.in_place) {
    local_edits_.push_back({{slot, change.old_place.sort}, std::nullopt});
  }
  if (change.after) {
    local_edits_.push_back({{slot, change.new_place.sort}, change.after->item().bytes()});
  }
  // A collection's size counts its local entries; global ones are in none.
  add_batch(item_key.in(change.index->space), change.delta()).keeps_partition_size = true;
}

void IndexBatches::add_global(const IndexChange& change) {
  const SpaceId space = change.index->space;
  if (change.before && !change.in_place) {
    set_edit(add_batch(change.old_place.in(space), {-1, -size_of(change.before)}),
             {Slot::Item, change.old_place.sort}, std::nullopt);
  }
  if (change.after) {
    const Size delta = change.in_place ? change.delta() : Size{1, size_of(change.after)};
    set_edit(add_batch(change.new_place.in(space), delta), {Slot::Item, change.new_place.sort},
             change.after->item().bytes());
  }
}

// Whatever is found where the entry was and where it goes, in the end only `after` is there.
void IndexBatches::add_looked_up(const IndexChange& change) {
  for (const StoredEntry& stored : change.stored) {
    PartitionBatch& batch = add_batch(stored.key.in(change.index->space), {});
    const RowKey row{Slot::Item, stored.key.sort};
    batch.guards = std::span(&guards_.emplace_back(Guard{row, stored.version}), 1);
    const bool there = stored.version != 0;
    if (change.after && same_place(stored.key, change.new_place)) {
      set_edit(batch, row, change.after->item().bytes());
      batch.delta = {there ? 0 : 1, size_of(change.after) - stored.size_bytes};
    } else if (there) {
      set_edit(batch, row, std::nullopt);
      batch.delta = {-1, -stored.size_bytes};
    }
  }
}

}  // namespace partita
