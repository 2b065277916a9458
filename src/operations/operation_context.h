// What an operation may touch. One is made per call; its clock is read once.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

#include "partita/api.h"
#include "partita/options.h"

#include "base/clock.h"
#include "base/random.h"
#include "catalog/catalog.h"
#include "execution/executor.h"
#include "execution/stream_reader.h"
#include "expression/expression_cache.h"

namespace partita {

struct OperationContext {
  Catalog& catalog;
  Executor& executor;
  StreamReader& streams;
  ExpressionCache& expressions;
  RandomSource& random;
  const Options& options;
  TimePoint now;
  std::pmr::memory_resource* memory;  // scratch of this call
  DurabilityTicket& ticket;           // what the answer has to wait for
};

// Notes that the answer depends on this version.
inline void depend_on(const OperationContext& context, Version version) {
  if (version > context.ticket.version) context.ticket.version = version;
}

// The table an item operation means. The answer depends on the table being there, or on its end.
inline Result<TablePointer> find_table(const OperationContext& context,
                                       std::string_view name_or_arn) {
  auto table = context.catalog.find(name_or_arn, context.now);
  depend_on(context, table ? (*table)->version : context.catalog.latest());
  return table;
}

}  // namespace partita
