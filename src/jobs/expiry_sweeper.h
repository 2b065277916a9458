// ExpirySweeper: deletes items whose time to live is over.
//
// It follows the index that expiry goes by (catalog/table_schema.h) and reads nothing but what has
// expired. Each deletion is a write like any other, so indexes and streams see it, and happens only
// if the item as it is then has expired. What cannot be deleted now, because it is in a transaction
// or the disk is full, is found again the next time.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>

#include "partita/result.h"

#include "base/clock.h"
#include "catalog/catalog.h"
#include "execution/executor.h"
#include "plan/write_plan.h"
#include "storage/engine.h"

namespace partita {

class ExpirySweeper {
 public:
  // Items stay for `delay` after their moment has come.
  ExpirySweeper(Engine& engine, Catalog& catalog, Executor& executor,
                std::chrono::milliseconds delay)
      : engine_(engine), catalog_(catalog), executor_(executor), delay_(delay) {}

  // Deletes some of what has expired; false when there was nothing more. `deleted` counts.
  Result<bool> run(TimePoint now, std::size_t& deleted);

 private:
  Result<bool> sweep(const TablePointer& table, const ExpiryWindow& window, unsigned part,
                     TimePoint now, std::size_t& deleted);
  Result<bool> expire(const TablePointer& table, const ExpiryWindow& window, ItemView key,
                      TimePoint now);

  Engine& engine_;
  Catalog& catalog_;
  Executor& executor_;
  const std::chrono::milliseconds delay_;
  std::mutex sweeping_;
};

}  // namespace partita
