#include "model/design/lint_test.h"

namespace partita::model::design {
namespace {

// ---- Accesses

inline constexpr auto shop = define_table<"Shop">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">,
                                                  gsi<"Inverse", "SK", "PK">, ttl<"expires">);
inline constexpr auto users = define_table<"Users">(key<"PK", "SK">);
inline constexpr auto orders = define_table<"Orders">(key<"PK", "SK">);

inline constexpr auto user_alone = define_entity<Thing, "user">(users, key<"USER#{id}", "USER">);
inline constexpr auto order_alone =
    define_entity<Thing, "order">(orders, key<"ORDER#{id}", "ORDER">);
inline constexpr auto user = define_entity<Thing, "user">(shop, key<"USER#{id}", "USER">);
inline constexpr auto order =
    define_entity<Thing, "order">(shop, key<"USER#{owner}", "ORDER#{created}#{id}">);

TEST(LintAccess, table_per_entity) {
  expect_only(lint(design_of<user_alone, order_alone>(), {}), LintRule::TablePerEntity,
              "Users, Orders");
  expect_clean(lint(design_of<user, order>(), {}));
}

inline constexpr auto featured = define_entity<Thing, "featured">(
    shop, key<"THING#{id}", "THING">, indexed<"featured", "GSI1", "FEATURED#{featured}", "{id}">);

TEST(LintAccess, scan_as_access_path) {
  const DeclaredAccess scan{.name = "open orders",
                            .entity = "order",
                            .kind = AccessKind::Scan,
                            .per_second = 2,
                            .paged = true};
  expect_only(lint(design_of<order>(), {scan}), LintRule::ScanAsAccessPath, "open orders");
  DeclaredAccess rare = scan;
  rare.per_second = 1.0 / 86400;  // an export at night
  expect_clean(lint(design_of<order>(), {rare}));
  const DeclaredAccess sparse{.name = "featured",
                              .entity = "featured",
                              .kind = AccessKind::Scan,
                              .by = "featured",
                              .paged = true};
  expect_clean(lint(design_of<featured>(), {sparse}));
}

inline constexpr auto one_way =
    define_entity<Thing, "one_way">(shop, key<"USER#{owner}", "GROUP#{text}">);
inline constexpr auto both_ways = define_entity<Thing, "both_ways">(
    shop, key<"USER#{owner}", "GROUP#{text}">, indexed<"inverse", "Inverse">);

TEST(LintAccess, missing_inverse_index) {
  const auto asked = [](std::string_view entity, std::string_view given) {
    return DeclaredAccess{.name = "members", .entity = entity, .given = {given}, .results = 9};
  };
  expect_clean(lint(design_of<one_way>(), {asked("one_way", "owner")}));
  expect_only(lint(design_of<one_way>(), {asked("one_way", "text")}), LintRule::MissingInverseIndex,
              "members");
  expect_clean(lint(design_of<both_ways>(), {asked("both_ways", "text")}));
  expect_only(lint(design_of<both_ways>(), {asked("both_ways", "number")}),
              LintRule::UnansweredAccess, "members");
  expect_only(lint(design_of<both_ways>(), {asked("nobody", "text")}), LintRule::UnansweredAccess,
              "members");
}

inline constexpr auto everything = define_entity<Thing, "everything">(
    shop, key<"THING#{id}", "THING">, indexed<"featured", "GSI1", "THING#{owner}", "{id}">);

TEST(LintAccess, index_that_every_item_enters) {
  const auto few = [](std::string_view entity) {
    return DeclaredAccess{.name = "featured", .entity = entity, .by = "featured", .share = 0.05};
  };
  expect_only(lint(design_of<everything>(), {few("everything")}), LintRule::CrowdedIndex,
              "everything.featured");
  expect_only(lint(design_of<everything>(), {few("everything")}, sample_of<everything>(things(60))),
              LintRule::CrowdedIndex, "everything.featured");
  expect_clean(lint(design_of<featured>(), {few("featured")}));
  expect_clean(lint(design_of<featured>(), {few("featured")}, sample_of<featured>(things(60))));
}

// ---- Items

struct Document {
  std::string id{};
  std::string title{};
  std::string body{};
  std::vector<std::string> comments{};
  std::optional<std::chrono::sys_seconds> expires{};
};
inline constexpr auto document = define_entity<Document, "document">(shop, key<"DOC#{id}", "DOC">);

Sample documents(std::size_t body_bytes, std::size_t comments,
                 std::optional<std::chrono::sys_seconds> expires = {}) {
  Document made{
      .id = "1", .title = "one", .body = std::string(body_bytes, 'x'), .expires = expires};
  made.comments.assign(comments, "yes");
  return sample_of<document>(std::vector{made});
}
const std::chrono::sys_seconds kSomeday{std::chrono::seconds(1900000000)};

TEST(LintItem, near_the_limit) {
  expect_only(lint(design_of<document>(), {}, documents(350 * 1024, 1)), LintRule::ItemNearLimit,
              "document");
  expect_clean(lint(design_of<document>(), {}, documents(100 * 1024, 1)));
}

TEST(LintItem, large_attribute_that_few_reads_need) {
  const DeclaredAccess title{.name = "title",
                             .entity = "document",
                             .kind = AccessKind::Get,
                             .per_second = 100,
                             .reads = {"id", "title"}};
  DeclaredAccess whole{
      .name = "whole", .entity = "document", .kind = AccessKind::Get, .per_second = 1};
  const LintReport report = lint(design_of<document>(), {title, whole}, documents(50 * 1024, 1));
  expect_only(report, LintRule::LargeRareAttribute, "document");
  EXPECT_NE(report.findings[0].problem.find("'body'"), std::string::npos);
  expect_clean(lint(design_of<document>(), {title, whole}, documents(5 * 1024, 1)));
  whole.per_second = 50;
  expect_clean(lint(design_of<document>(), {title, whole}, documents(50 * 1024, 1)));
}

TEST(LintItem, unbounded_list) {
  expect_only(lint(design_of<document>(), {}, documents(1, 500)), LintRule::UnboundedList,
              "document");
  expect_only(lint(design_of<document>(), {}), LintRule::UnboundedList, "document");
  expect_clean(lint(design_of<document>(), {}, documents(1, 5)));
  Design bounded;
  bounded.add<document>({.bounded = {"comments"}});
  expect_clean(lint(bounded, {}, documents(1, 500)));
}

inline constexpr auto session_without_ttl =
    define_entity<Thing, "session">(users, key<"SESSION#{id}", "SESSION">);
inline constexpr auto session_without_member =
    define_entity<Thing, "session">(shop, key<"SESSION#{id}", "SESSION">);

TEST(LintItem, expires_without_time_to_live) {
  Design without_ttl, without_member, expiring;
  without_ttl.add<session_without_ttl>({.expires = true});
  without_member.add<session_without_member>({.expires = true});
  expiring.add<document>({.expires = true, .bounded = {"comments"}});
  expect_only(lint(without_ttl, {}), LintRule::MissingTimeToLive, "session");
  expect_only(lint(without_member, {}), LintRule::MissingTimeToLive, "session");
  expect_only(lint(expiring, {}, documents(1, 1)), LintRule::MissingTimeToLive, "document");
  expect_clean(lint(expiring, {}, documents(1, 1, kSomeday)));

  Sample milliseconds;
  Item item(documents(1, 1, kSomeday).entries()[0].item);
  item.set("expires", Value::number(1900000000000));
  milliseconds.add("Shop", item);
  const LintReport report = lint(expiring, {}, milliseconds);
  expect_only(report, LintRule::MissingTimeToLive, "document");
  EXPECT_NE(report.findings[0].problem.find("milliseconds"), std::string::npos);
}

inline constexpr auto local_table =
    define_table<"Local">(key<"PK", "SK">, lsi<"ByNumber", "LSI1SK">);
inline constexpr auto local_thing =
    define_entity<Thing, "local">(local_table, key<"OWNER#{owner}", "THING#{id}">,
                                  indexed<"by_number", "ByNumber", "", "{number:08}">);
inline constexpr auto global_thing =
    define_entity<Thing, "global">(shop, key<"OWNER#{owner}", "THING#{id}">,
                                   indexed<"by_number", "GSI1", "OWNER#{owner}", "{number:08}">);

TEST(LintItem, local_index_with_a_collection_near_10_gb) {
  const auto with = [](double items) {
    Design design;
    design.add<local_thing>({.items_per_partition = items, .item_bytes = 1000});
    return lint(design, {});
  };
  expect_only(with(5e6), LintRule::LocalIndexCollection, "Local");
  expect_clean(with(1e6));
  Design global;
  global.add<global_thing>({.items_per_partition = 1e8, .item_bytes = 1000});
  expect_clean(lint(global, {}));
}

// ---- The checklist

std::vector<ChecklistPoint::Decision> decisions(const LintReport& report) {
  std::vector<ChecklistPoint::Decision> all;
  for (const ChecklistPoint& point : report.checklist) all.push_back(point.decision);
  return all;
}

TEST(Checklist, every_point_of_a_good_design_is_ticked) {
  Design design;
  design.add<document>({.expires = true, .bounded = {"comments"}}).add<both_ways>();
  const LintReport report =
      lint(design,
           {{.name = "document by id", .entity = "document", .kind = AccessKind::Get},
            {.name = "several documents",
             .entity = "document",
             .kind = AccessKind::BatchGet,
             .results = 20},
            {.name = "edit",
             .entity = "document",
             .kind = AccessKind::Write,
             .concurrent = true,
             .conditional = true},
            {.name = "groups of a user", .entity = "both_ways", .given = {"owner"}, .results = 20},
            {.name = "users of a group",
             .entity = "both_ways",
             .given = {"text"},
             .results = 0,
             .paged = true}},
           documents(100, 1, kSomeday));
  expect_clean(report);
  EXPECT_EQ(decisions(report),
            std::vector<ChecklistPoint::Decision>(10, ChecklistPoint::Decision::Yes))
      << report.text();
  EXPECT_TRUE(report.checklist_text().starts_with(
      "[x] every access pattern is known and written down (5 are declared)\n"));
}

TEST(Checklist, every_point_of_a_bad_design_is_open) {
  Design design;
  design.add<session_without_ttl>({.expires = true}).add<everything>().add<document>();
  Sample large = documents(390 * 1024, 200);
  const LintReport report = lint(
      design,
      {{.name = "find", .entity = "everything", .kind = AccessKind::Scan},
       {.name = "by number", .entity = "everything", .given = {"number"}},
       {.name = "a list of sessions", .entity = "session", .kind = AccessKind::Get, .results = 9},
       {.name = "endless", .entity = "everything", .by = "featured", .results = 0, .share = 0.01},
       {.name = "edit", .entity = "session", .kind = AccessKind::Write, .concurrent = true}},
      large);
  const auto found = decisions(report);
  ASSERT_EQ(found.size(), 10u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool hot_partitions = i == 5;  // there are none here
    EXPECT_EQ(found[i],
              hot_partitions ? ChecklistPoint::Decision::Yes : ChecklistPoint::Decision::No)
        << report.text();
  }
}

TEST(Checklist, what_cannot_be_known_is_said_to_be_open) {
  const LintReport report = lint(design_of<user>(), {});
  EXPECT_EQ(report.checklist[0].decision, ChecklistPoint::Decision::Unknown);
  EXPECT_EQ(report.checklist[4].because, "there is no sample");
  EXPECT_NE(
      report.checklist_text().find("[?] concurrent writes are conditional (no write is declared)"),
      std::string::npos);
}

TEST(LintReport, text_names_the_rule_the_place_and_the_remedy) {
  const std::string text = lint(design_of<document>(), {}).text();
  EXPECT_TRUE(text.starts_with("unbounded-list: document: 'comments' is a list")) << text;
  EXPECT_NE(text.find("\n    make each element an item"), std::string::npos) << text;
  EXPECT_NE(text.find("[ ] items stay below 400 KB (document: unbounded-list)"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace partita::model::design
