// The design checklist: ten points, each decided from findings, accesses and the sample.
#include <algorithm>

#include "model/design/lint_context.h"

namespace partita::model {
namespace {

using Decision = ChecklistPoint::Decision;

class Checklist {
 public:
  Checklist(const LintContext& context, const Sample& sample)
      : context_(context), sample_(sample) {}

  std::vector<ChecklistPoint> decide() {
    accesses();
    primary_keys();
    indexes();
    scans();
    sizes();
    hot_partitions();
    batches();
    pages();
    conditions();
    expiry();
    return std::move(points_);
  }

 private:
  void add(std::string_view point, Decision decision, std::string because) {
    points_.push_back({point, decision, std::move(because)});
  }
  // No with the first finding of these rules, otherwise what is given.
  void add_unless_found(std::string_view point, std::initializer_list<LintRule> rules,
                        Decision otherwise, std::string because) {
    for (const LintFinding& finding : context_.findings) {
      if (std::find(rules.begin(), rules.end(), finding.rule) == rules.end()) continue;
      return add(point, Decision::No, finding.where + ": " + std::string(name_of(finding.rule)));
    }
    add(point, otherwise, std::move(because));
  }
  template <typename Test>
  std::size_t count(Test test) const {
    return static_cast<std::size_t>(
        std::count_if(context_.accesses.begin(), context_.accesses.end(), test));
  }
  template <typename Test>
  const DeclaredAccess* first(Test test) const {
    for (const LintedAccess& access : context_.accesses) {
      if (test(access)) return access.declared;
    }
    return nullptr;
  }
  Decision yes_if_declared() const {
    return context_.accesses.empty() ? Decision::Unknown : Decision::Yes;
  }

  void accesses() {
    constexpr std::string_view point = "every access pattern is known and written down";
    if (context_.accesses.empty()) return add(point, Decision::Unknown, "no access is declared");
    for (const LintedEntity& entity : context_.entities) {
      for (const AccessPattern& pattern : entity.plan->patterns) {
        const bool used =
            count([&](const LintedAccess& access) { return access.pattern == &pattern; }) != 0;
        if (used) continue;
        const bool read_at_all =
            count([&](const LintedAccess& access) { return access.entity == &entity; }) != 0;
        if (pattern.index.empty() && read_at_all) continue;
        return add(point, Decision::No, "no access is declared by " + where(*entity.plan, pattern));
      }
    }
    add(point, Decision::Yes, std::to_string(context_.accesses.size()) + " are declared");
  }
  void primary_keys() {
    const std::size_t by_key = count([](const LintedAccess& access) {
      return access.pattern != nullptr && access.pattern->index.empty();
    });
    add_unless_found("partition and sort keys answer the primary access patterns",
                     {LintRule::UnansweredAccess, LintRule::MissingPrefix,
                      LintRule::OverGranularPartitionKey, LintRule::UnpaddedNumber,
                      LintRule::UnorderedVersion, LintRule::NonIsoDate, LintRule::RandomSortKey},
                     yes_if_declared(), std::to_string(by_key) + " accesses by the primary key");
  }
  void indexes() {
    const std::size_t by_index = count([](const LintedAccess& access) {
      return access.pattern != nullptr && !access.pattern->index.empty();
    });
    add_unless_found("indexes answer the other access patterns",
                     {LintRule::MissingInverseIndex, LintRule::CollidingPrefixes,
                      LintRule::CrowdedIndex, LintRule::LocalIndexCollection},
                     yes_if_declared(), std::to_string(by_index) + " accesses by an index");
  }
  void scans() {
    add_unless_found("nothing common needs a scan", {LintRule::ScanAsAccessPath}, yes_if_declared(),
                     "no access scans a table more than once an hour");
  }
  void sizes() {
    std::uint32_t largest = 0;
    for (const Sample::Entry& entry : sample_.entries()) {
      largest = std::max(largest, entry.item.view().size_bytes());
    }
    add_unless_found(
        "items stay below 400 KB",
        {LintRule::ItemNearLimit, LintRule::LargeRareAttribute, LintRule::UnboundedList},
        sample_.empty() ? Decision::Unknown : Decision::Yes,
        sample_.empty() ? "there is no sample"
                        : "the largest of the sample has " + std::to_string(largest) + " bytes");
  }
  void hot_partitions() {
    add_unless_found("no partition is hot",
                     {LintRule::ConstantPartitionKey, LintRule::TimestampPartitionKey,
                      LintRule::SequentialPartitionKey, LintRule::UnevenPartitionKey},
                     Decision::Yes,
                     sample_.empty() ? "as far as key templates tell; a sample tells more"
                                     : "neither by templates nor in the sample");
  }
  void batches() {
    const DeclaredAccess* one_by_one = first([](const LintedAccess& access) {
      return access.declared->kind == AccessKind::Get && access.declared->results > 1;
    });
    constexpr std::string_view point = "several items by key are read in batches";
    if (one_by_one == nullptr) return add(point, yes_if_declared(), "no access gets them singly");
    add(point, Decision::No, "'" + std::string(one_by_one->name) + "' gets them one by one");
  }
  void pages() {
    const DeclaredAccess* endless = first([](const LintedAccess& access) {
      const DeclaredAccess& declared = *access.declared;
      const bool lists = declared.kind == AccessKind::Query || declared.kind == AccessKind::Scan;
      if (!lists || declared.paged) return false;
      if (declared.kind == AccessKind::Scan || declared.results == 0) return true;
      const double bytes = access.entity == nullptr ? 0 : access.entity->item_bytes();
      return declared.results * bytes > kPageBytesMax;
    });
    constexpr std::string_view point = "lists are read page by page";
    if (endless == nullptr) {
      return add(point, yes_if_declared(), "every list is paged or fits into one page of 1 MB");
    }
    add(point, Decision::No, "'" + std::string(endless->name) + "' is not paged");
  }
  void conditions() {
    constexpr std::string_view point = "concurrent writes are conditional";
    const auto is_write = [](const LintedAccess& access) {
      return access.declared->kind == AccessKind::Write;
    };
    if (count(is_write) == 0) return add(point, Decision::Unknown, "no write is declared");
    const DeclaredAccess* blind = first([&](const LintedAccess& access) {
      return is_write(access) && access.declared->concurrent && !access.declared->conditional &&
             (access.entity == nullptr || access.entity->plan->version_attribute.empty());
    });
    if (blind == nullptr) {
      return add(point, Decision::Yes, "by a condition or a version where several write one item");
    }
    add(point, Decision::No,
        "'" + std::string(blind->name) + "' has neither a condition nor version<…>");
  }
  void expiry() {
    const auto expiring = std::count_if(context_.entities.begin(), context_.entities.end(),
                                        [](const LintedEntity& e) { return e.facts->expires; });
    add_unless_found("what expires has a time to live", {LintRule::MissingTimeToLive},
                     Decision::Yes, std::to_string(expiring) + " entities are declared to expire");
  }

  const LintContext& context_;
  const Sample& sample_;
  std::vector<ChecklistPoint> points_;
};

}  // namespace

std::vector<ChecklistPoint> decide_checklist(const LintContext& context, const Sample& sample) {
  return Checklist(context, sample).decide();
}

}  // namespace partita::model
