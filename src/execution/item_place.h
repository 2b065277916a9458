// ItemPlace: which item, exactly. What latches are shared out by and open transactions go by.
#pragma once

#include <cstddef>
#include <functional>

#include "plan/write_plan.h"
#include "storage/partition.h"

namespace partita {

// Borrows the key.
struct ItemPlace {
  Partition partition;
  Bytes sort;

  ItemPlace(const TableSchema& table, const EncodedKey& key)
      : partition(key.in(table.space)), sort(key.sort) {}
  explicit ItemPlace(const WritePlan& plan) : ItemPlace(plan.table(), plan.key()) {}

  RowKey row() const { return {Slot::Item, sort}; }

  std::size_t hash() const {
    return partition.hash ^ (std::hash<Bytes>()(sort) * 0x9E3779B97F4A7C15u) ^
           (std::size_t{partition.space} * 0xBF58476D1CE4E5B9u);
  }
  friend bool operator==(const ItemPlace& left, const ItemPlace& right) {
    return left.partition.hash == right.partition.hash &&
           left.partition.space == right.partition.space &&
           left.partition.key == right.partition.key && left.sort == right.sort;
  }
};

}  // namespace partita
