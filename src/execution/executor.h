// Executor: carries plans out against an engine. One write path, one read path.
#pragma once

#include <memory>
#include <optional>

#include "partita/item.h"
#include "partita/requests/queries.h"
#include "partita/result.h"

#include "base/clock.h"
#include "execution/capacity.h"
#include "execution/key_latches.h"
#include "plan/read_plan.h"
#include "plan/write_plan.h"
#include "storage/engine.h"

namespace partita {

// What the caller wants to see of a write besides that it happened.
struct WriteWishes {
  bool previous = false;         // the item before
  bool next = false;             // the item after
  bool item_of_failure = false;  // the item that made a condition fail, in the error
};

struct WriteOutcome {
  std::optional<Item> previous;
  std::optional<Item> next;
  Charge charge;
};

struct GetOutcome {
  std::optional<Item> item;
  std::size_t size_bytes = 0;  // before projection
};

struct PageOutcome {
  ItemList items;
  std::int32_t count = 0;
  std::int32_t scanned_count = 0;
  std::optional<Item> last_evaluated_key;
  Charge charge;
};

// `depends_on` rises to the newest version the answer, or the error, tells of: whoever passes it on
// must wait until that is durable.
class Executor {
 public:
  explicit Executor(Engine& engine) : engine_(engine) {}

  Result<WriteOutcome> write(const WritePlan& plan, WriteWishes wishes, TimePoint now,
                             Version& depends_on);
  Result<GetOutcome> get(const TableSchema& table, const EncodedKey& key,
                         const ProjectionPaths* projection, Version& depends_on);
  Result<PageOutcome> read(const ReadPlan& plan, Version& depends_on);

  // Bytes of one item collection: its items and their local index entries.
  Result<std::int64_t> collection_bytes(const TableSchema& table, const EncodedKey& key);

 private:
  Engine& engine_;
  KeyLatches latches_;
};

}  // namespace partita
