#include "catalog/catalog_state.h"

#include <utility>

#include "catalog/schema_codec.h"
#include "catalog/stream_codec.h"
#include "catalog/table_lifecycle.h"

namespace partita {

// ---- Rows → memory ----

Result<void> Catalog::State::load_row(const RowView& row) {
  switch (catalog_row_kind(row.key.sort)) {
    case CatalogRow::Table: {
      PARTITA_TRY(TableSchema table, decode_schema(row.value));
      table.version = row.version;
      show(std::make_shared<const TableSchema>(std::move(table)));
      break;
    }
    case CatalogRow::Spaces: {
      PARTITA_TRY(next_space, decode_next_space(row.value));
      spaces_version = row.version;
      break;
    }
    case CatalogRow::Dropping: {
      PARTITA_TRY(DroppedSpaces dropped, decode_dropped_spaces(row.value));
      drops.push_back({std::move(dropped), std::string(row.key.sort), 0, false});
      break;
    }
    case CatalogRow::Stream: {
      PARTITA_TRY(StreamSchema stream, decode_stream(row.value, row.version));
      show(std::make_shared<const StreamSchema>(std::move(stream)));
      break;
    }
    case CatalogRow::Unknown:
      break;
  }
  return {};
}

Result<void> Catalog::State::load() {
  Result<void> loaded;
  PARTITA_CHECK(engine.range(catalog_partition(), KeyRange{}, Direction::Forward, ReadHint{},
                             nullptr, [&](const RowView& row) {
                               loaded = load_row(row);
                               return loaded.has_value();
                             }));
  PARTITA_CHECK(std::move(loaded));
  for (const auto& [name, table] : tables) {
    for (const SpaceId space : spaces_of(*table).spaces) {
      if (space >= next_space) {
        return Error(ErrorCode::CannotOpen, "The catalog of this database is damaged: table '" +
                                                name +
                                                "' lives in a space that was never given out.");
      }
    }
  }
  return {};
}

// After a conflict: what the engine holds of this table and of the space ids now.
Result<void> Catalog::State::reload(std::string_view table_name) {
  const std::string table_row = table_row_key(table_name), spaces_row = spaces_row_key();
  const RowKey keys[] = {{Slot::Item, table_row}, {Slot::Item, spaces_row}};
  const TablePointer before = shown(table_name);
  bool found = false;
  Result<void> loaded;
  PARTITA_CHECK(engine.get(catalog_partition(), keys, nullptr, [&](const RowView& row) {
    const bool is_table = row.key.sort == table_row;
    found = found || is_table;
    // A schema that did not change keeps its identity: callers compare pointers.
    if (is_table && before && before->version == row.version) return true;
    loaded = load_row(row);
    return loaded.has_value();
  }));
  if (!found) hide(table_name);
  return loaded;
}

// No version: a guard failed, and what is known of the table has been read again.
Result<std::optional<Version>> Catalog::State::commit(const CatalogEdit& edit,
                                                      std::string_view table_name, TimePoint now) {
  auto version = edit.commit(engine, now);
  if (version) {
    latest.store(*version, std::memory_order_release);
    return std::optional(*version);
  }
  if (version.error().code() != ErrorCode::Conflict) return std::move(version).error();
  PARTITA_CHECK(reload(table_name));
  return std::optional<Version>();
}

TablePointer Catalog::State::shown(std::string_view table_name) const {
  const std::shared_lock lock(showing);
  const auto found = tables.find(table_name);
  return found == tables.end() ? nullptr : found->second;
}

void Catalog::State::show(TablePointer table) {
  const std::unique_lock lock(showing);
  tables.insert_or_assign(table->name, std::move(table));
}

void Catalog::State::hide(std::string_view table_name) {
  const std::unique_lock lock(showing);
  if (const auto found = tables.find(table_name); found != tables.end()) tables.erase(found);
}

// ---- Streams ----

void Catalog::State::show(StreamPointer stream) {
  const std::unique_lock lock(showing);
  streams.insert_or_assign(stream->arn, std::move(stream));
}

StreamPointer Catalog::State::shown_stream(std::string_view arn) const {
  const std::shared_lock lock(showing);
  const auto found = streams.find(arn);
  return found == streams.end() ? nullptr : found->second;
}

// What a change of a table does to streams: one ends, one begins, or both. A new one gets a label
// that none of the table's streams has, however the clock goes.
std::vector<StreamSchema> Catalog::State::edit_streams(const TableSchema* before,
                                                       TableSchema* after, TimePoint now,
                                                       CatalogEdit& edit) const {
  const SpaceId old_space = before ? before->stream_space : 0;
  const SpaceId new_space = after ? after->stream_space : 0;
  std::vector<StreamSchema> changed;
  if (old_space == new_space) return changed;
  if (old_space != 0) {
    if (const auto stream = shown_stream(stream_arn(before->arn, before->stream_label))) {
      disable_stream(changed.emplace_back(*stream), now);
    }
  }
  if (new_space != 0) {
    for (TimePoint time = now;; time += std::chrono::milliseconds(1)) {
      after->stream_label = stream_label_at(time);
      if (!shown_stream(stream_arn(after->arn, after->stream_label))) break;
    }
    changed.push_back(new_stream(*after, stream_shards, now));
  }
  for (const StreamSchema& stream : changed) {
    edit.put(stream_row_key(stream.arn), encode_stream(stream));
  }
  return changed;
}

void Catalog::State::show_streams(std::vector<StreamSchema> changed, Version version) {
  for (StreamSchema& stream : changed) {
    settle_shards(stream, version);
    show(std::make_shared<const StreamSchema>(std::move(stream)));
  }
}

// ---- Deletion ----

void Catalog::State::take_spaces(SpaceId next, Version version) {
  next_space = next;
  spaces_version = version;
}

void Catalog::State::remember_drop(DroppedSpaces dropped, Version retired) {
  const SpaceId first = dropped.spaces.front();
  superseded.erase(first);
  drops.push_back({std::move(dropped), dropping_row_key(first), retired, false});
}

// The table's row goes; from the same moment a row says which spaces are to be dropped, so that a
// crash in between loses neither the table nor the room it took.
void Catalog::State::retire(CatalogEdit& edit, const DroppedSpaces& dropped) {
  edit.put(dropping_row_key(dropped.spaces.front()), encode_dropped_spaces(dropped));
}

Result<void> Catalog::State::retire_due(TimePoint now) {
  std::vector<TablePointer> due;
  for (const auto& [name, table] : tables) {
    if (is_gone(*table, now)) due.push_back(table);
  }
  for (const TablePointer& table : due) {
    CatalogEdit edit;
    edit.guard(table_row_key(table->name), table->version);
    edit.erase(table_row_key(table->name));
    retire(edit, spaces_of(*table));
    auto streams_changed = edit_streams(table.get(), nullptr, now, edit);
    PARTITA_TRY(const auto version, commit(edit, table->name, now));
    if (!version) continue;  // next time
    hide(table->name);
    show_streams(std::move(streams_changed), *version);
    remember_drop(spaces_of(*table), *version);
  }
  return {};
}

// The engine's drop must not outlive the loss of the commit that decided it, so it waits until that
// commit is durable. The row goes last: until then opening the database drops again.
Result<void> Catalog::State::drop_retired(TimePoint now) {
  const Version durable = engine.durable();
  for (Drop& drop : drops) {
    if (drop.retired > durable) continue;
    if (!drop.done) {
      for (const SpaceId space : drop.dropped.spaces) PARTITA_CHECK(engine.drop(space));
      drop.done = true;
    }
    CatalogEdit edit;
    edit.erase(drop.row);
    // Nobody sees this change, so nothing depends on its version.
    auto erased = edit.commit(engine, now);
    if (erased) {
      drop.row.clear();
    } else if (erased.error().code() != ErrorCode::Conflict) {
      return std::move(erased).error();
    }
  }
  std::erase_if(drops, [](const Drop& drop) { return drop.row.empty(); });
  return {};
}

}  // namespace partita
