#include "catalog/table_schema.h"

#include <algorithm>

namespace partita {

bool KeySchema::names(std::string_view attribute) const {
  const auto is_it = [attribute](const KeyAttribute& key) { return key.name == attribute; };
  return std::any_of(partition.begin(), partition.end(), is_it) ||
         std::any_of(sort.begin(), sort.end(), is_it);
}

const IndexSchema* TableSchema::find_index(std::string_view index_name) const {
  for (const auto* indexes : {&global_indexes, &local_indexes}) {
    for (const IndexSchema& index : *indexes) {
      if (index.name == index_name) return &index;
    }
  }
  return nullptr;
}

const IndexSchema* TableSchema::unsettled_index() const {
  for (const IndexSchema& index : global_indexes) {
    if (index.phase != IndexPhase::Serving) return &index;
  }
  return nullptr;
}

ExpirySchema expiry_on(std::string attribute) {
  ExpirySchema expiry;
  expiry.index.key.sort.push_back({std::move(attribute), ScalarType::N});
  expiry.index.projection = ProjectionType::KeysOnly;
  expiry.index.global = true;
  expiry.index.by_expiry = true;
  expiry.index.phase = IndexPhase::Joining;
  return expiry;
}

}  // namespace partita
