// Transactions: many plans and one commit; many reads and one moment.
#include <algorithm>
#include <array>
#include <list>
#include <memory_resource>

#include "execution/cancellation.h"
#include "execution/executor.h"
#include "execution/item_change.h"

namespace partita {

namespace {

constexpr double kTransactionFactor = 2;  // of what the same reads and writes cost alone
constexpr int kReadAttemptsMax = 16;

std::vector<ItemPlace> places_of(std::span<const WriteStep> steps) {
  std::vector<ItemPlace> places;
  places.reserve(steps.size());
  for (const WriteStep& step : steps) places.emplace_back(step.plan);
  return places;
}

// The state that a transaction found and what it makes of it, on its way into one commit.
class TransactionAttempt {
 public:
  TransactionAttempt(IndexUpkeep upkeep, Throttle* throttle)
      : upkeep_(upkeep), throttle_(throttle) {}

  // All plans are applied, so that all reasons against the transaction are told together.
  Result<void> prepare(Engine& engine, std::span<const WriteStep> steps, TimePoint now,
                       Version& depends_on) {
    std::optional<Error> failure;  // that is no reason against the transaction
    Result<void> checked = check_actions(steps.size(), [&](std::size_t i) -> Result<void> {
      ItemChange& change = changes_.emplace_back(steps[i].plan, steps[i].wishes, upkeep_);
      Result<void> prepared = change.prepare(engine, now, depends_on);
      if (prepared && throttle_) [[unlikely]] {
        return throttle_->admit_indexes(steps[i].plan.table(), change.charge(), now);
      }
      if (prepared || prepared.error().code() == ErrorCode::ConditionalCheckFailed ||
          prepared.error().code() == ErrorCode::Validation) {
        return prepared;
      }
      failure = std::move(prepared).error();
      return {};
    });
    if (failure) return *std::move(failure);
    return checked;
  }

  Result<Version> commit(Engine& engine, const PartitionBatch* token, TimePoint now) {
    std::vector<PartitionBatch> batches;
    batches.reserve(changes_.size() + 1);
    for (ItemChange& change : changes_) change.append_to(batches);
    if (token) batches.push_back(*token);
    return engine.commit(batches, now);
  }

  TransactionOutcome take_outcome() {
    TransactionOutcome outcome;
    outcome.charges.reserve(changes_.size());
    for (ItemChange& change : changes_) {
      WriteOutcome written = change.take_outcome();
      written.charge.table_units *= kTransactionFactor;  // indexes cost what they always do
      outcome.charges.push_back(std::move(written.charge));
    }
    return outcome;
  }

  // What is remembered for a repetition: it is charged for reading what was written.
  RememberedRequest to_remember(std::span<const WriteStep> steps, const RequestToken& token,
                                TimePoint now) {
    RememberedRequest request{token.fingerprint, now + kTokenLifetime, {}};
    auto step = steps.begin();
    for (const ItemChange& change : changes_) {
      request.read_units[(step++)->plan.table().name] +=
          static_cast<std::int64_t>(kTransactionFactor * read_units(change.image_bytes(), true));
    }
    return request;
  }

 private:
  const IndexUpkeep upkeep_;
  Throttle* const throttle_;
  std::array<std::byte, 2048> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::list<ItemChange> changes_{&memory_};
};

// A request with a token that is remembered has happened, or is another one.
Result<std::optional<TransactionOutcome>> find_repeated(Engine& engine, TokenRow& row,
                                                        const RequestToken& token, TimePoint now,
                                                        Version& depends_on) {
  PARTITA_TRY(auto remembered, row.read(engine, now, depends_on));
  if (!remembered) return std::optional<TransactionOutcome>();
  if (remembered->fingerprint != token.fingerprint) {
    return Error(ErrorCode::IdempotentParameterMismatch,
                 "DynamoDB rejected the request because you retried a request with a different "
                 "payload but with an idempotent token that was already used.");
  }
  TransactionOutcome outcome;
  outcome.repeated_reads = std::move(remembered->read_units);
  return std::optional<TransactionOutcome>(std::move(outcome));
}

}  // namespace

void Executor::add_written(std::span<const ItemPlace> places,
                           std::vector<std::size_t>& busy) const {
  const std::size_t known = busy.size();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (latches_.shows_write(places[i]) || open_batches_.contains(places[i])) busy.push_back(i);
  }
  if (known == 0 || busy.size() == known) return;
  std::sort(busy.begin(), busy.end());
  busy.erase(std::unique(busy.begin(), busy.end()), busy.end());
}

Result<TransactionOutcome> Executor::write_transaction(std::span<const WriteStep> steps,
                                                       const std::optional<RequestToken>& token,
                                                       TimePoint now, Version& depends_on) {
  const std::vector<ItemPlace> places = places_of(steps);
  OpenTransactions::Transaction transaction(open_transactions_);
  std::optional<TokenRow> token_row;
  if (token) {
    if (!transaction.claim_token(token->token)) {
      return Error(ErrorCode::TransactionInProgress,
                   "The transaction with the given request token is already in progress.");
    }
    token_row.emplace(token->token);
    PARTITA_TRY(auto repeated, find_repeated(engine_, *token_row, *token, now, depends_on));
    if (repeated) return *std::move(repeated);
  }
  if (throttle_) [[unlikely]] {
    PARTITA_CHECK(check_actions(
        steps.size(), [&](std::size_t i) { return throttle_->admit_write(steps[i].plan, now); }));
  }
  std::vector<std::size_t> busy = transaction.claim(places);
  add_written(places, busy);
  if (!busy.empty()) return transaction_conflict(steps.size(), busy);
  hold(holds_.transaction);

  const KeyLatches::Many latches(latches_, places);
  for (;;) {
    TransactionAttempt attempt(upkeep_, throttle_);
    PARTITA_CHECK(attempt.prepare(engine_, steps, now, depends_on));
    std::optional<PartitionBatch> remembering;
    if (token) remembering = token_row->remember(attempt.to_remember(steps, *token, now));
    PARTITA_TRY(
        const bool done,
        happened(attempt.commit(engine_, remembering ? &*remembering : nullptr, now), depends_on));
    if (done) {
      TransactionOutcome outcome = attempt.take_outcome();
      if (throttle_) [[unlikely]] {
        for (std::size_t i = 0; i < steps.size(); ++i) {
          throttle_->charge_write(steps[i].plan, outcome.charges[i], now);
        }
      }
      return outcome;
    }
    if (!token) continue;
    PARTITA_TRY(auto repeated, find_repeated(engine_, *token_row, *token, now, depends_on));
    if (repeated) return *std::move(repeated);
  }
}

namespace {

// The items of one pass over all keys.
struct ReadPass {
  std::vector<GetOutcome> items;
  std::vector<Version> versions;  // 0: no such item
};

Result<ReadPass> read_pass(Engine& engine, std::span<const ReadStep> steps, const View* view) {
  ReadPass pass;
  pass.items.resize(steps.size());
  pass.versions.resize(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const RowKey key{Slot::Item, steps[i].key.sort};
    PARTITA_CHECK(engine.get(steps[i].key.in(steps[i].table->space), std::span(&key, 1), view,
                             [&](const RowView& row) {
                               pass.versions[i] = row.version;
                               pass.items[i] = project(ItemView(row.value), steps[i].projection);
                               return true;
                             }));
  }
  return pass;
}

Result<bool> still_has(Engine& engine, const ReadStep& step, Version expected) {
  const RowKey key{Slot::Item, step.key.sort};
  Version version = 0;
  PARTITA_CHECK(engine.get(step.key.in(step.table->space), std::span(&key, 1), nullptr,
                           [&](const RowView& row) {
                             version = row.version;
                             return true;
                           }));
  return version == expected;
}

// If a second look finds the same versions, there was a moment between the two that shows them all,
// unless an item came and went meanwhile: then something was removed.
Result<std::optional<ReadPass>> read_twice(Engine& engine, std::span<const ReadStep> steps) {
  const Version removal = engine.last_removal();
  PARTITA_TRY(ReadPass pass, read_pass(engine, steps, nullptr));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    PARTITA_TRY(const bool same, still_has(engine, steps[i], pass.versions[i]));
    if (!same) return std::optional<ReadPass>();
  }
  const bool some_absent =
      std::find(pass.versions.begin(), pass.versions.end(), 0) != pass.versions.end();
  if (some_absent && engine.last_removal() != removal) return std::optional<ReadPass>();
  return std::optional<ReadPass>(std::move(pass));
}

}  // namespace

Result<std::vector<GetOutcome>> Executor::read_transaction(std::span<const ReadStep> steps,
                                                           Version& depends_on) {
  std::vector<ItemPlace> places;
  places.reserve(steps.size());
  for (const ReadStep& step : steps) places.emplace_back(*step.table, step.key);

  std::optional<ReadPass> pass;
  for (int attempt = 0; !pass && attempt < kReadAttemptsMax; ++attempt) {
    std::vector<std::size_t> busy = open_transactions_.find_open(places);
    add_written(places, busy);
    if (!busy.empty()) return transaction_conflict(steps.size(), busy);
    if (steps.size() == 1) {
      PARTITA_TRY(pass, read_pass(engine_, steps, nullptr));
      continue;
    }
    // A view stops the whole engine for a moment and makes writers copy what it shows, so it is for
    // those whose items change all the time.
    const std::shared_ptr<const View> view = attempt == 0 ? nullptr : engine_.view();
    if (view) {
      PARTITA_TRY(pass, read_pass(engine_, steps, view.get()));
    } else {
      PARTITA_TRY(pass, read_twice(engine_, steps));
    }
  }
  if (!pass) {  // somebody writes all the time
    std::vector<std::size_t> all(steps.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return transaction_conflict(steps.size(), all);
  }
  for (const Version version : pass->versions) {
    depends_on = std::max(depends_on, version != 0 ? version : engine_.last_removal());
  }
  return std::move(pass->items);
}

}  // namespace partita
