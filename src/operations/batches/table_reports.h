// What answers about many items say of each table: capacity, and the collections written to.
#pragma once

#include <optional>
#include <vector>

#include "partita/requests/batches.h"
#include "partita/result.h"

#include "execution/capacity.h"
#include "operations/operation_context.h"
#include "plan/write_plan.h"

namespace partita {

// Adds up what was used of each table, and reports in the order in which tables were first named.
class CapacityByTable {
 public:
  explicit CapacityByTable(ReturnConsumedCapacity wanted, CapacityKind kind = CapacityKind::Plain)
      : wanted_(wanted), kind_(kind) {}

  void add(const TablePointer& table, const Charge& charge);
  std::optional<std::vector<ConsumedCapacity>> report() const;

 private:
  struct Part {
    TablePointer table;
    Charge charge;
  };
  ReturnConsumedCapacity wanted_;
  CapacityKind kind_;
  std::vector<Part> parts_;
};

// The collections these plans wrote to, each once; of tables with local indexes alone.
class CollectionsByTable {
 public:
  explicit CollectionsByTable(ReturnItemCollectionMetrics wanted)
      : wanted_(wanted == ReturnItemCollectionMetrics::Size) {}

  Result<void> add(const OperationContext& context, const WritePlan& plan);
  std::vector<TableCollectionMetrics> take() { return std::move(tables_); }

 private:
  bool wanted_;
  std::vector<TableCollectionMetrics> tables_;
};

}  // namespace partita
