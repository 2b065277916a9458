#include "catalog/catalog.h"

#include <algorithm>
#include <cassert>

#include "catalog/catalog_state.h"
#include "catalog/schema_codec.h"
#include "catalog/stream_codec.h"
#include "catalog/table_lifecycle.h"
#include "catalog/table_name.h"

namespace partita {
namespace {

// Guards fail for no reason of ours on some engines, so a change is tried a few times.
constexpr int kAttemptsMax = 100;

// The spaces of `before` that `after` does without.
DroppedSpaces spaces_left_out(const TableSchema& before, const TableSchema& after) {
  DroppedSpaces left_out = spaces_of(before);
  const std::vector<SpaceId> kept = spaces_of(after).spaces;
  std::erase_if(left_out.spaces, [&](SpaceId space) {
    return std::find(kept.begin(), kept.end(), space) != kept.end();
  });
  return left_out;
}

Error still_in_use(const TableSchema& table, TimePoint now) {
  if (status_at(table, now) == TableStatus::Creating) {
    return Error(ErrorCode::ResourceInUse,
                 "Attempt to change a resource which is still in use: Table is being created: " +
                     table.name);
  }
  return Error(ErrorCode::ResourceInUse, "Table already exists: " + table.name);
}

Error changed_meanwhile() {
  return Error(ErrorCode::Conflict, "The table was changed at the same time");
}

Error too_many_conflicts() {
  return Error(ErrorCode::ServiceUnavailable, "The table is being changed by too many at once");
}

}  // namespace

Catalog::Catalog(std::unique_ptr<State> state) : state_(std::move(state)) {}
Catalog::~Catalog() = default;

Result<std::unique_ptr<Catalog>> Catalog::open(Engine& engine, const Options& options,
                                               TimePoint now) {
  std::unique_ptr<Catalog> catalog(new Catalog(std::make_unique<State>(engine, options)));
  PARTITA_CHECK(catalog->state_->load());
  PARTITA_CHECK(catalog->finish_due_deletions(now));
  // Tables of a time when streams were noted but not kept.
  for (const TablePointer& table : catalog->tables(now)) {
    if (!table->stream || table->stream_space != 0) continue;
    PARTITA_TRY(const Change change, catalog->update(table, *table, now));
  }
  return catalog;
}

Result<TablePointer> Catalog::find(std::string_view name_or_arn, TimePoint now) {
  std::string_view name = name_or_arn;
  if (name.starts_with("arn:")) [[unlikely]] {
    PARTITA_TRY(name, table_name_in(name_or_arn));
  }
  {
    const std::shared_lock lock(state_->showing);
    const auto found = state_->tables.find(name);
    if (found != state_->tables.end() && serves_items(*found->second, now)) [[likely]] {
      return found->second;
    }
  }
  if (auto problem = name_problem(name)) return *std::move(problem);
  return Error::resource_not_found("Requested resource not found");
}

TablePointer Catalog::find_any(std::string_view table_name, TimePoint now) {
  TablePointer table = state_->shown(table_name);
  return table && is_gone(*table, now) ? nullptr : table;
}

std::vector<std::string> Catalog::names(std::string_view after, std::size_t limit, TimePoint now) {
  std::vector<std::string> names;
  {
    const std::shared_lock lock(state_->showing);
    for (const auto& [name, table] : state_->tables) {
      if (name > after && !is_gone(*table, now)) names.push_back(name);
    }
  }
  const std::size_t wanted = std::min(limit, names.size());
  std::partial_sort(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(wanted),
                    names.end());
  names.resize(wanted);
  return names;
}

Result<Catalog::Change> Catalog::create(TableSchema schema, TimePoint now) {
  State& state = *state_;
  const std::lock_guard lock(state.changing);
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const TablePointer current = state.shown(schema.name);
    if (current && !is_gone(*current, now)) return still_in_use(*current, now);

    TableSchema placed = schema;
    SpaceId next_space = state.next_space;
    PARTITA_CHECK(assign_places(placed, next_space));
    CatalogEdit edit;
    auto streams = state.edit_streams(current.get(), &placed, now, edit);
    edit.guard(table_row_key(schema.name), current ? current->version : 0);
    edit.put(table_row_key(schema.name), encode_schema(placed));
    edit.guard(spaces_row_key(), state.spaces_version);
    edit.put(spaces_row_key(), encode_next_space(next_space));
    if (current) State::retire(edit, spaces_of(*current));
    PARTITA_TRY(const auto version, state.commit(edit, schema.name, now));
    if (!version) continue;

    state.show_streams(std::move(streams), *version);
    state.take_spaces(next_space, *version);
    if (current) state.remember_drop(spaces_of(*current), *version);
    placed.version = *version;
    auto table = std::make_shared<const TableSchema>(std::move(placed));
    state.show(table);
    state.drop_what_can_be(now);
    return Change{std::move(table), *version};
  }
  return too_many_conflicts();
}

Result<Catalog::Change> Catalog::update(const TablePointer& previous, TableSchema schema,
                                        TimePoint now) {
  State& state = *state_;
  assert(schema.name == previous->name && schema.space == previous->space);
  const DroppedSpaces left_out = spaces_left_out(*previous, schema);
  const std::lock_guard lock(state.changing);
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (state.shown(schema.name) != previous || is_gone(*previous, now)) return changed_meanwhile();
    TableSchema placed = schema;
    SpaceId next_space = state.next_space;
    PARTITA_CHECK(assign_places(placed, next_space));
    CatalogEdit edit;
    auto streams = state.edit_streams(previous.get(), &placed, now, edit);
    edit.guard(table_row_key(schema.name), previous->version);
    edit.put(table_row_key(schema.name), encode_schema(placed));
    const bool takes_spaces = next_space != state.next_space;
    if (takes_spaces) {
      edit.guard(spaces_row_key(), state.spaces_version);
      edit.put(spaces_row_key(), encode_next_space(next_space));
    }
    if (!left_out.spaces.empty()) State::retire(edit, left_out);
    PARTITA_TRY(const auto version, state.commit(edit, schema.name, now));
    if (!version) continue;

    state.show_streams(std::move(streams), *version);
    if (takes_spaces) state.take_spaces(next_space, *version);
    if (!left_out.spaces.empty()) state.remember_drop(left_out, *version);
    state.superseded[placed.space].push_back(previous);
    placed.version = *version;
    auto table = std::make_shared<const TableSchema>(std::move(placed));
    state.show(table);
    if (!left_out.spaces.empty()) state.drop_what_can_be(now);
    if (table->is_unsettled()) state.on_unsettled();
    return Change{std::move(table), *version};
  }
  return too_many_conflicts();
}

Result<Catalog::Change> Catalog::remove(const TablePointer& table, TimePoint now) {
  TableSchema deleted = *table;
  enter_status(deleted, TableStatus::Deleting, state_->delay, now);
  if (!is_gone(deleted, now)) return update(table, std::move(deleted), now);

  State& state = *state_;
  const std::lock_guard lock(state.changing);
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (state.shown(table->name) != table) return changed_meanwhile();
    CatalogEdit edit;
    auto streams = state.edit_streams(table.get(), nullptr, now, edit);
    edit.guard(table_row_key(table->name), table->version);
    edit.erase(table_row_key(table->name));
    State::retire(edit, spaces_of(*table));
    PARTITA_TRY(const auto version, state.commit(edit, table->name, now));
    if (!version) continue;

    state.hide(table->name);
    state.show_streams(std::move(streams), *version);
    state.remember_drop(spaces_of(*table), *version);
    deleted.version = *version;
    state.drop_what_can_be(now);
    return Change{std::make_shared<const TableSchema>(std::move(deleted)), *version};
  }
  return too_many_conflicts();
}

Result<void> Catalog::finish_due_deletions(TimePoint now) {
  const std::lock_guard lock(state_->changing);
  PARTITA_CHECK(state_->retire_due(now));
  return state_->drop_retired(now);
}

StreamPointer Catalog::find_stream(std::string_view arn, TimePoint now) {
  StreamPointer stream = state_->shown_stream(arn);
  return stream && is_over(*stream, now) ? nullptr : stream;
}

std::vector<StreamPointer> Catalog::streams(TimePoint now, bool over) {
  std::vector<StreamPointer> all;
  const std::shared_lock lock(state_->showing);
  for (const auto& [arn, stream] : state_->streams) {
    if (over || !is_over(*stream, now)) all.push_back(stream);
  }
  return all;
}

Result<StreamPointer> Catalog::update_stream(const StreamPointer& previous, StreamSchema changed,
                                             TimePoint now) {
  State& state = *state_;
  const std::lock_guard lock(state.changing);
  if (state.shown_stream(previous->arn) != previous) return changed_meanwhile();
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    CatalogEdit edit;
    edit.guard(stream_row_key(previous->arn), previous->version);
    edit.put(stream_row_key(previous->arn), encode_stream(changed));
    auto version = edit.commit(state.engine, now);
    if (!version) {
      if (version.error().code() == ErrorCode::Conflict) continue;
      return std::move(version).error();
    }
    state.latest.store(*version, std::memory_order_release);
    settle_shards(changed, *version);
    auto stream = std::make_shared<const StreamSchema>(std::move(changed));
    state.show(stream);
    return stream;
  }
  return too_many_conflicts();
}

Result<void> Catalog::forget_stream(const StreamPointer& stream, TimePoint now) {
  State& state = *state_;
  const std::lock_guard lock(state.changing);
  if (state.shown_stream(stream->arn) != stream) return changed_meanwhile();
  const DroppedSpaces dropped{stream->table_name, {stream->space}};
  CatalogEdit edit;
  edit.erase(stream_row_key(stream->arn));
  State::retire(edit, dropped);
  PARTITA_TRY(const Version version, edit.commit(state.engine, now));
  state.latest.store(version, std::memory_order_release);
  {
    const std::unique_lock showing(state.showing);
    state.streams.erase(stream->arn);
  }
  state.remember_drop(dropped, version);
  return {};
}

Result<std::optional<std::string>> Catalog::checkpoint(std::string_view name) const {
  const std::string row = checkpoint_row_key(name);
  const RowKey key{Slot::Item, row};
  std::optional<std::string> text;
  Result<void> read;
  PARTITA_CHECK(
      state_->engine.get(catalog_partition(), {&key, 1}, nullptr, [&](const RowView& found) {
        auto decoded = decode_checkpoint(found.value);
        if (decoded) {
          text = *std::move(decoded);
        } else {
          read = std::move(decoded).error();
        }
        return true;
      }));
  PARTITA_CHECK(std::move(read));
  return text;
}

Result<Version> Catalog::set_checkpoint(std::string_view name, std::string_view text,
                                        TimePoint now) {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    CatalogEdit edit;
    edit.put(checkpoint_row_key(name), encode_checkpoint(text));
    auto version = edit.commit(state_->engine, now);
    if (version || version.error().code() != ErrorCode::Conflict) return version;
  }
  return too_many_conflicts();
}

std::vector<TablePointer> Catalog::tables(TimePoint now) {
  std::vector<TablePointer> all;
  const std::shared_lock lock(state_->showing);
  for (const auto& [name, table] : state_->tables) {
    if (!is_gone(*table, now)) all.push_back(table);
  }
  return all;
}

bool Catalog::superseded_in_use(const TableSchema& table) {
  const std::lock_guard lock(state_->changing);
  const auto found = state_->superseded.find(table.space);
  if (found == state_->superseded.end()) return false;
  // Nobody comes by a superseded schema any more, so one that is free stays free.
  std::erase_if(found->second, [](const auto& schema) { return schema.expired(); });
  if (!found->second.empty()) return true;
  state_->superseded.erase(found);
  return false;
}

void Catalog::when_unsettled(std::function<void()> call) {
  const std::lock_guard lock(state_->changing);
  state_->on_unsettled = std::move(call);
}

Version Catalog::latest() const { return state_->latest.load(std::memory_order_acquire); }

Result<Size> Catalog::table_size(const TableSchema& table) const {
  return state_->engine.size(table.space);
}

Result<Size> Catalog::index_size(const IndexSchema& index) const {
  return state_->engine.size(index.space);
}

void Catalog::settle() const { const std::lock_guard lock(state_->changing); }

}  // namespace partita
