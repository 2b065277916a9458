// Streams: the changes of a table in the order in which they happened to each item.
//
//   inline constexpr auto shop = define_table<"Shop">(key<"PK", "SK">, streamed);
//
//   PARTITA_TRY(const std::string saved, load_checkpoint(table, "mailer"));
//   auto changes = table.stream<deal, session>(saved);
//   for (const auto& change : changes) {            // ends when there is nothing new now
//     match(change, [&](const Inserted<Deal>& e) { tell_watchers(e.now); });
//   }
//   PARTITA_CHECK(save_checkpoint(table, "mailer", changes.checkpoint()));
//
// Another range-for over the same reader goes on with what came since. repository.stream() and
// collection.in(table).stream() read the changes of one entity, and of a collection's.
//
// A reader takes all shards of the stream and of those that follow it when streams are switched off
// and on again, parents before their children, so that the changes of an item come in order. It
// begins with the oldest change that is kept (a day), or behind a checkpoint. A checkpoint covers
// what has been handed on, the current change included: whoever saves one after the work has every
// change at least once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "partita/model/change.h"
#include "partita/model/pass.h"

namespace partita::model {

// A stream record by record, whatever it is of.
class StreamRun {
 public:
  StreamRun(const Store& store, std::string_view checkpoint);
  ~StreamRun();
  StreamRun(StreamRun&&) noexcept;

  // The record that comes next, the same until it is passed; null when there is none now.
  Result<const StreamRecord*> next();
  void pass();
  std::string checkpoint() const;

 private:
  struct ShardInHand;
  bool is_readable(const ShardInHand& shard) const;
  ShardInHand* find(std::string_view id) const;
  Result<void> resume();
  Result<void> find_first_stream();
  Result<bool> find_later_stream();
  Result<bool> find_shards();
  Result<void> describe(std::vector<Shard>& shards, StreamStatus& status);
  void end_ancestors();
  Result<bool> read_page();
  Result<bool> read_page_of(ShardInHand& shard);
  Result<GetShardIteratorResponse> get_iterator(const ShardInHand& shard);
  Result<GetRecordsResponse> get_records(ShardInHand& shard);

  const Store* store_;
  std::string saved_;  // the checkpoint to resume from, until it has been looked at
  std::string arn_;
  std::vector<std::unique_ptr<ShardInHand>> shards_;
  std::size_t turn_ = 0;
  ShardInHand* reading_ = nullptr;  // where the page is from
  std::vector<StreamRecord> page_;
  std::size_t at_ = 0;
};

template <typename... Entities>
class [[nodiscard]] StreamReader {
 public:
  using Any = typename Changes<Entities...>::Any;

  explicit StreamReader(const Store& store, std::string_view checkpoint = {})
      : run_(store, checkpoint) {}

  using Iterator = detail::Pass<StreamReader, Any>;
  Iterator begin() { return Iterator::start(*this); }
  Iterator end() { return Iterator(); }
  // Whether the last range-for came to its end well.
  const Result<void>& status() const { return status_; }
  // The same, to be handed on: PARTITA_CHECK(changes.finish()).
  Result<void> finish() { return std::exchange(status_, Result<void>()); }

  // All that are there now.
  Result<std::vector<Any>> all() {
    std::vector<Any> changes;
    while (advance()) changes.push_back(std::move(found_[handed_on_ - 1]));
    if (!status_) return Error(status_.error().code(), status_.error().message());
    return changes;
  }
  // Passes over what is there now.
  Result<void> skip() {
    while (true) {
      PARTITA_TRY(const StreamRecord* const record, run_.next());
      if (record == nullptr) return {};
      run_.pass();
    }
  }

  // Passes over a record that made status() fail because one of its images cannot be read.
  void skip_unreadable() {
    if (!status_ && status_.error().code() == EntityUnreadable) run_.pass();
  }

  // Where to go on another time; empty before anything was read.
  std::string checkpoint() const { return run_.checkpoint(); }

 private:
  friend Iterator;
  const Any& current() const { return found_[handed_on_ - 1]; }
  bool advance() {
    status_ = {};
    while (handed_on_ == found_.size()) {
      auto record = run_.next();
      if (!record) return fail(std::move(record).error());
      if (*record == nullptr) return false;
      auto changes = Changes<Entities...>::decode(**record);
      if (!changes) return fail(std::move(changes).error());
      found_ = std::move(*changes);
      handed_on_ = 0;
      if (found_.empty()) run_.pass();
    }
    if (++handed_on_ == found_.size()) run_.pass();
    return true;
  }
  bool fail(Error error) {
    status_ = std::move(error);
    return false;
  }

  StreamRun run_;
  std::vector<Any> found_;  // of one record
  std::size_t handed_on_ = 0;
  Result<void> status_;
};

// A checkpoint under a name, kept in an item of the table: CHECKPOINT#name. Empty when there is
// none.
Result<std::string> load_checkpoint(const Store& store, std::string_view name);
Result<void> save_checkpoint(const Store& store, std::string_view name,
                             std::string_view checkpoint);

}  // namespace partita::model
