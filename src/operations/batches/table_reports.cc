#include "operations/batches/table_reports.h"

#include <algorithm>

#include "operations/items/write_answers.h"

namespace partita {

void CapacityByTable::add(const TablePointer& table, const Charge& charge) {
  if (wanted_ == ReturnConsumedCapacity::None) return;
  auto part = std::find_if(parts_.begin(), parts_.end(),
                           [&](const Part& known) { return known.table == table; });
  if (part == parts_.end()) part = parts_.insert(parts_.end(), Part{table, {}});
  part->charge.table_units += charge.table_units;
  part->charge.indexes.insert(part->charge.indexes.end(), charge.indexes.begin(),
                              charge.indexes.end());
}

std::optional<std::vector<ConsumedCapacity>> CapacityByTable::report() const {
  if (wanted_ == ReturnConsumedCapacity::None) return std::nullopt;
  std::vector<ConsumedCapacity> reports;
  for (const Part& part : parts_) {
    reports.push_back(*capacity_report(wanted_, *part.table, part.charge, kind_));
  }
  return reports;
}

Result<void> CollectionsByTable::add(const OperationContext& context, const WritePlan& plan) {
  if (!wanted_ || !plan.writes()) return {};
  PARTITA_TRY(auto metrics, collection_metrics(context, plan, plan.item()));
  if (!metrics) return {};
  const std::string& name = plan.table().name;
  auto table =
      std::find_if(tables_.begin(), tables_.end(),
                   [&](const TableCollectionMetrics& known) { return known.table_name == name; });
  if (table == tables_.end()) table = tables_.insert(tables_.end(), {name, {}});
  for (ItemCollectionMetrics& known : table->collections) {
    if (known.item_collection_key != metrics->item_collection_key) continue;
    known = *std::move(metrics);
    return {};
  }
  table->collections.push_back(*std::move(metrics));
  return {};
}

}  // namespace partita
