// Capacity units, as DynamoDB counts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "partita/requests/items.h"

#include "catalog/table_schema.h"

namespace partita {

// 1 unit reads 4 KB consistently; half a unit otherwise. Nothing costs as much as the smallest
// item.
double read_units(std::size_t bytes, bool consistent);
// 1 unit writes 1 KB.
double write_units(std::size_t bytes);

// What a call used, table and indexes apart.
struct Charge {
  double table_units = 0;
  struct IndexUnits {
    const IndexSchema* index;
    double units;
    std::uint64_t hash = 0;  // of the partition of a global index that was written to
  };
  std::vector<IndexUnits> indexes;  // only those that were touched
};

inline double all_units(const Charge& charge) {
  double units = charge.table_units;
  for (const Charge::IndexUnits& part : charge.indexes) units += part.units;
  return units;
}

// Transactions also say which kind of units they used, at every level of the report (recorded from
// DynamoDB by Dynoxide).
enum class CapacityKind : std::uint8_t { Plain, TransactionRead, TransactionWrite };

// The ConsumedCapacity member of an answer, or none if it was not asked for.
std::optional<ConsumedCapacity> capacity_report(ReturnConsumedCapacity wanted,
                                                const TableSchema& table, const Charge& charge,
                                                CapacityKind kind = CapacityKind::Plain);

}  // namespace partita
