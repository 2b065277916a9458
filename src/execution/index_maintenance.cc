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
  return IndexEntry{*std::move(key), project_to_index(table, index, *item)};
}

bool same_key(const IndexEntry& left, const IndexEntry& right) {
  return left.key.partition == right.key.partition && left.key.sort == right.key.sort;
}

std::int64_t size_of(const std::optional<IndexEntry>& entry) {
  return entry ? entry->item.view().size_bytes() : 0;
}

}  // namespace

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
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexSchema& index : *indexes) {
      IndexChange change{&index, entry_of(table, index, before), entry_of(table, index, after)};
      if (!change.before && !change.after) continue;
      if (change.before && change.after && same_key(*change.before, *change.after) &&
          change.before->item == change.after->item) {
        continue;
      }
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

void charge_index_changes(const std::vector<IndexChange>& changes, Charge& charge) {
  for (const IndexChange& change : changes) {
    const auto before = static_cast<std::size_t>(size_of(change.before));
    const auto after = static_cast<std::size_t>(size_of(change.after));
    double units = 0;
    if (change.before && change.after && same_key(*change.before, *change.after)) {
      units = write_units(std::max(before, after));
    } else {
      if (change.before) units += write_units(before);
      if (change.after) units += write_units(after);
    }
    charge.indexes.push_back({change.index, units});
  }
}

IndexBatches::IndexBatches(const EncodedKey& item_key, const std::vector<IndexChange>& changes) {
  for (const IndexChange& change : changes) {
    const IndexSchema& index = *change.index;
    const bool moved = change.before && change.after && !same_key(*change.before, *change.after);
    const std::optional<IndexEntry>& gone = change.before;
    const bool removes = gone && (!change.after || moved);

    if (!index.global) {
      // Rows beside the item; the index's own space holds nothing but its size.
      if (removes) local_edits_.push_back({{index.slot, gone->key.sort}, std::nullopt});
      if (change.after) {
        local_edits_.push_back(
            {{index.slot, change.after->key.sort}, change.after->item.view().bytes()});
      }
      parts_.push_back({item_key.in(index.space), {}, change.delta()});
      continue;
    }
    const bool same_partition =
        moved && change.before->key.partition == change.after->key.partition;
    if (removes && !same_partition) {
      parts_.push_back({gone->key.in(index.space),
                        {{{Slot::Item, gone->key.sort}, std::nullopt}},
                        {-1, -size_of(gone)}});
    }
    if (change.after) {
      const IndexEntry& entry = *change.after;
      Part part{entry.key.in(index.space), {}, {}};
      if (same_partition) part.edits.push_back({{Slot::Item, gone->key.sort}, std::nullopt});
      part.edits.push_back({{Slot::Item, entry.key.sort}, entry.item.view().bytes()});
      part.delta = removes && !same_partition ? Size{1, size_of(change.after)} : change.delta();
      parts_.push_back(std::move(part));
    }
  }
}

void IndexBatches::append_to(std::vector<PartitionBatch>& batches) const {
  for (const Part& part : parts_) {
    batches.push_back({part.partition, {}, part.edits, {}, part.delta});
  }
}

}  // namespace partita
