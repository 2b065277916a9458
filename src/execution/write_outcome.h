// What a write is asked to tell, and what it tells.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "partita/item.h"

#include "execution/capacity.h"
#include "plan/write_plan.h"

namespace partita {

// When global-index rows are written.
enum class IndexUpkeep : std::uint8_t {
  WithItem,  // in the item's commit
  Followed,  // later: the item's commit leaves a change record (jobs/index_follower.h)
};

// What the caller wants of a write besides that it happens.
struct WriteWishes {
  bool previous = false;         // the item before
  bool next = false;             // the item after
  bool item_of_failure = false;  // the item that made a condition fail, in the error
  bool by_expiry = false;        // streams say that time to live deleted the item
};

struct WriteOutcome {
  std::optional<Item> previous;
  std::optional<Item> next;
  Charge charge;
};

// One action of a transaction.
struct WriteStep {
  WritePlan plan;
  WriteWishes wishes;
};

struct TransactionOutcome {
  std::vector<Charge> charges;  // one for each step
  // When the transaction had happened before: the read units it is charged for now, by table.
  std::optional<std::map<std::string, std::int64_t, std::less<>>> repeated_reads;
};

}  // namespace partita
