// Index maintenance: which index rows change when an item changes.
//
// A pure function of the item before and after. Local rows join the item's partition, global rows
// have partitions of their own. Both go into the item's commit, or global rows later into one of
// their own (jobs/index_follower.h).
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

// What one index keeps of an item: its keys and projected attributes.
class IndexEntry {
 public:
  // Borrows the item if the index keeps all of it.
  IndexEntry(const TableSchema& table, const IndexSchema& index, ItemView item);

  ItemView item() const { return projected_ ? ItemView(*projected_) : whole_; }

 private:
  ItemView whole_;
  std::optional<Item> projected_;
};

// What an index really holds at a place.
struct StoredEntry {
  EncodedKey key;
  Version version = 0;  // 0: nothing
  std::int64_t size_bytes = 0;
};

struct IndexChange {
  const IndexSchema* index = nullptr;
  std::optional<IndexEntry> before{};
  std::optional<IndexEntry> after{};
  bool in_place = false;   // both are there, in the same place
  EncodedKey old_place{};  // of `before`, unless it is in place
  EncodedKey new_place{};  // of `after`
  // Where the entry was and where it goes, looked up. Empty when there is no need to look: `before`
  // is stored, and `after` is not unless it is in place.
  std::vector<StoredEntry> stored{};

  Size delta() const;
};

// The part of `item` that `index` keeps.
Item project_to_index(const TableSchema& table, const IndexSchema& index, ItemView item);

// Indexes whose stored entry is the same before and after are left out. Borrows the items.
std::vector<IndexChange> index_changes(const TableSchema& table, const EncodedKey& item_key,
                                       std::optional<ItemView> before,
                                       std::optional<ItemView> after);

// The entry the item should have in this one index, as a change from nothing; none without one.
std::optional<IndexChange> new_entry(const TableSchema& table, const IndexSchema& index,
                                     const EncodedKey& item_key, ItemView item);

// Looks up the entries of global indexes that may lack some, or of all of them. The changes then
// hold only as long as what was found: the commit is guarded on it.
enum class LookUp : std::uint8_t { Unsettled, All };
Result<void> look_up_entries(Engine& engine, LookUp which, std::vector<IndexChange>& changes);

// What the changes cost: moving an entry is a delete and a put, each rounded for itself.
void charge_index_changes(const std::vector<IndexChange>& changes, Charge& charge);

// The changes as parts of a commit. Borrows from the changes and the item's partition key.
class IndexBatches {
 public:
  enum class Rows : std::uint8_t { All, Local, Global };
  // Adds global rows and the sizes of local indexes to `batches`, which borrow from here.
  IndexBatches(const EncodedKey& item_key, const std::vector<IndexChange>& changes, Rows rows,
               std::vector<PartitionBatch>& batches);
  IndexBatches(const IndexBatches&) = delete;
  IndexBatches& operator=(const IndexBatches&) = delete;

  // Local rows, to be added to the item's own batch.
  const std::vector<Edit>& local_edits() const { return local_edits_; }

 private:
  void add_local(const EncodedKey& item_key, const IndexChange& change);
  void add_global(const IndexChange& change);
  void add_looked_up(const IndexChange& change);
  PartitionBatch& add_batch(const Partition& partition, Size delta);
  void set_edit(PartitionBatch& batch, const RowKey& row, std::optional<Bytes> value);

  std::vector<PartitionBatch>& batches_;
  std::vector<Edit> local_edits_;
  std::vector<Edit> edits_;    // has room for all from the start
  std::vector<Guard> guards_;  // likewise
};

}  // namespace partita
