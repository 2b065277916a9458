// Keys of several attributes, local indexes, read-only indexes, time partitions of the table; what
// reading them costs.
#include <chrono>

#include <gtest/gtest.h>

#include "partita/model/capacity_meter.h"
#include "partita/model/model.h"

#include "backend/test_backend.h"

namespace partita::model {
namespace {

using Moment = std::chrono::sys_seconds;
using Words = std::vector<std::string>;

struct Game {
  std::string tournament{};
  std::string id{};
  std::optional<std::string> region{};
  std::int64_t round = 0;
  std::int64_t score = 0;
};
struct Entry {
  std::string source{};
  std::string id{};
  Moment at{};
};

inline constexpr auto arena = define_table<"Arena">(
    key<"PK", "SK">, gsi<"Rounds", "tournament,region", "round:N,id">, lsi<"ByScore", "LSI1SK">,
    lsi<"ByRound", "LSI2SK", keys_only>, gsi<"Audit", "GSI1PK", "GSI1SK", keys_only>);
inline constexpr auto game = define_entity<Game, "game">(
    arena, key<"T#{tournament}", "G#{id}">, indexed<"rounds", "Rounds">,
    indexed<"by_score", "ByScore", "", "S#{score:06}#{id}">,
    indexed<"by_round", "ByRound", "", "R#{round:02}">,
    indexed<"audit", "Audit", "AUDIT#{region}", "{score:06}", read_only>);
inline constexpr auto entry =
    define_entity<Entry, "entry">(arena, key<"LOG#{source}#{at:day}", "{at}#{id}">);

class IndexTest : public testing::Test {
 protected:
  IndexTest() {
    const auto created = table.create_if_missing();
    EXPECT_TRUE(created) << created.error().message();
    for (int i = 0; i < 8; ++i) {
      const std::string id(1, static_cast<char>('a' + i));
      const auto made = games
                            .create({.tournament = "cup",
                                     .id = id,
                                     .region = i % 4 == 3 ? "asia" : "europe",
                                     .round = 1 + i / 3,
                                     .score = 100 - 10 * i})
                            .run();
      EXPECT_TRUE(made) << made.error().message();
    }
    meter.take();
  }
  static Words ids(Result<std::vector<Game>> found) {
    EXPECT_TRUE(found) << found.error().message();
    Words ids;
    for (const Game& each : *found) ids.push_back(each.id);
    return ids;
  }
  Item stored(const std::string& id) {
    const Item key{{"PK", Value::string("T#cup")}, {"SK", Value::string("G#" + id)}};
    return database->get_item({.table_name = "Arena", .key = key})->item.value();
  }

  TestBackend database;
  CapacityMeter meter{*database};
  TableOf<arena> table = arena.in(meter);
  RepositoryOf<game> games = table.repository<game>();
  RepositoryOf<entry> entries = table.repository<entry>();
};

TEST_F(IndexTest, a_key_of_several_attributes_is_given_by_its_members) {
  const auto europe = [&] { return games.query<"rounds">("cup", "europe"); };
  EXPECT_EQ(ids(europe().all()), (Words{"a", "b", "c", "e", "f", "g"}));
  EXPECT_EQ(ids(games.query<"rounds">("cup", "asia").all()), (Words{"d", "h"}));
  EXPECT_EQ(ids(europe().under(1).all()), (Words{"a", "b", "c"}));
  EXPECT_EQ(ids(europe().equal(2, "e").all()), Words{"e"});
  EXPECT_EQ(ids(europe().from(2).all()), (Words{"e", "f", "g"}));
  EXPECT_EQ(ids(europe().before(3).all()), (Words{"a", "b", "c", "e", "f"}));
  EXPECT_EQ(ids(europe().after(1, "a").all()), (Words{"b", "c"})) << "of the first round";
  EXPECT_EQ(ids(europe().between(2, 3).all()), (Words{"e", "f", "g"}));
  EXPECT_EQ(ids(europe().descending().limit(2).all()), (Words{"g", "f"}));
  EXPECT_EQ(europe().count().value(), 6);
  const auto first = europe().page(4);
  EXPECT_EQ(first->items.size(), 4u);
  EXPECT_EQ(europe().page(4, first->next)->items.size(), 2u);
}

TEST_F(IndexTest, an_item_moves_within_and_out_of_a_key_of_several_attributes) {
  ASSERT_TRUE(games.update("cup", "a").set<&Game::round>(3).run());
  EXPECT_EQ(ids(games.query<"rounds">("cup", "europe").under(3).all()), (Words{"a", "g"}));
  ASSERT_TRUE(games.update("cup", "a").remove<&Game::region>().run());
  EXPECT_EQ(ids(games.query<"rounds">("cup", "europe").under(3).all()), Words{"g"});
}

TEST_F(IndexTest, a_local_index_has_another_order_and_can_be_read_consistently) {
  const auto best = [&] { return games.query<"by_score">("cup").descending().consistent(); };
  EXPECT_EQ(ids(best().limit(2).all()), (Words{"a", "b"}));
  EXPECT_EQ(ids(best().from(80).all()), (Words{"a", "b", "c"}));
  ASSERT_TRUE(games.update("cup", "h").set<&Game::score>(200).run());
  EXPECT_EQ(stored("h").find("LSI1SK")->string(), "S#000200#h");
  EXPECT_EQ(best().first().value()->id, "h");
}

TEST_F(IndexTest, updates_leave_a_read_only_index_alone_until_it_is_rebuilt) {
  ASSERT_TRUE(games.update("cup", "a").set<&Game::score>(5).run());
  EXPECT_EQ(stored("a").find("GSI1SK")->string(), "000100");
  ASSERT_TRUE(games.update("cup", "a").rebuild<"audit">().read_modify_write().run());
  EXPECT_EQ(stored("a").find("GSI1SK")->string(), "000005");
  EXPECT_EQ(stored("a").find("GSI1PK")->string(), "AUDIT#europe");
  ASSERT_TRUE(games.update("cup", "a")
                  .set<&Game::score>(7)
                  .set<&Game::region>("africa")
                  .rebuild<"audit">()
                  .run());
  EXPECT_EQ(stored("a").find("GSI1PK")->string(), "AUDIT#africa");
  EXPECT_EQ(stored("a").find("GSI1SK")->string(), "000007");
}

// The index "Audit" keeps keys alone.
TEST_F(IndexTest, items_of_a_partial_index_are_read_whole_from_the_table) {
  const auto europe = [&] { return games.query<"audit">("europe"); };
  EXPECT_EQ(ids(europe().all()), (Words{"g", "f", "e", "c", "b", "a"}));
  EXPECT_EQ(meter.take().requests, 2) << "a query, and a batch of gets";
  const auto best = europe().descending().first().value();
  EXPECT_EQ(best->round, 1) << "a member that the index lacks";
  EXPECT_EQ(best->score, 100);
  EXPECT_EQ(europe().count().value(), 6);
  const auto page = europe().page(4);
  EXPECT_EQ(ids(europe().page(4, page->next)->items), (Words{"b", "a"}));
  EXPECT_EQ(explain(europe())->requests.size(), 2u);
}

TEST_F(IndexTest, what_a_partial_index_lacks_is_told_when_it_is_asked_for) {
  const auto filtered = games.query<"audit">("europe").filter(field<&Game::round> == 1).all();
  ASSERT_FALSE(filtered);
  EXPECT_EQ(filtered.error().message(),
            "game: the index Audit does not keep 'round', which a query of it filters or selects");
  EXPECT_FALSE(games.query<"audit">("europe").select<&Game::id>().all());
  EXPECT_FALSE(games.query<"audit">("europe").filter(field<&Game::round> == 1).count());
}

TEST_F(IndexTest, a_partial_local_index_brings_whole_items_too) {
  EXPECT_EQ(ids(games.query<"by_round">("cup").from(3).all()), (Words{"g", "h"}));
  EXPECT_EQ(games.query<"by_round">("cup").consistent().first().value()->score, 100);
  EXPECT_EQ(meter.take().requests, 2) << "DynamoDB itself looks into the table";
}

TEST_F(IndexTest, what_a_range_excludes_is_not_counted) {
  EXPECT_EQ(games.query("cup").before("c").count().value(), 2);
  EXPECT_EQ(games.query("cup").after("f").count().value(), 2);
  EXPECT_EQ(games.query("cup").up_to("c").count().value(), 3);
}

TEST_F(IndexTest, times_in_the_primary_key_are_read_unit_by_unit) {
  const Moment start = std::chrono::sys_days(std::chrono::year(2024) / 2 / 27);
  for (int i = 0; i < 8; ++i) {
    const Moment at = start + std::chrono::hours(12 * i);
    ASSERT_TRUE(entries.create({.source = "door", .id = std::to_string(i), .at = at}).run());
  }
  const auto seen = [&](auto query) {
    std::string ids;
    for (const Entry& each : query) ids += each.id;
    EXPECT_TRUE(query.status()) << query.status().error().message();
    return ids;
  };
  const auto day = [&](int number) { return start + std::chrono::days(number); };
  EXPECT_EQ(seen(entries.query_within(day(0), day(3), "door")), "01234567");
  EXPECT_EQ(seen(entries.query_within(day(1), day(2), "door")), "2345") << "over a leap day";
  EXPECT_EQ(seen(entries.query_within(day(0), day(3), "door").newest_first().limit(3)), "765");
  EXPECT_EQ(seen(entries.query_within(day(0), day(1), "window")), "");
  EXPECT_EQ(seen(entries.query("door", day(1))), "23") << "one day";
}

TEST_F(IndexTest, the_meter_adds_up_what_requests_consume) {
  ASSERT_TRUE(games.get("cup", "a").consistent().run());
  EXPECT_EQ(meter.used().read_units, 1);
  ASSERT_TRUE(games.get("cup", "a").run());
  const CapacityUse reads = meter.take();
  EXPECT_EQ(reads.read_units, 1.5);
  EXPECT_EQ(reads.write_units, 0);
  EXPECT_EQ(reads.requests, 2);
  ASSERT_TRUE(games.update("cup", "a").set<&Game::score>(1).run());
  const CapacityUse write = meter.take();
  EXPECT_GE(write.write_units, 2) << "the item, and what its local index loses and gets";
  EXPECT_GE(write.by_index.at("ByScore"), 1);
  ASSERT_TRUE(games.query<"rounds">("cup", "asia").all());
  EXPECT_EQ(meter.take().by_index.at("Rounds"), 0.5);
  Transaction both(table);
  both.add(games.remove("cup", "a")).add(games.remove("cup", "b"));
  ASSERT_TRUE(both.run());
  EXPECT_GE(meter.take().write_units, 4) << "a transaction costs double";
  EXPECT_EQ(meter.used().requests, 0);
}

}  // namespace
}  // namespace partita::model
