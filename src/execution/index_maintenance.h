// Index maintenance: which index rows change when an item changes.
//
// A pure function of the item before and after. Local rows join the item's partition, global rows
// have partitions of their own; both go into the item's commit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "partita/item.h"

#include "catalog/table_schema.h"
#include "execution/capacity.h"
#include "plan/item_rules.h"
#include "storage/engine.h"

namespace partita {

// An item's entry in one index.
struct IndexEntry {
  EncodedKey key;
  Item item;  // keys and projected attributes
};

struct IndexChange {
  const IndexSchema* index;
  std::optional<IndexEntry> before;
  std::optional<IndexEntry> after;

  Size delta() const;
};

// The part of `item` that `index` keeps.
Item project_to_index(const TableSchema& table, const IndexSchema& index, ItemView item);

// Indexes whose stored entry is the same before and after are left out.
std::vector<IndexChange> index_changes(const TableSchema& table, std::optional<ItemView> before,
                                       std::optional<ItemView> after);

// What the changes cost: moving an entry is a delete and a put, each rounded for itself.
void charge_index_changes(const std::vector<IndexChange>& changes, Charge& charge);

// The changes as parts of a commit. Borrows from the changes and the item's partition key.
class IndexBatches {
 public:
  IndexBatches(const EncodedKey& item_key, const std::vector<IndexChange>& changes);

  // Local rows, to be added to the item's own batch.
  const std::vector<Edit>& local_edits() const { return local_edits_; }
  // Global rows, and the sizes of local indexes.
  void append_to(std::vector<PartitionBatch>& batches) const;

 private:
  struct Part {
    Partition partition;
    std::vector<Edit> edits;
    Size delta;
  };
  std::vector<Edit> local_edits_;
  std::vector<Part> parts_;
};

}  // namespace partita
