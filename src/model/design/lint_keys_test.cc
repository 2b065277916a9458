#include "model/design/lint_test.h"

namespace partita::model::design {
namespace {

inline constexpr auto single = define_table<"Single">(
    key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, gsi<"GSI2", "GSI2PK", "GSI2SK">);
// The good design that most tests hold against a bad one.
inline constexpr auto good =
    define_entity<Thing, "good">(single, key<"OWNER#{owner}", "THING#{created}#{id}">,
                                 indexed<"by_number", "GSI1", "GOOD#{owner}", "N#{number:08}">);

// ---- Partition keys

inline constexpr auto constant_key =
    define_entity<Thing, "constant">(single, key<"THINGS", "THING#{id}">);
inline constexpr auto bucket_key =
    define_entity<Thing, "bucket">(single, key<"THINGS#{id|shard:10}", "THING#{id}">);
inline constexpr auto singleton =
    define_entity<Thing, "singleton">(single, key<"CONFIG", "CONFIG">);
inline constexpr auto featured = define_entity<Thing, "featured">(
    single, key<"THING#{id}", "THING">, indexed<"featured", "GSI1", "FEATURED", "{featured}#{id}">);
inline constexpr auto all_things = define_entity<Thing, "all">(
    single, key<"THING#{id}", "THING">, indexed<"all", "GSI1", "ALL", "{created}#{id}">);

TEST(LintPartitionKey, constant) {
  expect_only(lint(design_of<constant_key>(), {}), LintRule::ConstantPartitionKey, "constant");
  expect_only(lint(design_of<all_things>(), {}), LintRule::ConstantPartitionKey, "all.all");
  expect_clean(lint(design_of<bucket_key>(), {}));
  expect_clean(lint(design_of<singleton>(), {}));
  expect_clean(lint(design_of<featured>(), {}));
  Design few;
  few.add<constant_key>({.items_per_partition = 200});
  expect_clean(lint(few, {}));
}

inline constexpr auto time_key = define_entity<Thing, "time">(single, key<"{created}", "{id}">);
inline constexpr auto text_key = define_entity<Thing, "text">(single, key<"AT#{text}", "{id}">);
inline constexpr auto month_key =
    define_entity<Thing, "month">(single, key<"TIMELINE#{created:month}", "{created}#{id}">);

TEST(LintPartitionKey, timestamp_only) {
  expect_only(lint(design_of<time_key>(), {}), LintRule::TimestampPartitionKey, "time");
  auto dated = things(20);
  for (int i = 0; i < 20; ++i)
    dated[static_cast<std::size_t>(i)].text = std::to_string(1700000000 + i * 999);
  expect_only(lint(design_of<text_key>(), {}, sample_of<text_key>(dated)),
              LintRule::TimestampPartitionKey, "text");

  const DeclaredAccess few{.name = "add", .entity = "month", .kind = AccessKind::Write};
  DeclaredAccess many = few;
  many.per_second = 5000;
  expect_clean(lint(design_of<month_key>(), {few}));
  expect_only(lint(design_of<month_key>(), {many}), LintRule::TimestampPartitionKey, "month");
  expect_clean(lint(design_of<text_key>(), {}, sample_of<text_key>(things(20))));
}

inline constexpr auto number_key =
    define_entity<Thing, "numbered">(single, key<"THING#{number}", "THING">);

TEST(LintPartitionKey, sequential) {
  auto counted = things(30);
  for (int i = 0; i < 30; ++i) counted[static_cast<std::size_t>(i)].number = 1000 + i;
  expect_only(lint(design_of<number_key>(), {}, sample_of<number_key>(counted)),
              LintRule::SequentialPartitionKey, "numbered");
  expect_clean(lint(design_of<number_key>(), {}, sample_of<number_key>(things(30))));
}

inline constexpr auto fine_key =
    define_entity<Thing, "fine">(single, key<"THING#{owner}#{created}", "THING#{id}">);

TEST(LintPartitionKey, over_granular) {
  expect_only(lint(design_of<fine_key>(), {}), LintRule::OverGranularPartitionKey, "fine");
  expect_clean(lint(design_of<good>(), {}));
  // By the sample: a query wants several, but no two share a partition.
  const DeclaredAccess several{.name = "of an id", .entity = "featured", .results = 20};
  expect_only(lint(design_of<featured>(), {several}, sample_of<featured>(things(30))),
              LintRule::OverGranularPartitionKey, "featured");
  const DeclaredAccess owned{.name = "of an owner", .entity = "good", .results = 20};
  expect_clean(lint(design_of<good>(), {owned}, sample_of<good>(things(30))));
}

TEST(LintPartitionKey, uneven_in_the_sample) {
  auto skewed = things(100);
  for (std::size_t i = 0; i < 80; ++i) skewed[i].owner = "largest";
  const LintReport report = lint(design_of<good>(), {}, sample_of<good>(skewed));
  expect_found(report, LintRule::UnevenPartitionKey, "good");
  EXPECT_NE(report.findings[0].problem.find("OWNER#largest"), std::string::npos);
  expect_clean(lint(design_of<good>(), {}, sample_of<good>(things(100))));
}

// ---- Prefixes

inline constexpr auto bare = define_entity<Thing, "bare">(single, key<"{id}", "BARE">);
inline constexpr auto other = define_entity<Thing, "other">(single, key<"OTHER#{id}", "OTHER">);

TEST(LintSharedKeys, missing_prefix) {
  expect_only(lint(design_of<bare, other>(), {}), LintRule::MissingPrefix, "bare");
  expect_clean(lint(design_of<bare>(), {}));  // alone in its table, nothing can meet it
  expect_clean(lint(design_of<good, other>(), {}));
}

inline constexpr auto order = define_entity<Thing, "order">(
    single, key<"ORDER#{id}", "ORDER">, indexed<"by_status", "GSI1", "STATUS#{text}", "{created}">);
inline constexpr auto invoice =
    define_entity<Thing, "invoice">(single, key<"INVOICE#{id}", "INVOICE">,
                                    indexed<"by_status", "GSI1", "STATUS#{text}", "{created}">);
inline constexpr auto told_apart = define_entity<Thing, "told_apart">(
    single, key<"APART#{id}", "APART">,
    indexed<"by_status", "GSI1", "INVOICESTATUS#{text}", "{created}">);
inline constexpr auto parent =
    define_entity<Thing, "parent">(single, key<"OWNER#{owner}", "ORDER#{id}">);
inline constexpr auto child =
    define_entity<Thing, "child">(single, key<"OWNER#{owner}", "ORDER#{id}#ITEM#{number:04}">);
inline constexpr auto twin =
    define_entity<Thing, "twin">(single, key<"OWNER#{text}", "ORDER#{owner}">);

TEST(LintSharedKeys, colliding_prefixes) {
  expect_only(lint(design_of<order, invoice>(), {}), LintRule::CollidingPrefixes,
              "order.by_status");
  expect_clean(lint(design_of<order, told_apart>(), {}));
  expect_only(lint(design_of<parent, twin>(), {}), LintRule::CollidingPrefixes, "parent");
  expect_clean(lint(design_of<parent, child>(), {}));
}

// ---- Sort keys

inline constexpr auto unpadded =
    define_entity<Thing, "unpadded">(single, key<"OWNER#{owner}", "N#{number}#{id}">);
inline constexpr auto padded =
    define_entity<Thing, "padded">(single, key<"OWNER#{owner}", "N#{number:08}#{id}">);
inline constexpr auto native_table = define_table<"Native">(key<"owner", "number:N">);
inline constexpr auto native =
    define_entity<Thing, "native">(native_table, key<"{owner}", "{number}">);
inline constexpr auto by_text =
    define_entity<Thing, "by_text">(single, key<"OWNER#{owner}", "T#{text}">);

std::vector<Thing> with_texts(std::initializer_list<const char*> texts) {
  std::vector<Thing> all = things(static_cast<int>(texts.size()));
  std::size_t next = 0;
  for (const char* text : texts) all[next++].text = text;
  return all;
}
LintReport lint_texts(std::initializer_list<const char*> texts, bool ordered = false) {
  const DeclaredAccess access{.name = "list", .entity = "by_text", .ordered = ordered};
  return lint(design_of<by_text>(), {access}, sample_of<by_text>(with_texts(texts)));
}

TEST(LintSortKey, unpadded_number) {
  expect_only(lint(design_of<unpadded>(), {}), LintRule::UnpaddedNumber, "unpadded");
  expect_clean(lint(design_of<padded>(), {}));
  expect_clean(lint(design_of<native>(), {}));
  expect_only(lint_texts({"2", "10", "7"}), LintRule::UnpaddedNumber, "by_text");
  expect_clean(lint_texts({"02", "10", "07"}));
}

inline constexpr auto versioned =
    define_entity<Thing, "versioned">(single, key<"DOC#{id}", "v{number}">);
inline constexpr auto padded_version =
    define_entity<Thing, "padded_version">(single, key<"DOC#{id}", "v{number:08}">);

TEST(LintSortKey, v10_before_v2) {
  expect_only(lint(design_of<versioned>(), {}), LintRule::UnorderedVersion, "versioned");
  expect_clean(lint(design_of<padded_version>(), {}));
  expect_only(lint_texts({"v1", "v2", "v10"}), LintRule::UnorderedVersion, "by_text");
  expect_clean(lint_texts({"v01", "v02", "v10"}));
}

TEST(LintSortKey, date_that_is_not_iso) {
  expect_only(lint_texts({"12/1/2024", "2/1/2024"}), LintRule::NonIsoDate, "by_text");
  expect_only(lint_texts({"1.12.2024", "24.12.2024"}), LintRule::NonIsoDate, "by_text");
  expect_only(lint_texts({"Dec 1, 2024", "Jan 12, 2024"}), LintRule::NonIsoDate, "by_text");
  expect_clean(lint_texts({"2024-12-01", "2024-02-01"}));
  expect_clean(lint_texts({"maybe 1", "1.2"}));
}

TEST(LintSortKey, random) {
  expect_only(lint_texts({"0.82374623", "0.1203948", "0.5512345"}), LintRule::RandomSortKey,
              "by_text");
  const auto uuids = {"9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
                      "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"};
  expect_only(lint_texts(uuids, true), LintRule::RandomSortKey, "by_text");
  expect_clean(lint_texts(uuids, false));  // found by its id, in no order
  expect_clean(lint_texts({"01HQ3ZJ5C4M7Z3Q8R6T9V2W1XY", "01HQ3ZJ5C4M7Z3Q8R6T9V2W1XZ"}, true));
  expect_clean(lint_texts({"018f4e2a-7b1c-7def-8123-456789abcdef"}, true));
}

}  // namespace
}  // namespace partita::model::design
