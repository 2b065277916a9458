// The composition root: builds the parts, owns them, and lets each call run to its end.
#include "partita/database.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <limits>
#include <memory_resource>
#include <mutex>
#include <new>

#include "base/clock.h"
#include "base/random.h"
#include "catalog/catalog.h"
#include "database/engines.h"
#include "execution/executor.h"
#include "execution/stale_views.h"
#include "expression/expression_cache.h"
#include "jobs/expiry_sweeper.h"
#include "jobs/index_builder.h"
#include "jobs/index_follower.h"
#include "jobs/job_runner.h"
#include "jobs/stream_keeper.h"
#include "jobs/token_sweeper.h"
#include "operations/batches/batch_operations.h"
#include "operations/items/item_operations.h"
#include "operations/operation_context.h"
#include "operations/streams/stream_operations.h"
#include "operations/tables/table_operations.h"

namespace partita {

namespace {
// How soon the room of a deleted table is freed, and how exactly Options::table_delay ends.
constexpr std::chrono::milliseconds kDeletionInterval{100};
constexpr std::chrono::milliseconds kTokenInterval{1000};
constexpr std::chrono::milliseconds kExpiryInterval{500};
// How exactly Options::stream_roll is kept, and how soon what is too old goes.
constexpr std::chrono::milliseconds kStreamInterval{50};
// Indexes that come or go are looked after at once; this is for those a failure left behind.
constexpr std::chrono::milliseconds kIndexInterval{100};
constexpr std::chrono::milliseconds kIndexWait{1};

// Often enough that an index is not much later than it should be.
std::chrono::milliseconds follower_interval(std::chrono::milliseconds lag) {
  return std::clamp(lag / 10, std::chrono::milliseconds(1), std::chrono::milliseconds(50));
}

Result<std::unique_ptr<StaleViews>> make_stale_views(Engine& engine, const Options& options,
                                                     TimePoint now) {
  if (options.stale_reads.count() == 0) return std::unique_ptr<StaleViews>();
  if (!engine.capabilities().views) {
    return Error(ErrorCode::CannotOpen,
                 "Stale reads are not available: this engine keeps no past moments.");
  }
  return std::make_unique<StaleViews>(engine, options.stale_reads, now);
}
}  // namespace

// In the order in which they need each other; taken down in reverse.
struct Database::Parts {
  Options options;
  MovableClock& clock;  // one of the options
  SystemRandom random;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Catalog> catalog;
  std::unique_ptr<StaleViews> stale_views;  // null: no read is stale
  ExpressionCache expressions;
  Throttle throttle;  // used if the options say so
  Executor executor;
  IndexFollower index_follower;
  IndexBuilder index_builder;
  TokenSweeper token_sweeper;
  ExpirySweeper expiry_sweeper;
  StreamReader stream_reader;
  StreamKeeper stream_keeper;
  std::optional<JobRunner> jobs;
  MovableClock::Listener clock_listener = 0;

  Parts(Options options_given, std::unique_ptr<Engine> engine_given,
        std::unique_ptr<Catalog> catalog_given, std::unique_ptr<StaleViews> stale_views_given)
      : options(std::move(options_given)),
        clock(*options.clock),
        engine(std::move(engine_given)),
        catalog(std::move(catalog_given)),
        stale_views(std::move(stale_views_given)),
        executor(*engine, follows() ? IndexUpkeep::Followed : IndexUpkeep::WithItem,
                 stale_views.get(), {options.transaction_hold, options.write_hold},
                 options.throttle ? &throttle : nullptr),
        index_follower(*engine, *catalog, executor),
        index_builder(*engine, *catalog, executor, follows() ? &index_follower : nullptr),
        token_sweeper(*engine),
        expiry_sweeper(*engine, *catalog, executor, options.expiry_delay),
        stream_reader(*engine),
        stream_keeper(*engine, *catalog, {options.stream_shards, options.stream_roll}) {}
  ~Parts() { clock.forget(clock_listener); }  // before the jobs it would wake

  bool follows() const { return options.index_lag.count() > 0; }

  // What a job cannot finish now it tries again the next time, so none of them tells of failures.
  void start_jobs() {
    std::vector<JobRunner::Job> all;
    all.push_back({kDeletionInterval, [this] {
                     static_cast<void>(catalog->finish_due_deletions(clock.now()));
                     return JobRunner::kNextInterval;
                   }});
    all.push_back({kTokenInterval, [this] {
                     token_sweeper.run(clock.now());
                     return JobRunner::kNextInterval;
                   }});
    all.push_back({kStreamInterval, [this] {
                     stream_keeper.run(clock.now());
                     return JobRunner::kNextInterval;
                   }});
    all.push_back({kIndexInterval, [this] { return build_indexes(); }});
    all.push_back({kExpiryInterval, [this] { return expire_items(); }});
    if (follows()) {
      all.push_back({follower_interval(options.index_lag), [this] {
                       const TimePoint now = clock.now();
                       static_cast<void>(index_follower.follow(now - options.index_lag, now));
                       return JobRunner::kNextInterval;
                     }});
    }
    if (stale_views) {
      all.push_back({stale_views->interval(), [this] {
                       stale_views->take(clock.now());
                       return JobRunner::kNextInterval;
                     }});
    }
    jobs.emplace(std::move(all));
    catalog->when_unsettled([runner = &*jobs] { runner->wake(); });
    clock_listener = clock.when_moved([runner = &*jobs] { runner->wake(); });
  }

  std::chrono::milliseconds build_indexes() {
    switch (index_builder.run(clock.now())) {
      case IndexBuilder::Left::Nothing:
        return JobRunner::kNextInterval;
      case IndexBuilder::Left::Waiting:
        return kIndexWait;
      case IndexBuilder::Left::Work:
        return std::chrono::milliseconds(0);
    }
    __builtin_unreachable();
  }

  std::chrono::milliseconds expire_items() {
    std::size_t deleted = 0;
    const Result<bool> more = expiry_sweeper.run(clock.now(), deleted);
    return more && *more ? std::chrono::milliseconds(0) : JobRunner::kNextInterval;
  }

  Result<void> wait_until_durable(DurabilityTicket ticket) {
    if (ticket.version <= engine->durable()) return {};
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<Result<void>> outcome;
    engine->when_durable(ticket.version, [&](Result<void> result) {
      const std::lock_guard lock(mutex);
      outcome = std::move(result);
      arrived.notify_one();  // under the lock: the waiter's stack is ours only until it wakes
    });
    std::unique_lock lock(mutex);
    arrived.wait(lock, [&] { return outcome.has_value(); });
    return *std::move(outcome);
  }

  // Runs one operation. Libraries below may throw (out of memory, say); nobody above must see it.
  template <typename Response, typename Request>
  Result<Response> call(Result<Response> (*operation)(const OperationContext&, const Request&),
                        const Request& request, DurabilityTicket* ticket) {
    try {
      std::array<std::byte, 4096> scratch;
      std::pmr::monotonic_buffer_resource memory(scratch.data(), scratch.size());
      DurabilityTicket own_ticket;
      DurabilityTicket& seen = ticket ? *ticket : own_ticket;
      const OperationContext context{*catalog, executor,    stream_reader, expressions, random,
                                     options,  clock.now(), &memory,       seen};
      Result<Response> result = operation(context, request);
      if (!ticket) PARTITA_CHECK(wait_until_durable(seen));
      return result;
    } catch (const std::bad_alloc&) {
      return Error::internal("The database is out of memory.");
    } catch (const std::exception& failure) {
      return Error::internal(failure.what());
    }
  }
};

Database::Database(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(Options options) {
  try {
    PARTITA_TRY(auto engine, open_engine(options));
    if (!options.clock) options.clock = std::make_shared<MovableClock>();
    const TimePoint now = options.clock->now();
    PARTITA_TRY(auto catalog, Catalog::open(*engine, options, now));
    PARTITA_TRY(auto stale_views, make_stale_views(*engine, options, now));
    auto parts = std::make_unique<Parts>(std::move(options), std::move(engine), std::move(catalog),
                                         std::move(stale_views));
    // What an index still lags behind from an earlier opening comes before rows written with items.
    if (!parts->follows()) PARTITA_CHECK(parts->index_follower.follow(TimePoint::max(), now));
    parts->start_jobs();
    return std::unique_ptr<Database>(new Database(std::move(parts)));
  } catch (const std::exception& failure) {
    return Error(ErrorCode::CannotOpen, failure.what());
  }
}

std::unique_ptr<Database> Database::in_memory() {
  Options options;
  options.engine = EngineKind::Memory;
  auto database = open(std::move(options));
  assert(database.has_value());  // an empty memory engine has nothing that could fail
  return *std::move(database);
}

#define PARTITA_OPERATION(name, Request, Response)                                    \
  Result<Response> Database::name(const Request& request, DurabilityTicket* ticket) { \
    return parts_->call<Response, Request>(partita::name, request, ticket);           \
  }

PARTITA_OPERATION(create_table, CreateTableRequest, TableDescription)
PARTITA_OPERATION(describe_table, DescribeTableRequest, TableDescription)
PARTITA_OPERATION(update_table, UpdateTableRequest, TableDescription)
PARTITA_OPERATION(delete_table, DeleteTableRequest, TableDescription)
PARTITA_OPERATION(list_tables, ListTablesRequest, ListTablesResponse)
PARTITA_OPERATION(tag_resource, TagResourceRequest, TagResourceResponse)
PARTITA_OPERATION(untag_resource, UntagResourceRequest, UntagResourceResponse)
PARTITA_OPERATION(list_tags_of_resource, ListTagsOfResourceRequest, ListTagsOfResourceResponse)
PARTITA_OPERATION(describe_limits, DescribeLimitsRequest, DescribeLimitsResponse)
PARTITA_OPERATION(describe_endpoints, DescribeEndpointsRequest, DescribeEndpointsResponse)
PARTITA_OPERATION(update_time_to_live, UpdateTimeToLiveRequest, UpdateTimeToLiveResponse)
PARTITA_OPERATION(describe_time_to_live, DescribeTimeToLiveRequest, TimeToLiveDescription)
PARTITA_OPERATION(describe_continuous_backups, DescribeContinuousBackupsRequest,
                  ContinuousBackupsDescription)
PARTITA_OPERATION(list_streams, ListStreamsRequest, ListStreamsResponse)
PARTITA_OPERATION(describe_stream, DescribeStreamRequest, StreamDescription)
PARTITA_OPERATION(get_shard_iterator, GetShardIteratorRequest, GetShardIteratorResponse)
PARTITA_OPERATION(get_records, GetRecordsRequest, GetRecordsResponse)
PARTITA_OPERATION(put_item, PutItemRequest, PutItemResponse)
PARTITA_OPERATION(get_item, GetItemRequest, GetItemResponse)
PARTITA_OPERATION(update_item, UpdateItemRequest, UpdateItemResponse)
PARTITA_OPERATION(delete_item, DeleteItemRequest, DeleteItemResponse)
PARTITA_OPERATION(query, QueryRequest, QueryResponse)
PARTITA_OPERATION(scan, ScanRequest, ScanResponse)
PARTITA_OPERATION(batch_get_item, BatchGetItemRequest, BatchGetItemResponse)
PARTITA_OPERATION(batch_write_item, BatchWriteItemRequest, BatchWriteItemResponse)
PARTITA_OPERATION(transact_get_items, TransactGetItemsRequest, TransactGetItemsResponse)
PARTITA_OPERATION(transact_write_items, TransactWriteItemsRequest, TransactWriteItemsResponse)

#undef PARTITA_OPERATION

Result<void> Database::settle_indexes() {
  if (!parts_->follows()) return {};
  return parts_->index_follower.follow(TimePoint::max(), parts_->clock.now());
}

Result<std::size_t> Database::expire_items() {
  std::size_t deleted = 0;
  for (bool more = true; more;) {
    PARTITA_TRY(more, parts_->expiry_sweeper.run(parts_->clock.now(), deleted));
  }
  return deleted;
}

MovableClock& Database::clock() const { return parts_->clock; }

Result<std::optional<std::string>> Database::checkpoint(std::string_view consumer) const {
  return parts_->catalog->checkpoint(consumer);
}

Result<void> Database::set_checkpoint(std::string_view consumer, std::string_view text) {
  PARTITA_TRY(const Version version,
              parts_->catalog->set_checkpoint(consumer, text, parts_->clock.now()));
  return parts_->wait_until_durable({version});
}

bool Database::is_durable(DurabilityTicket ticket) const {
  return ticket.version <= parts_->engine->durable();
}

DatabaseFigures Database::figures() const {
  const EngineCounters counters = parts_->engine->counters();
  DatabaseFigures figures{.lookups = counters.lookups,
                          .cursors = counters.cursors,
                          .commits = counters.commits,
                          .syncs = counters.syncs,
                          .sync_time = counters.sync_time,
                          .unsynced_versions = counters.unsynced_versions,
                          .accepts_writes = accepts_writes().has_value(),
                          .tables = {},
                          .engine = parts_->engine->own_figures()};
  if (parts_->options.throttle) {
    for (const EngineFigure& figure : parts_->throttle.figures()) figures.engine.push_back(figure);
  }
  const TimePoint now = parts_->clock.now();
  constexpr std::size_t kEveryTable = std::numeric_limits<std::size_t>::max();
  for (std::string& name : parts_->catalog->names("", kEveryTable, now)) {
    const TablePointer table = parts_->catalog->find_any(name, now);
    if (table == nullptr) continue;  // deleted meanwhile
    const auto size = parts_->catalog->table_size(*table);
    if (size) figures.tables.push_back({std::move(name), size->items, size->bytes});
  }
  return figures;
}

Result<void> Database::accepts_writes() const { return parts_->engine->accepts_writes(); }

void Database::when_durable(DurabilityTicket ticket, std::function<void(Result<void>)> done) {
  parts_->engine->when_durable(ticket.version, std::move(done));
}

}  // namespace partita
