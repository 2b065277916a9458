#include "partita/model/lint.h"

#include <algorithm>

#include "model/design/lint_context.h"

namespace partita::model {
namespace {

constexpr double kSmallCollectionBytes = 10 * 1024 * 1024;

std::string_view type_of(const EntityPlan& plan, ItemView item) {
  const auto type = item.find(plan.table->type_attribute);
  return type && type->is(ValueType::S) ? type->string() : std::string_view();
}

bool is_answered_by(const AccessPattern& pattern, const std::vector<std::string_view>& given) {
  for (std::size_t i = 0; i < pattern.partition.count; ++i) {
    const KeyTemplate& key = *pattern.partition.all[i].key;
    for (std::size_t j = 0; j < key.count; ++j) {
      if (key.pieces[j].buckets != 0) continue;  // all buckets are asked
      if (std::find(given.begin(), given.end(), key.pieces[j].path) == given.end()) return false;
    }
  }
  return true;
}

const AccessPattern* find_answer(const EntityPlan& plan, const DeclaredAccess& declared) {
  if (!declared.by.empty() || declared.given.empty()) return plan.find_pattern(declared.by);
  for (const AccessPattern& pattern : plan.patterns) {
    if (is_answered_by(pattern, declared.given)) return &pattern;
  }
  return nullptr;
}

LintContext gather(const Design& design, std::span<const DeclaredAccess> accesses,
                   const Sample& sample) {
  LintContext context;
  for (const Design::Member& member : design.members()) {
    LintedEntity entity{member.plan, &member.facts};
    for (const Sample::Entry& entry : sample.entries()) {
      if (entry.table == member.plan->table->name &&
          type_of(*member.plan, entry.item) == member.plan->name) {
        entity.items.push_back(entry.item);
      }
    }
    context.entities.push_back(std::move(entity));
  }
  for (const DeclaredAccess& declared : accesses) {
    LintedAccess access{&declared};
    for (const LintedEntity& entity : context.entities) {
      if (entity.plan->name == declared.entity) access.entity = &entity;
    }
    if (access.entity != nullptr) access.pattern = find_answer(*access.entity->plan, declared);
    context.accesses.push_back(access);
  }
  return context;
}

}  // namespace

double LintedEntity::item_bytes() const {
  if (items.empty()) return facts->item_bytes;
  double bytes = 0;
  for (const ItemView item : items) bytes += item.size_bytes();
  return bytes / static_cast<double>(items.size());
}

// A collection that is declared to stay small is no hot partition by its size.
bool LintedEntity::is_small() const {
  constexpr double kUsualItemBytes = 1024;
  const double bytes = item_bytes() == 0 ? kUsualItemBytes : item_bytes();
  return facts->items_per_partition > 0 &&
         facts->items_per_partition * bytes <= kSmallCollectionBytes;
}

std::string where(const EntityPlan& plan, const AccessPattern& pattern) {
  return std::string(plan.name) + (pattern.name.empty() ? "" : "." + std::string(pattern.name));
}

std::string quoted(const KeyTemplate& key) { return "\"" + std::string(key.text) + "\""; }

bool is_sparse(const AccessPattern& pattern) {
  if (pattern.when != nullptr) return true;
  for (const KeyParts* parts : {&pattern.partition, &pattern.sort}) {
    for (std::size_t i = 0; i < parts->count; ++i) {
      for (std::size_t j = 0; j < parts->all[i].key->count; ++j) {
        if (parts->all[i].key->pieces[j].optional) return true;
      }
    }
  }
  return false;
}

bool has_member(const KeyParts& parts, std::string_view path) {
  for (std::size_t i = 0; i < parts.count; ++i) {
    for (std::size_t j = 0; j < parts.all[i].key->count; ++j) {
      if (parts.all[i].key->pieces[j].path == path) return true;
    }
  }
  return false;
}

std::optional<std::string> text_at(ItemView item, std::string_view path) {
  MapView map = item.attributes();
  while (true) {
    const std::size_t dot = path.find('.');
    const auto value = map.find(path.substr(0, dot));
    if (!value) return {};
    if (dot == std::string_view::npos) {
      if (value->is(ValueType::S)) return std::string(value->string());
      if (value->is(ValueType::N)) return value->number();
      return {};
    }
    if (!value->is(ValueType::M)) return {};
    map = value->map();
    path.remove_prefix(dot + 1);
  }
}

std::optional<std::string> key_text(ItemView item, const KeyParts& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.count; ++i) {
    const auto value = item.find(parts.all[i].attribute);
    if (!value) return {};
    if (i > 0) text.push_back('\0');
    text += value->is(ValueType::S)   ? std::string(value->string())
            : value->is(ValueType::N) ? value->number()
                                      : std::string(value->bytes());
  }
  return text;
}

std::vector<std::string> key_texts(const LintedEntity& entity, const KeyParts& parts) {
  std::vector<std::string> texts;
  for (const ItemView item : entity.items) {
    if (auto text = key_text(item, parts)) texts.push_back(std::move(*text));
  }
  return texts;
}

std::string_view name_of(LintRule rule) {
  constexpr std::string_view names[] = {
      "table-per-entity",
      "scan-as-access-path",
      "unanswered-access",
      "constant-partition-key",
      "timestamp-partition-key",
      "sequential-partition-key",
      "over-granular-partition-key",
      "uneven-partition-key",
      "missing-prefix",
      "colliding-prefixes",
      "unpadded-number",
      "unordered-version",
      "non-iso-date",
      "random-sort-key",
      "item-near-limit",
      "large-rare-attribute",
      "unbounded-list",
      "missing-inverse-index",
      "crowded-index",
      "missing-time-to-live",
      "local-index-collection",
  };
  static_assert(std::size(names) == static_cast<std::size_t>(LintRule::LocalIndexCollection) + 1);
  return names[static_cast<std::size_t>(rule)];
}

const LintFinding* LintReport::find(LintRule rule) const {
  for (const LintFinding& finding : findings) {
    if (finding.rule == rule) return &finding;
  }
  return nullptr;
}
bool LintReport::has(LintRule rule) const { return find(rule) != nullptr; }

std::string LintReport::checklist_text() const {
  constexpr std::string_view boxes[] = {"[x] ", "[ ] ", "[?] "};
  std::string text;
  for (const ChecklistPoint& point : checklist) {
    text.append(boxes[static_cast<std::size_t>(point.decision)]).append(point.point);
    text.append(" (").append(point.because).append(")\n");
  }
  return text;
}

std::string LintReport::text() const {
  std::string text;
  for (const LintFinding& finding : findings) {
    text.append(name_of(finding.rule)).append(": ").append(finding.where).append(": ");
    text.append(finding.problem).append("\n    ").append(finding.remedy).append("\n");
  }
  return text + checklist_text();
}

LintReport lint(const Design& design, std::span<const DeclaredAccess> accesses,
                const Sample& sample) {
  LintContext context = gather(design, accesses, sample);
  lint_accesses(context);
  lint_partition_keys(context);
  lint_shared_keys(context);
  lint_sort_keys(context);
  lint_items(context);
  LintReport report;
  report.checklist = decide_checklist(context, sample);
  report.findings = std::move(context.findings);
  return report;
}

LintReport lint(const Design& design, std::initializer_list<DeclaredAccess> accesses,
                const Sample& sample) {
  return lint(design, std::span(accesses.begin(), accesses.size()), sample);
}

}  // namespace partita::model
