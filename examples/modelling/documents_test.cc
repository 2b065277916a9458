#include "documents.h"

#include "example_test.h"

namespace examples::documents {
namespace {

using partita::ErrorCode;

class DocumentsTest : public ExampleTest {
 protected:
  void SetUp() override { ASSERT_DONE(write_manual(documents)); }
  Documents documents{*api};
};

TEST_F(DocumentsTest, the_latest_version_is_the_one_with_the_highest_number) {
  EXPECT_EQ(documents.latest("manual")->value().number, 12);
  EXPECT_FALSE(documents.latest("nothing")->has_value());
}

TEST_F(DocumentsTest, all_versions_come_in_order) {
  const auto numbers = names(documents.versions("manual"), &Version::number);
  EXPECT_EQ(numbers, (Names{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}));
  EXPECT_EQ(documents.find_version("manual", 2)->value().content, "Text 2");
}

TEST_F(DocumentsTest, the_second_of_two_writers_is_told) {
  ASSERT_DONE(documents.save("manual", 12, "bob", "Bob's"));
  const auto late = documents.save("manual", 12, "eve", "Eve's");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), ErrorCode::ConditionalCheckFailed);
  EXPECT_EQ(documents.latest("manual")->value().content, "Bob's");
}

TEST_F(DocumentsTest, a_document_is_created_once) {
  const auto again = documents.create("manual", "Another");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::ConditionalCheckFailed);
  EXPECT_EQ(documents.find_document("manual")->value().title, "The manual");
}

TEST_F(DocumentsTest, a_document_is_renamed_by_who_read_its_last_revision) {
  const Document read = documents.find_document("manual")->value();
  ASSERT_DONE(documents.rename(read, "Handbook"));
  const auto stale = documents.rename(read, "Guide");
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().code(), StaleVersion);
  EXPECT_EQ(documents.find_document("manual")->value().title, "Handbook");
  EXPECT_EQ(documents.find_document("manual")->value().revision, 2);
}

TEST(DocumentsDesign, lint_finds_nothing) {
  Design design;
  design.add<document>().add<document_version>();
  const LintReport report = lint(
      design,
      {{.name = "find_document", .entity = "document", .kind = AccessKind::Get, .given = {"id"}},
       {.name = "rename",
        .entity = "document",
        .kind = AccessKind::Write,
        .concurrent = true,
        .conditional = true},
       {.name = "save",
        .entity = "version",
        .kind = AccessKind::Write,
        .concurrent = true,
        .conditional = true},
       {.name = "versions",
        .entity = "version",
        .given = {"document"},
        .results = 0,
        .ordered = true}});
  EXPECT_EQ(findings(report), Names{}) << report.text();
}

}  // namespace
}  // namespace examples::documents
