#include "big_time_deals.h"

#include "example_test.h"

namespace examples::deals {
namespace {

using partita::ErrorCode;

class BigTimeDealsTest : public ExampleTest {
 protected:
  void SetUp() override { ASSERT_DONE(fill(site)); }
  static Names titles(const BigTimeDeals::Deals& found) { return names(found, &Deal::title); }
  static Names subjects(const Result<std::vector<Message>>& found) {
    return names(found, &Message::subject);
  }
  BigTimeDeals site{*api};
};

TEST_F(BigTimeDealsTest, a_deal_is_created_and_fetched) {
  const Deal made =
      site.create_deal({.title = "Lamp", .brand = "Ikea", .category = "Home"}).value();
  EXPECT_EQ(made.id.size(), 27u) << "a KSUID";
  EXPECT_EQ(site.fetch_deal(made.id)->value().title, "Lamp");
  EXPECT_FALSE(site.fetch_deal("none")->has_value());
}

TEST_F(BigTimeDealsTest, the_latest_deals_are_gathered_from_the_last_days) {
  EXPECT_EQ(titles(site.latest_deals()),
            (Names{"Castle 6", "Phone 6", "Castle 5", "Phone 5", "Castle 4", "Phone 4", "Castle 3",
                   "Phone 3", "Castle 2", "Phone 2"}))
      << "five days";
  const std::string seen = (*site.latest_deals())[6].id;
  EXPECT_EQ(titles(site.latest_deals(seen)), (Names{"Phone 3", "Castle 2", "Phone 2"}));
}

TEST_F(BigTimeDealsTest, a_page_has_25_deals_and_the_next_goes_on_behind) {
  for (int i = 0; i < 30; ++i) {
    ASSERT_DONE(site.create_deal({.title = "Many", .brand = "Lego", .category = "Toys"}));
  }
  const auto first = site.latest_deals();
  ASSERT_EQ(first->size(), 25u);
  const auto second = site.latest_deals(first->back().id);
  ASSERT_EQ(second->size(), 15u);
  EXPECT_EQ((*second)[4].title, "Many");
  EXPECT_EQ((*second)[5].title, "Castle 6");
}

TEST_F(BigTimeDealsTest, the_latest_deals_of_a_brand_and_of_a_category) {
  EXPECT_EQ(titles(site.latest_deals_of_brand("Apple")),
            (Names{"Phone 6", "Phone 5", "Phone 4", "Phone 3", "Phone 2"}));
  const auto toys = site.latest_deals_of_category("Toys");
  EXPECT_EQ(titles(toys), (Names{"Castle 6", "Castle 5", "Castle 4", "Castle 3", "Castle 2"}));
  EXPECT_EQ(titles(site.latest_deals_of_category("Toys", (*toys)[3].id)), Names{"Castle 2"});
  EXPECT_EQ(titles(site.latest_deals_of_brand("Unknown")), Names{});
}

TEST_F(BigTimeDealsTest, every_copy_of_the_cache_has_the_latest_deals) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto cached = site.cached_deals(i);
    ASSERT_TRUE(cached && *cached);
    EXPECT_EQ((*cached)->shard, static_cast<std::int64_t>(i % 10));
    EXPECT_EQ((*cached)->latest[0].title, "Castle 6");
  }
}

TEST_F(BigTimeDealsTest, pages_and_categories_have_featured_deals) {
  const auto front = site.fetch_front_page();
  ASSERT_TRUE(front && *front);
  ASSERT_EQ((*front)->featured.size(), 2u);
  EXPECT_EQ((*front)->featured[0].title, "Phone 6");
  EXPECT_EQ(site.fetch_editors_choice()->value().featured[0].title, "Phone 0");
  EXPECT_EQ(site.fetch_category("Toys")->value().featured[0].title, "Castle 6");
  EXPECT_TRUE(site.fetch_category("Electronics")->value().featured.empty());
  EXPECT_FALSE(site.set_category_page("Unknown", {}));
  ASSERT_DONE(site.set_front_page({}));
  EXPECT_TRUE(site.fetch_front_page()->value().featured.empty());
}

TEST_F(BigTimeDealsTest, all_brands_are_in_one_item) {
  EXPECT_EQ(site.fetch_all_brands().value(), (std::set<std::string>{"Apple", "Lego"}));
  ASSERT_DONE(site.create_brand("Ikea"));
  EXPECT_EQ(site.fetch_all_brands().value(), (std::set<std::string>{"Apple", "Ikea", "Lego"}));
  EXPECT_FALSE(site.create_brand("Ikea"));
}

TEST_F(BigTimeDealsTest, likes_and_watchers_are_counted_once_for_each_user) {
  EXPECT_EQ(site.fetch_brand("Apple")->value().likes, 1);
  EXPECT_EQ(site.fetch_brand("Apple")->value().watchers, 2);
  EXPECT_FALSE(site.like(BrandLike{"Apple", "ada"}));
  EXPECT_FALSE(site.watch(BrandWatch{"Apple", "ada"}));
  EXPECT_FALSE(site.like(BrandLike{"Unknown", "ada"})) << "there is no such brand";
  ASSERT_DONE(site.like(BrandLike{"Apple", "bob"}));
  EXPECT_EQ(site.fetch_brand("Apple")->value().likes, 2);
  EXPECT_EQ(site.fetch_brand("Apple")->value().watchers, 2);

  EXPECT_FALSE(site.like(CategoryLike{"Toys", "ada"}));
  EXPECT_FALSE(site.watch(CategoryWatch{"Toys", "bob"}));
  ASSERT_DONE(site.watch(CategoryWatch{"Toys", "ada"}));
  EXPECT_EQ(site.fetch_category("Toys")->value().likes, 1);
  EXPECT_EQ(site.fetch_category("Toys")->value().watchers, 2);
}

TEST_F(BigTimeDealsTest, a_user_name_is_taken_once) {
  const auto taken = site.create_user({"ada", "Another Ada"});
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code(), ErrorCode::ConditionalCheckFailed);
}

TEST_F(BigTimeDealsTest, a_message_is_unread_until_it_is_marked) {
  ASSERT_DONE(site.send_hot_deal({.title = "TV"}));
  EXPECT_EQ(subjects(site.messages_for("ada")), (Names{"Hot deal: TV", "Apple: Phone 6"}));
  const auto unread = site.unread_messages_for("ada");
  ASSERT_EQ(subjects(unread), (Names{"Hot deal: TV", "Apple: Phone 6"}));
  ASSERT_DONE(site.mark_as_read((*unread)[1]));
  EXPECT_EQ(subjects(site.unread_messages_for("ada")), Names{"Hot deal: TV"});
  EXPECT_EQ(subjects(site.messages_for("ada")).size(), 2u);
}

TEST_F(BigTimeDealsTest, messages_go_to_everybody_or_to_watchers) {
  const Deal deal{.title = "Castle", .brand = "Lego", .category = "Toys"};
  EXPECT_EQ(site.send_hot_deal(deal).value(), 3) << "the user index holds users alone";
  EXPECT_EQ(subjects(site.messages_for("alexdebrie")), Names{"Hot deal: Castle"});
  EXPECT_EQ(site.send_to_brand_watchers(deal).value(), 0);
  EXPECT_EQ(site.send_to_category_watchers(deal).value(), 1);
  EXPECT_EQ(subjects(site.unread_messages_for("bob"))[0], "Toys: Castle");
  EXPECT_EQ(site.send_to_brand_watchers({.title = "Pad", .brand = "Apple"}).value(), 2);
}

TEST_F(BigTimeDealsTest, watchers_learn_of_new_deals_from_the_stream) {
  EXPECT_EQ(subjects(site.messages_for("ada")), Names{"Apple: Phone 6"});
  EXPECT_EQ(subjects(site.messages_for("bob")), (Names{"Toys: Castle 6", "Apple: Phone 6"}));
  EXPECT_EQ(subjects(site.messages_for("alexdebrie")), Names{}) << "watches nothing";
  EXPECT_EQ(site.notify_watchers().value(), 0) << "nothing new";
  ASSERT_DONE(site.create_deal({.title = "Robot", .brand = "Lego", .category = "Toys"}));
  ASSERT_DONE(site.create_deal({.title = "Bear", .brand = "Apple", .category = "Toys"}));
  ASSERT_DONE(site.create_deal({.title = "Lamp", .brand = "Ikea", .category = "Home"}));
  EXPECT_EQ(site.notify_watchers().value(), 3) << "bob is told once of the bear";
  EXPECT_EQ(subjects(site.unread_messages_for("bob")),
            (Names{"Apple: Bear", "Toys: Robot", "Toys: Castle 6", "Apple: Phone 6"}));
  EXPECT_EQ(subjects(site.messages_for("ada"))[0], "Apple: Bear");
}

TEST_F(BigTimeDealsTest, a_lost_checkpoint_sends_no_message_twice) {
  const auto unread = site.unread_messages_for("ada");
  ASSERT_DONE(site.mark_as_read((*unread)[0]));
  ASSERT_DONE(api->delete_item(
      {.table_name = "BigTimeDeals",
       .key = partita::Item{{"PK", partita::Value::string("CHECKPOINT#watchers")},
                            {"SK", partita::Value::string("CHECKPOINT#watchers")}}}));
  EXPECT_EQ(site.notify_watchers().value(), 18) << "of the six days before they watched, alone";
  EXPECT_EQ(subjects(site.unread_messages_for("ada")).size(), 6u) << "what was read stays read";
}

TEST(BigTimeDealsDesign, lint_finds_what_does_no_harm) {
  Design design;
  design.add<deal>().add<brand>().add<brands>({.bounded = {"names"}});
  design.add<brand_like>().add<brand_watch>().add<category>({.bounded = {"featured"}});
  design.add<category_like>().add<category_watch>().add<front_page>({.bounded = {"featured"}});
  design.add<editors_choice>({.bounded = {"featured"}});
  design.add<deals_cache>({.bounded = {"latest"}}).add<user>().add<message>();
  const LintReport report = lint(
      design,
      {{.name = "create_deal", .entity = "deal", .kind = AccessKind::Write},
       {.name = "latest_deals", .entity = "deal", .by = "latest", .results = 25, .ordered = true},
       {.name = "latest_deals_of_brand",
        .entity = "deal",
        .by = "by_brand",
        .results = 25,
        .ordered = true},
       {.name = "latest_deals_of_category",
        .entity = "deal",
        .by = "by_category",
        .results = 25,
        .ordered = true},
       {.name = "cached_deals",
        .entity = "deals_cache",
        .kind = AccessKind::Get,
        .given = {"shard"},
        .per_second = 5000},
       {.name = "watchers of a brand",
        .entity = "brand_watch",
        .given = {"brand"},
        .results = 0,
        .paged = true},
       {.name = "watchers of a category",
        .entity = "category_watch",
        .given = {"category"},
        .results = 0,
        .paged = true},
       {.name = "send_hot_deal",
        .entity = "user",
        .kind = AccessKind::Scan,
        .by = "all",
        .results = 0,
        .paged = true},
       {.name = "messages_for",
        .entity = "message",
        .given = {"user"},
        .results = 0,
        .ordered = true,
        .paged = true},
       {.name = "unread_messages_for",
        .entity = "message",
        .by = "unread",
        .results = 0,
        .share = 0.05,
        .paged = true}});
  // The copies of the cache are numbered 0 to 9, each in a partition of its own: nothing is
  // compared.
  EXPECT_EQ(findings(report), Names{"unpadded-number: deals_cache"}) << report.text();
}

}  // namespace
}  // namespace examples::deals
