// TagResource, UntagResource and ListTagsOfResource where scripts do not reach: other accounts,
// delays, openings; and what DescribeTimeToLive and DescribeContinuousBackups say meanwhile.
#include "operations/tables/table_operations.h"
#include "operations/tables/tables_fixture.h"

namespace partita {
namespace {

class Tags : public TablesTest {
 protected:
  std::string arn() const {
    return "arn:aws:dynamodb:" + options_.region + ":" + options_.account_id + ":table/Music";
  }
  auto tag(std::string key, std::string value) {
    return tag_resource(context(), {arn(), {{std::move(key), std::move(value)}}});
  }
  auto list() { return list_tags_of_resource(context(), {arn(), {}}); }
  std::string missing() const {
    return "Requested resource not found: ResourceArn: " + arn() + " not found";
  }
};

TEST_F(Tags, survive_a_new_opening_and_other_changes) {
  create(on_demand("Music"));
  ASSERT_TRUE(tag("team", "blue"));
  const std::uint64_t tagged = ticket_.version;
  UpdateTableRequest protect;
  protect.table_name = "Music";
  protect.deletion_protection_enabled = true;
  update(protect);
  EXPECT_GT(ticket_.version, tagged);
  reopen();
  const auto tags = list();
  ASSERT_TRUE(tags);
  ASSERT_EQ(tags->tags.size(), 1u);
  EXPECT_EQ(tags->tags[0].key, "team");
  EXPECT_EQ(tags->tags[0].value, "blue");
  EXPECT_TRUE(describe_named("Music").deletion_protection_enabled);
}

TEST_F(Tags, what_changes_nothing_is_not_written) {
  create(on_demand("Music"));
  ASSERT_TRUE(tag("team", "blue"));
  const TablePointer before = catalog_->find_any("Music", now_);
  ASSERT_TRUE(tag("team", "blue"));
  ASSERT_TRUE(untag_resource(context(), {arn(), {"other"}}));
  EXPECT_EQ(catalog_->find_any("Music", now_), before);
}

TEST_F(Tags, a_table_that_comes_or_goes_has_none_yet_or_any_more) {
  delay_by(50);
  create(on_demand("Music"));
  EXPECT_EQ(failure(tag("team", "blue"), ErrorCode::ResourceNotFound), missing());
  EXPECT_EQ(failure(list(), ErrorCode::ResourceNotFound), missing());
  pass(50);
  ASSERT_TRUE(tag("team", "blue"));
  ASSERT_TRUE(delete_table(context(), {"Music"}));
  EXPECT_EQ(failure(list(), ErrorCode::ResourceNotFound), missing());
}

TEST_F(Tags, of_a_missing_table_are_denied_to_other_accounts) {
  EXPECT_EQ(failure(list(), ErrorCode::ResourceNotFound), missing());
  EXPECT_EQ(failure(tag("k", "v"), ErrorCode::ResourceNotFound), missing());
  const auto tags =
      list_tags_of_resource(context(), {"arn:aws:dynamodb:us-east-1:000000000000:table/Music", {}});
  EXPECT_EQ(failure(tags, ErrorCode::AccessDenied), "Access is denied");
}

TEST_F(Tags, an_arn_from_elsewhere_means_the_table_of_that_name) {
  create(on_demand("Music"));
  const auto tags =
      list_tags_of_resource(context(), {"arn:aws:dynamodb:eu-west-1:999999999999:table/Music", {}});
  EXPECT_TRUE(tags);
}

TEST_F(Tags, many_keys_to_take_away_are_too_many) {
  create(on_demand("Music"));
  UntagResourceRequest request{arn(), {}};
  for (int i = 0; i < 51; ++i) request.tag_keys.push_back("k" + std::to_string(i));
  EXPECT_EQ(failure(untag_resource(context(), request)),
            "Number of Tags exceed the current limit for the provided ResourceArn");
  request.tag_keys.pop_back();
  EXPECT_TRUE(untag_resource(context(), request));
}

class DescribeParts : public TablesTest {};

TEST_F(DescribeParts, of_a_table_that_comes_or_goes) {
  delay_by(50);
  create(on_demand("Music"));
  const auto time_to_live = [&] { return describe_time_to_live(context(), {"Music"}); };
  const auto backups = [&] { return describe_continuous_backups(context(), {"Music"}); };
  EXPECT_EQ(failure(time_to_live()),
            "Cannot describe time to live while table is in CREATING state: Current table state is "
            "CREATING");
  EXPECT_EQ(failure(backups(), ErrorCode::TableNotFound), "Table not found: Music");
  pass(50);
  EXPECT_TRUE(time_to_live());
  EXPECT_TRUE(backups());
  ASSERT_TRUE(delete_table(context(), {"Music"}));
  EXPECT_EQ(failure(time_to_live()),
            "Cannot describe time to live while table is in DELETING state: Current table state is "
            "DELETING");
  EXPECT_EQ(failure(backups(), ErrorCode::TableNotFound), "Table not found: Music");
  pass(50);
  failure(time_to_live(), ErrorCode::ResourceNotFound);
}

TEST_F(DescribeParts, endpoints_are_where_the_caller_found_us) {
  EXPECT_EQ(describe_endpoints(context(), {"db.example:8000"})->endpoints[0].address,
            "db.example:8000");
}

}  // namespace
}  // namespace partita
