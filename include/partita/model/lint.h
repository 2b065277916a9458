// lint: does a design suit what the application does with it? Definitions say how items are keyed;
// declared accesses say how they are read and written; a sample shows what values look like.
//
//   Design shop;
//   shop.add<customer>().add<order>({.items_per_partition = 5000}).add<session>({.expires = true});
//
//   const LintReport report = lint(shop, {
//       {.name = "orders of a customer, newest first", .entity = "order", .given = {"customer"},
//        .results = 20, .ordered = true, .paged = true},
//       {.name = "open orders", .entity = "order", .by = "open", .share = 0.02, .paged = true},
//   }, sample);
//   EXPECT_TRUE(report.clean()) << report.text();
//
// docs/modelling/lint.md explains each rule.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/model/entity_plan.h"
#include "partita/model/sample.h"

namespace partita::model {

// What is known of an entity besides its definition.
struct EntityFacts {
  bool expires = false;                     // its items are of no use after some time
  double items_per_partition = 0;           // in the largest collection; 0: not known
  double item_bytes = 0;                    // of a typical item, when no sample shows it
  std::vector<std::string_view> bounded{};  // lists, sets and maps that cannot grow for ever
};

// The entities of an application, of all its tables.
class Design {
 public:
  struct Member {
    const EntityPlan* plan;
    EntityFacts facts;
  };
  template <const auto& Entity>
  Design& add(EntityFacts facts = {}) {
    members_.push_back({&Entity.plan, std::move(facts)});
    return *this;
  }
  const std::vector<Member>& members() const { return members_; }

 private:
  std::vector<Member> members_;
};

enum class AccessKind : std::uint8_t { Get, BatchGet, Query, Scan, Write };

// One thing that the application does.
struct DeclaredAccess {
  std::string_view name{};  // "orders of a customer, newest first"
  std::string_view entity{};
  AccessKind kind = AccessKind::Query;
  // The access pattern of the entity that answers it. When it is empty, `given` decides: the first
  // access pattern whose partition key is made of these members; without both, the primary key.
  std::string_view by{};
  std::vector<std::string_view> given{};
  double per_second = 1;
  double results = 1;        // items in an answer, at most; 0: there is no limit
  double share = 1;          // of all items of the entity, that this access is ever to find
  bool ordered = false;      // wants the order of the sort key, or a range of it
  bool paged = false;        // reads page by page
  bool concurrent = false;   // Write: several may write one item at the same time
  bool conditional = false;  // Write: under a condition
  std::vector<std::string_view> reads{};  // the attributes it needs; empty: all
};

enum class LintRule : std::uint8_t {
  TablePerEntity,
  ScanAsAccessPath,
  UnansweredAccess,
  ConstantPartitionKey,
  TimestampPartitionKey,
  SequentialPartitionKey,
  OverGranularPartitionKey,
  UnevenPartitionKey,
  MissingPrefix,
  CollidingPrefixes,
  UnpaddedNumber,
  UnorderedVersion,
  NonIsoDate,
  RandomSortKey,
  ItemNearLimit,
  LargeRareAttribute,
  UnboundedList,
  MissingInverseIndex,
  CrowdedIndex,
  MissingTimeToLive,
  LocalIndexCollection,
};
std::string_view name_of(LintRule rule);  // "table-per-entity"

struct LintFinding {
  LintRule rule{};
  std::string where{};  // "order.by_status"
  std::string problem{};
  std::string remedy{};
};

struct ChecklistPoint {
  enum class Decision : std::uint8_t { Yes, No, Unknown };
  std::string_view point{};
  Decision decision = Decision::Unknown;
  std::string because{};
};

struct LintReport {
  std::vector<LintFinding> findings{};
  std::vector<ChecklistPoint> checklist{};  // ten points, always in the same order

  bool clean() const { return findings.empty(); }
  bool has(LintRule rule) const;
  const LintFinding* find(LintRule rule) const;
  std::string text() const;            // findings, then the checklist
  std::string checklist_text() const;  // "[x] …", "[ ] …", "[?] …"
};

LintReport lint(const Design& design, std::span<const DeclaredAccess> accesses,
                const Sample& sample = {});
LintReport lint(const Design& design, std::initializer_list<DeclaredAccess> accesses,
                const Sample& sample = {});

}  // namespace partita::model
