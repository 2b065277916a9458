// Catalog::State: the catalog's rows, and what of them is kept in memory. For catalog.cc alone.
//
// Every change is one commit of an edit (catalog_edit.h); what it did is shown afterwards. A table
// that goes leaves a row behind that names its spaces, until they are dropped.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/catalog_edit.h"
#include "catalog/key_space.h"

namespace partita {

struct Catalog::State {
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>()(name);
    }
  };
  struct Drop {
    DroppedSpaces dropped;
    std::string row;
    Version retired = 0;  // dropping may start once this is durable
    bool done = false;    // only the row remains to be erased
  };

  State(Engine& used_engine, const Options& options)
      : engine(used_engine), delay(options.table_delay), stream_shards(options.stream_shards) {}

  Result<void> load();
  Result<void> load_row(const RowView& row);
  Result<void> reload(std::string_view table_name);
  Result<std::optional<Version>> commit(const CatalogEdit& edit, std::string_view table_name,
                                        TimePoint now);
  TablePointer shown(std::string_view table_name) const;
  void show(TablePointer table);
  void hide(std::string_view table_name);
  void show(StreamPointer stream);
  StreamPointer shown_stream(std::string_view arn) const;
  std::vector<StreamSchema> edit_streams(const TableSchema* before, TableSchema* after,
                                         TimePoint now, CatalogEdit& edit) const;
  void show_streams(std::vector<StreamSchema> streams, Version version);
  void take_spaces(SpaceId next, Version version);
  void remember_drop(DroppedSpaces dropped, Version retired);
  static void retire(CatalogEdit& edit, const DroppedSpaces& dropped);
  Result<void> retire_due(TimePoint now);
  Result<void> drop_retired(TimePoint now);
  // In passing: what fails is tried again later, and is no failure of the change just made.
  void drop_what_can_be(TimePoint now) { static_cast<void>(drop_retired(now).has_value()); }

  Engine& engine;
  const std::chrono::milliseconds delay;
  const unsigned stream_shards;

  // One change at a time. Holding it, next_space, spaces_version, drops and superseded are ours.
  std::mutex changing;
  SpaceId next_space = kFirstTableSpace;
  Version spaces_version = 0;
  std::vector<Drop> drops;
  std::unordered_map<SpaceId, std::vector<std::weak_ptr<const TableSchema>>>
      superseded;  // by table
  std::atomic<Version> latest = 0;
  std::function<void()> on_unsettled = [] {};

  // What find sees. Written with both mutexes held, read with either.
  mutable std::shared_mutex showing;
  std::unordered_map<std::string, TablePointer, NameHash, std::equal_to<>> tables;
  std::map<std::string, StreamPointer, std::less<>> streams;  // by ARN
};

}  // namespace partita
