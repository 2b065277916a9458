// Rules about what is in items: their size, lists that grow, expiry, local indexes.
#include <algorithm>
#include <cstdio>

#include "model/design/lint_context.h"

namespace partita::model {
namespace {

constexpr std::uint32_t kListElementsMax = 100;
constexpr double kLargeAttributeBytes = 10 * 1024;
constexpr double kRareShare = 0.1;
constexpr double kCollectionBytesMax = 10.0 * 1024 * 1024 * 1024;
constexpr double kCollectionBytesNearMax = 0.8 * kCollectionBytesMax;

std::string kilobytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f KB", bytes / 1024);
  return text;
}
std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes / 1024 / 1024 / 1024);
  return text;
}

void lint_size(const LintedEntity& entity, LintContext& context) {
  std::uint32_t largest = 0;
  for (const ItemView item : entity.items) largest = std::max(largest, item.size_bytes());
  if (largest < kItemBytesNearMax) return;
  context.report(
      LintRule::ItemNearLimit, std::string(entity.plan->name),
      "an item of the sample has " + kilobytes(largest) + "; DynamoDB refuses items above 400 KB",
      "divide it into several items below one partition key, or keep the large part in "
      "an object store and its address in the item");
}

// The share of reads that need an attribute.
double share_of_reads(const LintedEntity& entity, std::string_view attribute,
                      const LintContext& context) {
  double all = 0, needing = 0;
  for (const LintedAccess& access : context.accesses) {
    const DeclaredAccess& declared = *access.declared;
    if (access.entity != &entity || declared.kind == AccessKind::Write) continue;
    all += declared.per_second;
    const bool needs =
        declared.reads.empty() ||
        std::find(declared.reads.begin(), declared.reads.end(), attribute) != declared.reads.end();
    if (needs) needing += declared.per_second;
  }
  return all == 0 ? 1 : needing / all;
}

void lint_attributes(const LintedEntity& entity, LintContext& context) {
  for (const AttributeSlot& slot : entity.plan->slots) {
    if (slot.kind != AttributeSlot::Kind::Member) continue;
    std::size_t largest = 0;
    for (const ItemView item : entity.items) {
      if (const auto value = item.find(slot.name))
        largest = std::max(largest, value->bytes().size());
    }
    if (static_cast<double>(largest) < kLargeAttributeBytes) continue;
    const double share = share_of_reads(entity, slot.name, context);
    if (share > kRareShare) continue;
    context.report(LintRule::LargeRareAttribute, std::string(entity.plan->name),
                   "'" + std::string(slot.name) + "' has up to " +
                       kilobytes(static_cast<double>(largest)) + " and " +
                       std::to_string(static_cast<int>(share * 100 + 0.5)) +
                       " % of the reads need it, but every read pays for it",
                   "move it to an item of its own below the same partition key (METADATA and "
                   "DETAILS), which is read when it is needed");
  }
}

void lint_lists(const LintedEntity& entity, LintContext& context) {
  for (const AttributeSlot& slot : entity.plan->slots) {
    const bool grows = slot.type == ValueType::L || slot.type == ValueType::SS ||
                       slot.type == ValueType::NS || slot.type == ValueType::BS;
    if (slot.kind != AttributeSlot::Kind::Member || !grows) continue;
    const auto& bounded = entity.facts->bounded;
    if (std::find(bounded.begin(), bounded.end(), slot.name) != bounded.end()) continue;
    std::uint32_t longest = 0;
    for (const ItemView item : entity.items) {
      const auto value = item.find(slot.name);
      if (value && value->is(slot.type)) longest = std::max(longest, value->count());
    }
    if (!entity.items.empty() && longest < kListElementsMax) continue;
    context.report(
        LintRule::UnboundedList, std::string(entity.plan->name),
        "'" + std::string(slot.name) + "' " +
            (entity.items.empty() ? "is a list or set, and nothing says how long it can grow"
                                  : "has " + std::to_string(longest) + " elements in the sample") +
            "; each change rewrites the item, which ends at 400 KB",
        "make each element an item below the same partition key; if there is a limit, "
        "declare it: {.bounded = {\"" +
            std::string(slot.name) + "\"}}");
  }
}

void lint_expiry(const LintedEntity& entity, LintContext& context) {
  const std::string_view ttl = entity.plan->table->ttl;
  const auto report = [&](std::string problem, std::string remedy) {
    context.report(LintRule::MissingTimeToLive, std::string(entity.plan->name), std::move(problem),
                   std::move(remedy));
  };
  if (!entity.facts->expires) return;
  if (ttl.empty()) {
    return report("it expires, but its table has no time to live: old items stay and are paid for",
                  "declare ttl<\"expires\"> in define_table and a time member of that name");
  }
  const auto slots = entity.plan->slots;
  if (std::none_of(slots.begin(), slots.end(),
                   [&](const AttributeSlot& slot) { return slot.name == ttl; })) {
    return report("it expires, but has no member '" + std::string(ttl) + "'",
                  "add std::chrono::sys_seconds " + std::string(ttl));
  }
  for (const ItemView item : entity.items) {
    const auto value = item.find(ttl);
    if (!value || !value->is(ValueType::N)) {
      return report("an item of the sample has no number of seconds in '" + std::string(ttl) + "'",
                    "set it whenever an item is written");
    }
    if (value->number().size() > 11) {
      return report("'" + std::string(ttl) + "' is " + value->number() +
                        ": milliseconds, which is thousands of years away in seconds",
                    "store seconds since 1970, as a time member does");
    }
  }
}

void lint_local_indexes(LintContext& context) {
  for (std::size_t e = 0; e < context.entities.size(); ++e) {
    const TableShape& table = *context.entities[e].plan->table;
    double copies = 1, bytes = 0;
    bool first_of_table = true;
    for (std::size_t i = 0; i < table.index_count; ++i) {
      if (table.indexes[i].local && table.indexes[i].projection == ProjectionType::All) copies += 1;
    }
    const bool local = std::any_of(table.indexes.begin(), table.indexes.begin() + table.index_count,
                                   [](const IndexShape& index) { return index.local; });
    for (std::size_t other = 0; other < context.entities.size(); ++other) {
      const LintedEntity& entity = context.entities[other];
      if (entity.plan->table != &table) continue;
      first_of_table = first_of_table && other >= e;
      bytes += entity.facts->items_per_partition * entity.item_bytes() * copies;
    }
    if (!local || !first_of_table || bytes < kCollectionBytesNearMax) continue;
    context.report(LintRule::LocalIndexCollection, std::string(table.name),
                   "its largest collection comes to " + gigabytes(bytes) +
                       " with its local indexes; with a local index 10 GB are the limit of one "
                       "partition key",
                   "use a global index instead, project less, or divide the partition key by "
                   "period or bucket");
  }
}

}  // namespace

void lint_items(LintContext& context) {
  for (const LintedEntity& entity : context.entities) {
    lint_size(entity, context);
    lint_attributes(entity, context);
    lint_lists(entity, context);
    lint_expiry(entity, context);
  }
  lint_local_indexes(context);
}

}  // namespace partita::model
