#include "execution/capacity.h"

namespace partita {

namespace {
constexpr std::size_t kReadUnitBytes = 4096;
constexpr std::size_t kWriteUnitBytes = 1024;

std::size_t units_of(std::size_t bytes, std::size_t unit_bytes) {
  return bytes == 0 ? 1 : (bytes + unit_bytes - 1) / unit_bytes;
}

// `units` is a Capacity or a ConsumedCapacity.
template <typename Units>
void mirror(Units& units, CapacityKind kind) {
  if (kind == CapacityKind::TransactionRead) units.read_capacity_units = units.capacity_units;
  if (kind == CapacityKind::TransactionWrite) units.write_capacity_units = units.capacity_units;
}

}  // namespace

double read_units(std::size_t bytes, bool consistent) {
  const auto units = static_cast<double>(units_of(bytes, kReadUnitBytes));
  return consistent ? units : units / 2;
}

double write_units(std::size_t bytes) {
  return static_cast<double>(units_of(bytes, kWriteUnitBytes));
}

std::optional<ConsumedCapacity> capacity_report(ReturnConsumedCapacity wanted,
                                                const TableSchema& table, const Charge& charge,
                                                CapacityKind kind) {
  if (wanted == ReturnConsumedCapacity::None) return std::nullopt;
  ConsumedCapacity report;
  report.table_name = table.name;
  report.capacity_units = all_units(charge);
  mirror(report, kind);
  if (wanted == ReturnConsumedCapacity::Indexes) {
    report.table = Capacity{charge.table_units, {}, {}};
    mirror(*report.table, kind);
    for (const Charge::IndexUnits& part : charge.indexes) {
      auto& indexes =
          part.index->global ? report.global_secondary_indexes : report.local_secondary_indexes;
      Capacity& units = indexes[part.index->name];
      units.capacity_units += part.units;
      mirror(units, kind);
    }
  }
  return report;
}

}  // namespace partita
