// DistinctKeys: whether a request names an item twice.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <unordered_set>

#include "execution/item_place.h"

namespace partita {

class DistinctKeys {
 public:
  explicit DistinctKeys(std::pmr::memory_resource* memory) : places_(memory) {}

  // False when the item was added before. Borrows the key.
  bool add(const ItemPlace& place) { return places_.insert(place).second; }

 private:
  struct PlaceHash {
    std::size_t operator()(const ItemPlace& place) const { return place.hash(); }
  };
  std::pmr::unordered_set<ItemPlace, PlaceHash> places_;
};

}  // namespace partita
