// Migrations: every item of an entity is looked at once, and changed where the change says so.
//
//   Migration<dinosaur> fill_region(table, "fill-region", [](Dinosaur& d) {
//     if (!d.found.region.empty()) return false;      // nothing to change
//     d.found.region = "unknown";
//     return true;
//   });
//   fill_region.dry_run().value().samples             // what would change; nothing is written
//   fill_region.apply()                               // does it
//
// apply keeps its place in an item of the table ("MIGRATION#fill-region"), page by page: broken
// off, it goes on there. Only one runs at a time: a second fails with MigrationLocked, unless the
// first has been silent for the lease. One that is finished does nothing. An item is written only
// if it is still as it was read, and looked at again otherwise; values that are unique<…> change
// with it in one transaction. Members of the primary key cannot be changed.
//
//   Migrations all;
//   all.add(fill_region).add(split_names);            // in this order
//   for (const auto& step : all.dry_run().value()) …  // name, examined, changed
//   all.apply();                                      // what was applied before is passed over
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "partita/model/operation.h"
#include "partita/model/query_run.h"
#include "partita/model/time_points.h"

namespace partita::model {

struct MigrationOptions {
  std::int64_t page_items = 100;
  std::size_t samples = 5;
  std::chrono::seconds lease{60};
  // Called after each page; false breaks off, to be gone on with another time.
  std::function<bool(std::int64_t examined)> go_on{};
};

struct MigrationProgress {
  std::int64_t examined = 0;
  std::int64_t changed = 0;
  bool finished = false;
};

namespace detail {

// Adds what an item becomes, and what changes with it; nothing when it stays as it is.
using ItemChange = std::function<Result<void>(ItemView before, WriteSet& writes)>;

class MigrationRun {
 public:
  MigrationRun(const Store& store, const EntityPlan& plan, std::string name);

  const std::string& name() const { return name_; }
  Result<MigrationProgress> dry_run(const MigrationOptions& options, const ItemChange& change);
  Result<MigrationProgress> apply(const MigrationOptions& options, const ItemChange& change);

 private:
  struct Checkpoint {
    MigrationProgress progress;
    std::string cursor;
  };
  Result<Checkpoint> lock(const MigrationOptions& options);
  Result<void> save(const Checkpoint& checkpoint, const MigrationOptions& options, bool release);
  Result<bool> change_item(ItemView item, const ItemChange& change);
  Item state_key() const;

  const Store* store_;
  const EntityPlan* plan_;
  std::string name_;
  std::string owner_;
};

}  // namespace detail

template <const auto& Definition>
class Migration {
 public:
  using Entity = EntityOf<Definition>;
  using Object = typename Entity::Object;

  struct Report : MigrationProgress {
    std::vector<std::pair<Object, Object>> samples{};  // before and after, of the first changed
  };

  Migration(const Store& store, std::string name, std::function<bool(Object&)> change,
            MigrationOptions options = {})
      : run_(store, Entity::plan, std::move(name)),
        change_(std::move(change)),
        options_(std::move(options)) {}

  const std::string& name() const { return run_.name(); }
  Result<Report> dry_run() { return report(&detail::MigrationRun::dry_run); }
  Result<Report> apply() { return report(&detail::MigrationRun::apply); }

 private:
  using Step = Result<MigrationProgress> (detail::MigrationRun::*)(const MigrationOptions&,
                                                                   const detail::ItemChange&);
  Result<Report> report(Step step) {
    Report report;
    const auto change = [&](ItemView item, WriteSet& writes) -> Result<void> {
      PARTITA_TRY(const auto before, Entity::decode(item));
      if (!before) return {};
      Object after = *before;
      if (!change_(after)) return {};
      PARTITA_CHECK(detail::check_object<Entity>(after));
      if (report.samples.size() < options_.samples) report.samples.emplace_back(*before, after);
      Entity::PartList::template each<detail::Role::Version>(
          [&]<typename Part>(std::type_identity<Part>) { ++(after.*Part::member); });
      PARTITA_TRY(const Item encoded, Entity::encode(after));
      writes.add(TransactWrite::Kind::Put, encoded, Entity::plan);
      return detail::add_markers(Entity::plan, &*before, &after, writes);
    };
    PARTITA_TRY(static_cast<MigrationProgress&>(report), (run_.*step)(options_, change));
    return report;
  }

  detail::MigrationRun run_;
  std::function<bool(Object&)> change_;
  MigrationOptions options_;
};

// Several migrations, one after another. They outlive it.
class Migrations {
 public:
  struct Step : MigrationProgress {
    std::string name{};
  };

  template <const auto& Definition>
  Migrations& add(Migration<Definition>& migration) {
    steps_.push_back([&migration](bool apply) -> Result<Step> {
      auto done = apply ? migration.apply() : migration.dry_run();
      if (!done) return std::move(done).error();
      return Step{static_cast<const MigrationProgress&>(*done), migration.name()};
    });
    return *this;
  }

  // What each would do to the items as they are now: later ones do not see what earlier ones
  // change.
  Result<std::vector<Step>> dry_run() const { return run(false); }
  // Ends at the first that fails, or that is broken off.
  Result<std::vector<Step>> apply() const { return run(true); }

 private:
  Result<std::vector<Step>> run(bool apply) const {
    std::vector<Step> done;
    for (const auto& step : steps_) {
      PARTITA_TRY(Step one, step(apply));
      done.push_back(std::move(one));
      if (apply && !done.back().finished) break;
    }
    return done;
  }

  std::vector<std::function<Result<Step>(bool apply)>> steps_;
};

}  // namespace partita::model
