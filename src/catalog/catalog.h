// Catalog: which tables exist, and where their rows live.
//
// Tables are rows of a reserved space of the engine (key_space.h), so creating or deleting one is
// an ordinary commit. In memory the catalog keeps every schema; finding one costs a hash lookup.
// All methods may be called from any thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partita/options.h"
#include "partita/result.h"

#include "base/clock.h"
#include "catalog/stream_schema.h"
#include "catalog/table_schema.h"
#include "storage/engine.h"

namespace partita {

class Catalog {
 public:
  // Reads what the engine holds; finishes deletions that a crash interrupted.
  static Result<std::unique_ptr<Catalog>> open(Engine& engine, const Options& options,
                                               TimePoint now);
  ~Catalog();

  // The table an item operation means: by name or table ARN, active (or updating). Otherwise
  // DynamoDB's ResourceNotFoundException, or its ValidationException for a name that cannot be one.
  Result<TablePointer> find(std::string_view name_or_arn, TimePoint now);
  // The same in any status, for table operations; null when there is none. A name, not an ARN.
  TablePointer find_any(std::string_view table_name, TimePoint now);

  // Names in ascending byte order beyond `after`, at most `limit` of them.
  std::vector<std::string> names(std::string_view after, std::size_t limit, TimePoint now);

  // Each commits, then shows the change. The version is what must be durable before anybody is
  // told. create assigns space ids and gives back the stored schema; the caller filled in
  // everything else. update does the same for an index that has no space yet, and drops the space
  // of an index that is left out. A table with a stream but no space for one gets a new stream,
  // with a label of its own; one whose stream is gone from the schema leaves it disabled behind,
  // and so does remove. update and remove answer ErrorCode::Conflict when the schema they were
  // given is no longer the table's: find it again and decide again.
  struct Change {
    TablePointer table;
    Version version = 0;
  };
  Result<Change> create(TableSchema schema, TimePoint now);
  Result<Change> update(const TablePointer& previous, TableSchema schema, TimePoint now);
  // DELETING until the delay is over, then gone; its rows are dropped in the background.
  Result<Change> remove(const TablePointer& table, TimePoint now);

  // Forgets tables whose deletion is due and drops the rows of those whose end is durable. create
  // and remove do it in passing; a job that calls it now and then frees room when nobody else does.
  Result<void> finish_due_deletions(TimePoint now);

  // The stream of this ARN that can still be read; null when there is none.
  StreamPointer find_stream(std::string_view arn, TimePoint now);
  // Waits for a change that is being made, so that what is committed now is also shown.
  void settle() const;
  // All that can still be read, and with `over` also the others, by ascending ARN.
  std::vector<StreamPointer> streams(TimePoint now, bool over = false);
  // ErrorCode::Conflict when the stream is no longer as it was given.
  Result<StreamPointer> update_stream(const StreamPointer& previous, StreamSchema changed,
                                      TimePoint now);
  // Its records are dropped in the background.
  Result<void> forget_stream(const StreamPointer& stream, TimePoint now);

  // What a consumer of a stream wants to find again. Nobody else understands it.
  Result<std::optional<std::string>> checkpoint(std::string_view name) const;
  Result<Version> set_checkpoint(std::string_view name, std::string_view text, TimePoint now);

  // All tables there are, in no order, for jobs.
  std::vector<TablePointer> tables(TimePoint now);
  // Is a call under way that found this table before its last change, and acts on what it found?
  // Once false it stays false, and everything those calls wrote is seen.
  bool superseded_in_use(const TableSchema& table);
  // Called after each change that leaves a table with an unsettled index or expiry. Must not call
  // back here.
  void when_unsettled(std::function<void()> call);

  // The last change of the catalog: what an answer about tables, or their absence, depends on.
  Version latest() const;

  // True counts, kept by the engine.
  Result<Size> table_size(const TableSchema& table) const;
  Result<Size> index_size(const IndexSchema& index) const;

 private:
  struct State;
  explicit Catalog(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace partita
