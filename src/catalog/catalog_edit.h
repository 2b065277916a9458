// CatalogEdit: one change of the catalog, on its way to the engine.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "partita/result.h"

#include "catalog/key_space.h"
#include "storage/engine.h"

namespace partita {

// One change of the catalog: rows written and erased together, and what they must be until then.
class CatalogEdit {
 public:
  void guard(std::string row, Version expected) {
    guards_.push_back({{Slot::Item, keep(std::move(row))}, expected});
  }
  void put(std::string row, std::string value) {
    const Bytes key = keep(std::move(row));
    edits_.push_back({{Slot::Item, key}, keep(std::move(value))});
  }
  void erase(std::string row) {
    edits_.push_back({{Slot::Item, keep(std::move(row))}, std::nullopt});
  }
  Result<Version> commit(Engine& engine, TimePoint now) const {
    const PartitionBatch batch{catalog_partition(), guards_, edits_, {}, {}};
    return engine.commit({&batch, 1}, now);
  }

 private:
  Bytes keep(std::string bytes) { return bytes_.emplace_back(std::move(bytes)); }

  std::deque<std::string> bytes_;  // stays where it is while it grows
  std::vector<Guard> guards_;
  std::vector<Edit> edits_;
};

}  // namespace partita
