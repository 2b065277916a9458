// What every rule of lint looks at, gathered once: entities with their part of the sample, and
// accesses with the access pattern that answers them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partita/model/lint.h"

namespace partita::model {

struct LintedEntity {
  const EntityPlan* plan;
  const EntityFacts* facts;
  std::vector<ItemView> items{};

  double item_bytes() const;  // on average; 0 when nobody knows
  bool is_small() const;      // its largest collection is declared, and stays small
};

struct LintedAccess {
  const DeclaredAccess* declared;
  const LintedEntity* entity = nullptr;    // none: the design has no such entity
  const AccessPattern* pattern = nullptr;  // none: nothing answers it
};

struct LintContext {
  std::vector<LintedEntity> entities{};
  std::vector<LintedAccess> accesses{};
  std::vector<LintFinding> findings{};

  void report(LintRule rule, std::string where, std::string problem, std::string remedy) {
    findings.push_back({rule, std::move(where), std::move(problem), std::move(remedy)});
  }
};

// "order" or "order.by_status"
std::string where(const EntityPlan& plan, const AccessPattern& pattern);
std::string quoted(const KeyTemplate& key);

// Items stay out of the index unless a member says otherwise.
bool is_sparse(const AccessPattern& pattern);
bool has_member(const KeyParts& parts, std::string_view path);

// The value at "a.b", as text when it is text or a number.
std::optional<std::string> text_at(ItemView item, std::string_view path);
// A key as the item has it; nothing when the item is not in that index.
std::optional<std::string> key_text(ItemView item, const KeyParts& parts);
std::vector<std::string> key_texts(const LintedEntity& entity, const KeyParts& parts);

inline constexpr double kRareAccessesPerSecond = 1.0 / 3600;
inline constexpr double kItemBytesMax = 400 * 1024.0;
inline constexpr double kItemBytesNearMax = 300 * 1024.0;
inline constexpr double kPageBytesMax = 1024 * 1024.0;

// Each file of rules has one way in.
void lint_partition_keys(LintContext& context);
void lint_shared_keys(LintContext& context);
void lint_sort_keys(LintContext& context);
void lint_items(LintContext& context);
void lint_accesses(LintContext& context);
std::vector<ChecklistPoint> decide_checklist(const LintContext& context, const Sample& sample);

}  // namespace partita::model
