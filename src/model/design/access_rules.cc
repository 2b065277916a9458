// Rules about accesses: tables, scans, accesses without a key, indexes that are too full.
#include <algorithm>
#include <map>

#include "model/design/lint_context.h"

namespace partita::model {
namespace {

constexpr double kFewShare = 0.2;

void lint_tables(LintContext& context) {
  std::map<const TableShape*, std::size_t> entities;
  for (const LintedEntity& entity : context.entities) ++entities[entity.plan->table];
  if (entities.size() < 2) return;
  std::string names;
  for (const LintedEntity& entity : context.entities) {
    if (entities[entity.plan->table] != 1) return;
    names += (names.empty() ? "" : ", ") + std::string(entity.plan->table->name);
  }
  context.report(LintRule::TablePerEntity, names,
                 "each entity has a table of its own: what belongs together takes a request per "
                 "table",
                 "put them into one table, with prefixes such as CUSTOMER#{id} and ORDER#{id}; "
                 "those that are read together under one partition key");
}

// A scan of an index that holds just this entity, and few of it, reads nothing else.
bool scans_what_it_wants(const LintedAccess& access, const LintContext& context) {
  if (access.pattern == nullptr || access.pattern->index.empty()) return false;
  for (const LintedEntity& entity : context.entities) {
    for (const AccessPattern& pattern : entity.plan->patterns) {
      if (pattern.index == access.pattern->index &&
          entity.plan->table == access.entity->plan->table && entity.plan != access.entity->plan) {
        return false;
      }
    }
  }
  return true;
}

void lint_scan(const LintedAccess& access, LintContext& context) {
  const DeclaredAccess& declared = *access.declared;
  if (declared.kind != AccessKind::Scan || declared.per_second <= kRareAccessesPerSecond) return;
  if (scans_what_it_wants(access, context)) return;
  context.report(LintRule::ScanAsAccessPath, std::string(declared.name),
                 "it scans: every call reads and pays for the whole table, whatever it filters",
                 "give " + std::string(declared.entity) +
                     " an index whose partition key is what is asked for, such as "
                     "indexed<\"by_status\", \"GSI1\", \"STATUS#{status}\", \"{created}\">");
}

void lint_answer(const LintedAccess& access, LintContext& context) {
  const DeclaredAccess& declared = *access.declared;
  if (access.pattern != nullptr || declared.kind == AccessKind::Scan) return;
  const std::string name(declared.name);
  if (access.entity == nullptr) {
    return context.report(LintRule::UnansweredAccess, name,
                          "the design has no entity '" + std::string(declared.entity) + "'",
                          "add it to the design, or correct the name");
  }
  const AccessPattern& primary = access.entity->plan->primary();
  const bool other_way_round =
      !declared.given.empty() &&
      std::any_of(declared.given.begin(), declared.given.end(),
                  [&](std::string_view member) { return has_member(primary.sort, member); });
  if (other_way_round) {
    return context.report(LintRule::MissingInverseIndex, name,
                          "'" + std::string(declared.given[0]) + "' is in the sort key of " +
                              std::string(declared.entity) +
                              ", so it can be found from one side only",
                          "add an index with the keys exchanged: gsi<\"Inverse\", \"" +
                              std::string(primary.sort.all[0].attribute) + "\", \"" +
                              std::string(primary.partition.all[0].attribute) +
                              "\"> and indexed<\"inverse\", "
                              "\"Inverse\">");
  }
  context.report(LintRule::UnansweredAccess, name,
                 declared.by.empty() ? "no key of " + std::string(declared.entity) +
                                           " has a partition key made of what is given"
                                     : std::string(declared.entity) + " has no access pattern '" +
                                           std::string(declared.by) + "'",
                 "add indexed<…> with a partition key that is made of what the caller knows");
}

void lint_crowding(const LintedAccess& access, LintContext& context) {
  const DeclaredAccess& declared = *access.declared;
  if (access.pattern == nullptr || access.pattern->index.empty() || declared.share > kFewShare) {
    return;
  }
  const auto& items = access.entity->items;
  const auto inside =
      static_cast<std::size_t>(std::count_if(items.begin(), items.end(), [&](ItemView item) {
        return key_text(item, access.pattern->partition) && key_text(item, access.pattern->sort);
      }));
  const bool all_enter = items.empty() ? !is_sparse(*access.pattern) : 2 * inside > items.size();
  if (!all_enter) return;
  context.report(
      LintRule::CrowdedIndex, where(*access.entity->plan, *access.pattern),
      "'" + std::string(declared.name) + "' wants " +
          std::to_string(static_cast<int>(declared.share * 100 + 0.5)) + " % of the items, but " +
          (items.empty() ? "every item enters the index"
                         : std::to_string(inside) + " of " + std::to_string(items.size()) +
                               " in the sample are in it"),
      "make it sparse: when<\"member\">, or an optional member in its key, keeps the "
      "others out and saves their writes");
}

}  // namespace

void lint_accesses(LintContext& context) {
  lint_tables(context);
  for (const LintedAccess& access : context.accesses) {
    lint_scan(access, context);
    lint_answer(access, context);
    lint_crowding(access, context);
  }
}

}  // namespace partita::model
