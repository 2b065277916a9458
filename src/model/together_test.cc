// What is written together: transactions, unique values, counters, sequences, versions.
#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "partita/database.h"

#include "model/park_test.h"

namespace partita::model {
namespace {

using namespace std::chrono_literals;
using Moment = std::chrono::sys_time<std::chrono::milliseconds>;

struct Project {
  std::string name{};
  std::int64_t issues = 0;
  std::int64_t stars = 0;
  friend bool operator==(const Project&, const Project&) = default;
};
struct Issue {
  std::string project{};
  std::int64_t number = 0;
  std::string title{};
  bool open = true;
  std::string assignee{};
};
struct Star {
  std::string project{};
  std::string user{};
  std::int64_t since = 0;
};
struct User {
  std::string name{};
  std::string email{};
  std::optional<std::string> phone{};
  std::string org{};
  std::string badge{};
  std::int64_t version = 0;
  Moment created{};
  Moment updated{};
};

inline constexpr auto tracker = define_table<"Tracker">(
    key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, gsi<"Inverted", "SK", "PK">);
inline constexpr auto project =
    define_entity<Project, "project">(tracker, key<"PROJECT#{name}", "PROJECT#{name}">);
inline constexpr auto issue = define_entity<Issue, "issue">(
    tracker, key<"PROJECT#{project}", "ISSUE#{number:08}">,
    indexed<"assigned", "GSI1", "USER#{assignee}", "{project}#{number:08}", when<"open">>,
    numbered_by<&Issue::number, &Project::issues, "PROJECT#{project}", "PROJECT#{project}">);
inline constexpr auto star = define_entity<Star, "star">(
    tracker, key<"PROJECT#{project}", "STAR#{user}">, indexed<"starred", "Inverted">,
    counted_by<&Project::stars, "PROJECT#{project}", "PROJECT#{project}">, created<&Star::since>);
inline constexpr auto user = define_entity<User, "user">(
    tracker, key<"USER#{name}", "USER#{name}">,
    indexed<"by_activity", "GSI1", "ORG#{org}", "{updated|rev}#{name}">, unique<"email">,
    unique<"phone">, unique<"org", "badge">, version<&User::version>, created<&User::created>,
    updated<&User::updated>);
inline constexpr auto project_and_all = define_collection<"", project, issue, star>();

// On every engine: the one for rehearsals lets commits fail that could fail elsewhere.
class TogetherTest : public testing::TestWithParam<EngineKind> {
 protected:
  TogetherTest() {
    const auto created = table.create_if_missing();
    EXPECT_TRUE(created) << created.error().message();
    table.set_clock([this] { return now; });
  }
  std::chrono::system_clock::time_point now = park::day(0);
  std::unique_ptr<Database> open() {
    Options options;
    options.engine = GetParam();
    options.durability = Durability::Relaxed;
    if (GetParam() == EngineKind::Rocksdb) {
      directory = (std::filesystem::temp_directory_path() / ("kit-" + new_ulid())).string();
      options.data_directory = directory;
    }
    auto opened = Database::open(options);
    EXPECT_TRUE(opened) << opened.error().message();
    return std::move(*opened);
  }
  void TearDown() override {
    database.reset();
    if (!directory.empty()) std::filesystem::remove_all(directory);
  }

  std::string directory;
  std::unique_ptr<Database> database = open();
  Table<std::remove_cvref_t<decltype(tracker)>> table = tracker.in(*database);
  Repository<EntityOf<project>> projects = table.repository<project>();
  Repository<EntityOf<issue>> issues = table.repository<issue>();
  Repository<EntityOf<star>> stars = table.repository<star>();
  Repository<EntityOf<user>> users = table.repository<user>();
};

#ifdef PARTITA_WITH_ROCKSDB
INSTANTIATE_TEST_SUITE_P(Engines, TogetherTest,
                         testing::Values(EngineKind::Memory, EngineKind::Rehearsal,
                                         EngineKind::Rocksdb));
#else
INSTANTIATE_TEST_SUITE_P(Engines, TogetherTest,
                         testing::Values(EngineKind::Memory, EngineKind::Rehearsal));
#endif

User ada() { return {.name = "ada", .email = "ada@x.org", .org = "X", .badge = "1"}; }

TEST_P(TogetherTest, issues_are_numbered_by_their_project) {
  const auto orphan = issues.create({.project = "p", .title = "none"}).run();
  ASSERT_FALSE(orphan);
  EXPECT_EQ(orphan.error().code(), ErrorCode::ConditionalCheckFailed);
  ASSERT_TRUE(projects.create({.name = "p"}).run());
  EXPECT_EQ(issues.create({.project = "p", .title = "a"}).run()->number, 1);
  EXPECT_EQ(issues.create({.project = "p", .title = "b"}).run()->number, 2);
  EXPECT_EQ(projects.get("p").run()->value().issues, 2);
  EXPECT_EQ(issues.query("p").newest_first().first().value()->title, "b");
}

TEST_P(TogetherTest, stars_are_counted) {
  EXPECT_FALSE(stars.create({.project = "p", .user = "ada"}).run()) << "there is no project";
  ASSERT_TRUE(projects.create({.name = "p"}).run());
  ASSERT_TRUE(stars.create({.project = "p", .user = "ada"}).run());
  ASSERT_TRUE(stars.create({.project = "p", .user = "bob"}).run());
  EXPECT_FALSE(stars.create({.project = "p", .user = "ada"}).run()) << "starred already";
  EXPECT_EQ(projects.get("p").run()->value().stars, 2);
  ASSERT_TRUE(stars.put({.project = "p", .user = "ada"}).run());
  EXPECT_EQ(projects.get("p").run()->value().stars, 2) << "it was there";
  ASSERT_TRUE(stars.remove("p", "ada").run());
  ASSERT_TRUE(stars.remove("p", "ada").run()) << "removing what is gone is no error";
  EXPECT_EQ(projects.get("p").run()->value().stars, 1);
  const auto starred = stars.query<"starred">("bob").all();
  ASSERT_EQ(starred->size(), 1u);
  EXPECT_EQ((*starred)[0].project, "p");
  EXPECT_EQ((*starred)[0].since, 1704067200) << "2024 began";
}

TEST_P(TogetherTest, unique_values_stay_unique_through_create_update_put_and_remove) {
  ASSERT_TRUE(users.create(ada()).run());
  User eve{.name = "eve", .email = "ada@x.org", .org = "X", .badge = "2"};
  const auto refused = users.create(eve).run();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), NotUnique);
  EXPECT_EQ(refused.error().message(), "user: another one has this email");
  eve.email = "eve@x.org";
  eve.badge = "1";
  EXPECT_EQ(users.create(eve).run().error().message(), "user: another one has this org+badge");
  eve.badge = "2";
  ASSERT_TRUE(users.create(eve).run());

  EXPECT_EQ(
      users.update("eve").set<&User::email>("ada@x.org").read_modify_write().run().error().code(),
      NotUnique);
  const auto moved =
      users.update("ada").set<&User::email>("lovelace@x.org").read_modify_write().returning_new();
  ASSERT_TRUE(moved) << moved.error().message();
  EXPECT_EQ(moved->email, "lovelace@x.org");
  const auto freed = users.update("eve").set<&User::email>("ada@x.org").read_modify_write().run();
  EXPECT_TRUE(freed) << freed.error().message();

  User changed = users.get("ada").run()->value();
  changed.phone = "123";
  changed.email = "eve@x.org";
  const auto put = users.put(changed).run();
  ASSERT_TRUE(put) << put.error().message();
  User other = users.get("eve").run()->value();
  other.phone = "123";
  EXPECT_EQ(users.put(other).run().error().code(), NotUnique);
  ASSERT_TRUE(users.remove("ada").run());
  EXPECT_TRUE(users.put(other).run());
  EXPECT_EQ(users.scan().count().value(), 1);
}

TEST_P(TogetherTest, a_version_is_checked_and_raised) {
  const User first = users.create(ada()).run().value();
  EXPECT_EQ(first.version, 1);
  EXPECT_EQ(first.created, park::day(0));
  now = park::day(1);
  const User second = users.put(first).run().value();
  EXPECT_EQ(second.version, 2);
  EXPECT_EQ(second.created, park::day(0));
  EXPECT_EQ(second.updated, park::day(1));
  const auto stale = users.put(first).run();
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().code(), StaleVersion);
  EXPECT_EQ(stale.error().message(), "user: expected version 1, but the stored one is 2");
  EXPECT_EQ(users.existing(stale.error())->version, 2);
  now = park::day(2);
  const auto third =
      users.update("ada").set<&User::org>("Y").if_version(2).read_modify_write().returning_new();
  ASSERT_TRUE(third) << third.error().message();
  EXPECT_EQ(third->version, 3);
  EXPECT_EQ(third->updated, park::day(2));
  EXPECT_EQ(users.update("ada")
                .set<&User::org>("Z")
                .if_version(2)
                .read_modify_write()
                .run()
                .error()
                .code(),
            StaleVersion);
  EXPECT_EQ(users.remove("ada").if_version(2).run().error().code(), StaleVersion);
  EXPECT_TRUE(users.remove("ada").if_version(3).run());
}

TEST_P(TogetherTest, of_two_who_write_the_same_version_one_is_told) {
  User seen = users.create(ada()).run().value();
  std::atomic<int> stale = 0;
  const auto write = [&](const std::string& org) {
    User mine = seen;
    mine.org = org;
    auto done = users.put(mine).run();
    while (!done && is_retryable(done.error())) done = users.put(mine).run();  // they met
    if (!done) stale += done.error().code() == StaleVersion ? 1 : 100;
  };
  std::thread other(write, "Y");
  write("Z");
  other.join();
  EXPECT_EQ(stale, 1);
  EXPECT_EQ(users.get("ada").run()->value().version, 2);
}

TEST_P(TogetherTest, a_transaction_tells_of_a_version_that_is_not_the_one_stored) {
  const User seen = users.create(ada()).run().value();
  ASSERT_TRUE(users.put(seen).run());
  ASSERT_TRUE(projects.create({.name = "p"}).run());
  Transaction both(table);
  both.add(users.put(seen)).add(projects.update("p").add<&Project::stars>(1));
  ASSERT_FALSE(both.run());
  ASSERT_EQ(both.refusals().size(), 1u);
  EXPECT_EQ(both.refusals()[0].code, StaleVersion);
  EXPECT_EQ(projects.get("p").run()->value().stars, 0);
}

TEST_P(TogetherTest, a_migration_keeps_values_unique_and_counts_right) {
  ASSERT_TRUE(projects.create({.name = "p"}).run());
  for (const char* name : {"ada", "bob", "eve"}) {
    User made = ada();
    made.name = made.badge = name;
    made.email = name + std::string("@x.org");
    ASSERT_TRUE(users.create(made).run());
    ASSERT_TRUE(stars.create({.project = "p", .user = name}).run());
  }
  const auto move = [](User& each) {
    if (each.email.ends_with("@y.org")) return false;
    each.email = each.name + "@y.org";
    return true;
  };
  const auto moved = Migration<user>(table, "move", move).apply();
  ASSERT_TRUE(moved) << moved.error().message();
  EXPECT_EQ(moved->changed, 3);
  EXPECT_EQ(users.get("bob").run()->value().version, 2);
  User mallory{.name = "mallory", .email = "bob@y.org", .org = "X", .badge = "m"};
  EXPECT_EQ(users.create(mallory).run().error().code(), NotUnique);
  mallory.email = "bob@x.org";
  EXPECT_TRUE(users.create(mallory).run()) << "the old address is free";

  const auto clash = Migration<user>(table, "clash", [](User& each) {
                       each.badge = "1";
                       return true;
                     }).apply();
  ASSERT_FALSE(clash);
  EXPECT_EQ(clash.error().code(), NotUnique);
  const auto rename = Migration<star>(table, "rename", [](Star& each) {
                        each.user += "!";
                        return true;
                      }).apply();
  ASSERT_FALSE(rename);
  EXPECT_EQ(rename.error().message(),
            "star: a migration cannot change a member of the primary key");
  EXPECT_EQ(projects.get("p").run()->value().stars, 3);
}

TEST_P(TogetherTest, a_read_before_the_write_completes_index_keys) {
  ASSERT_TRUE(projects.create({.name = "p"}).run());
  ASSERT_TRUE(issues.create({.project = "p", .title = "a", .assignee = "ada"}).run());
  EXPECT_EQ(issues.query<"assigned">("ada").count().value(), 1);
  // The key is made of project, number, assignee and open; only open is set here.
  const auto closed = issues.update("p", 1).set<&Issue::open>(false).read_modify_write().run();
  ASSERT_TRUE(closed) << closed.error().message();
  EXPECT_EQ(issues.query<"assigned">("ada").count().value(), 0);
  ASSERT_TRUE(issues.update("p", 1).set<&Issue::open>(true).read_modify_write().run());
  EXPECT_EQ(issues.query<"assigned">("ada").count().value(), 1);
  const auto wrong = issues.update("p", 1)
                         .set<&Issue::open>(false)
                         .read_modify_write()
                         .when(field<&Issue::title> == "b")
                         .run();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code(), ErrorCode::ConditionalCheckFailed);
  EXPECT_FALSE(issues.update("p", 9).set<&Issue::open>(false).read_modify_write().run());
}

TEST_P(TogetherTest, a_failed_condition_says_what_was_there) {
  ASSERT_TRUE(projects.create({.name = "p", .stars = 3}).run());
  const auto again = projects.create({.name = "p"}).run();
  EXPECT_EQ(again.error().code(), ErrorCode::ConditionalCheckFailed);
  EXPECT_EQ(again.error().message(), "project: there is an item with this key already");
  EXPECT_EQ(projects.existing(again.error())->stars, 3);
  EXPECT_EQ(projects.update("q").set<&Project::stars>(0).run().error().message(),
            "project: there is no item with this key");
  EXPECT_EQ(projects.update("p")
                .set<&Project::stars>(0)
                .when(field<&Project::stars> > 3)
                .run()
                .error()
                .message(),
            "project: the condition is not met");
  EXPECT_EQ(projects.remove("q").when(field<&Project::stars> > 3).run().error().message(),
            "project: the condition is not met");
  EXPECT_EQ(stars.create({.project = "q", .user = "ada"}).run().error().message(),
            "star: the item that counts it in 'stars' is not there");
  Transaction star_of_nothing(table);
  star_of_nothing.add(stars.create({.project = "q", .user = "ada"}));
  EXPECT_EQ(star_of_nothing.run().error().message(),
            "operation 0, star: the item that counts it in 'stars' is not there");
}

TEST_P(TogetherTest, a_transaction_happens_as_a_whole_or_tells_why_not) {
  ASSERT_TRUE(projects.create({.name = "p"}).run());
  Transaction good(table);
  good.add(users.create(ada()))
      .add(issues.create({.project = "p", .title = "a"}))
      .add(projects.update("q").set<&Project::stars>(0).when(!exists(field<&Project::stars>)))
      .add(projects.check("z"));
  const auto refused = good.run();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::TransactionCanceled);
  ASSERT_EQ(good.refusals().size(), 2u);
  EXPECT_EQ(good.refusals()[0].operation, 2u);
  EXPECT_EQ(good.refusals()[0].entity, "project");
  EXPECT_EQ(good.refusals()[1].operation, 3u);
  EXPECT_EQ(refused.error().message(),
            "operation 2, project: there is no item with this key; "
            "operation 3, project: there is no item with this key");
  EXPECT_EQ(*users.get("ada").run(), std::nullopt);

  Transaction better(table);
  better.add(users.create(ada())).add(projects.update("p").add<&Project::stars>(5)).token("once");
  ASSERT_TRUE(better.run()) << better.refusals()[0].message;
  ASSERT_TRUE(better.run()) << "the token makes it happen once";
  EXPECT_EQ(projects.get("p").run()->value().stars, 5);

  User eve = ada();
  eve.name = "eve";
  Transaction third(table);
  third.add(projects.create({.name = "p"})).add(users.create(eve));
  ASSERT_FALSE(third.run());
  ASSERT_EQ(third.refusals().size(), 3u);
  EXPECT_EQ(third.refusals()[0].existing<project>()->stars, 5);
  EXPECT_EQ(third.refusals()[0].message, "project: there is an item with this key already");
  EXPECT_EQ(third.refusals()[1].code, NotUnique);
  EXPECT_EQ(third.refusals()[1].operation, 1u);

  Transaction twice(table);
  twice.add(projects.put({.name = "p"})).add(projects.remove("p"));
  EXPECT_EQ(twice.run().error().message(),
            "operations 0 and 1 of a transaction concern the same item");
}

TEST_P(TogetherTest, a_snapshot_reads_several_entities) {
  ASSERT_TRUE(projects.create({.name = "p"}).run());
  ASSERT_TRUE(users.create(ada()).run());
  const auto read =
      Snapshot(table).add(projects.get("p")).add(users.get("ada")).add(users.get("bob")).run();
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->at<project>(0)->value().name, "p");
  EXPECT_EQ(read->of<user>()->size(), 1u);
  EXPECT_EQ(*read->at<user>(2), std::nullopt);
}

TEST_P(TogetherTest, a_collection_is_read_by_one_query_and_typed) {
  ASSERT_TRUE(projects.create({.name = "p"}).run());
  ASSERT_TRUE(issues.create({.project = "p", .title = "a"}).run());
  ASSERT_TRUE(issues.create({.project = "p", .title = "b"}).run());
  ASSERT_TRUE(stars.create({.project = "p", .user = "ada"}).run());
  auto lists = project_and_all.in(table).query("p").fetch();
  ASSERT_TRUE(lists) << lists.error().message();
  auto& [found, open, starred] = *lists;
  EXPECT_EQ(found.size(), 1u);
  EXPECT_EQ(open.size(), 2u);
  EXPECT_EQ(starred.size(), 1u);
  std::string order;
  auto query = project_and_all.in(table).query("p").descending();
  for (const auto& each : query) order += std::to_string(each.index());
  EXPECT_EQ(order, "2011");
  EXPECT_EQ(project_and_all.in(table).query("p").begins_with("ISSUE#").all()->size(), 2u);
  EXPECT_EQ(project_and_all.in(table).query("p").page(2)->items.size(), 2u);
}

TEST_P(TogetherTest, a_selection_reads_only_what_was_chosen) {
  ASSERT_TRUE(projects.create({.name = "p"}).run());
  ASSERT_TRUE(issues.create({.project = "p", .title = "a"}).run());
  auto rows = issues.query("p").select<&Issue::number, "title">();
  int count = 0;
  for (const auto& [number, title] : rows) {
    EXPECT_EQ(number, 1);
    EXPECT_EQ(title, "a");
    ++count;
  }
  EXPECT_TRUE(rows.status());
  EXPECT_EQ(count, 1);
  EXPECT_EQ(issues.scan().select<&Issue::title>().all().value(),
            std::vector<std::tuple<std::string>>{{"a"}});
  const auto one = issues.get("p", 1).consistent().select<&Issue::title, &Issue::open>().run();
  ASSERT_TRUE(one) << one.error().message();
  EXPECT_EQ(one->value(), std::tuple("a", true));
  EXPECT_FALSE(issues.get("p", 9).select<&Issue::title>().run()->has_value());
}

}  // namespace
}  // namespace partita::model
