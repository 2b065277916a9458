#include "e_commerce.h"

#include <algorithm>

#include "example_test.h"

namespace examples::shop {
namespace {

using partita::ErrorCode;

class ShopTest : public ExampleTest {
 protected:
  void SetUp() override { ASSERT_DONE(open_shop(shop)); }
  Order newest() { return shop.customer_and_recent_orders("alexdebrie").value().orders.at(0); }
  Shop shop{*api};
};

TEST_F(ShopTest, create_customer_keeps_name_and_email_unique) {
  EXPECT_FALSE(shop.create_customer({.username = "alexdebrie", .email = "other@example.com"}));
  EXPECT_FALSE(shop.create_customer({.username = "alex", .email = "alexdebrie1@gmail.com"}));
  EXPECT_FALSE(shop.customer_and_recent_orders("alex")) << "all of it or nothing";
  EXPECT_TRUE(shop.create_customer({.username = "alex", .email = "other@example.com"}));
}

TEST_F(ShopTest, save_address_adds_and_replaces) {
  ASSERT_DONE(shop.save_address("alexdebrie", "work", {"Farnam Street 9", "Omaha"}));
  ASSERT_DONE(shop.save_address("alexdebrie", "home", {"O Street 3", "Lincoln"}));
  const Customer who = shop.customer_and_recent_orders("alexdebrie").value().who;
  EXPECT_EQ(who.addresses.size(), 2u);
  EXPECT_EQ(who.addresses.at("home").city, "Lincoln");
  EXPECT_FALSE(shop.save_address("nobody", "home", {}));
}

TEST_F(ShopTest, one_query_reads_a_customer_and_the_ten_newest_orders) {
  const auto found = shop.customer_and_recent_orders("alexdebrie");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->who.name, "Alex DeBrie");
  ASSERT_EQ(found->orders.size(), 10u);
  EXPECT_EQ(found->orders[0].placed, january(12) + std::chrono::hours(8));
  EXPECT_EQ(found->orders[9].placed, january(3) + std::chrono::hours(8));
  EXPECT_TRUE(shop.customer_and_recent_orders("ada").value().orders.empty());
}

TEST_F(ShopTest, save_order_stores_order_and_items_and_one_query_reads_them) {
  const auto id =
      shop.save_order({.username = "ada", .total = 10},
                      {{.id = "1", .product = "w2", .quantity = 3}, {.id = "2", .product = "b1"}});
  ASSERT_TRUE(id) << id.error().message();
  const auto found = shop.order_and_items(*id);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->of.username, "ada");
  ASSERT_EQ(found->items.size(), 2u);
  EXPECT_EQ(found->items[0].quantity, 3);
  EXPECT_EQ(shop.find_order(*id)->value().username, "ada");
  EXPECT_EQ(shop.order_and_items("none").error().code(), ErrorCode::ResourceNotFound);

  const auto again = shop.save_order({.username = "ada", .id = *id}, {{.id = "3"}});
  EXPECT_FALSE(again) << "the order is there";
  EXPECT_EQ(shop.order_and_items(*id)->items.size(), 2u) << "and no item was added to it";
}

TEST_F(ShopTest, an_order_changes_its_status_and_moves_in_the_indexes) {
  EXPECT_EQ(shop.orders_with_status(OrderStatus::placed)->size(), 12u);
  const Order order = newest();
  ASSERT_DONE(shop.set_status("alexdebrie", order.id, OrderStatus::shipped));
  EXPECT_EQ(shop.find_order(order.id)->value().status, OrderStatus::shipped);
  EXPECT_EQ(shop.orders_with_status(OrderStatus::placed)->size(), 11u);
  EXPECT_EQ(names(shop.orders_with_status(OrderStatus::shipped), &Order::id), Names{order.id});
  EXPECT_FALSE(shop.set_status("alexdebrie", "none", OrderStatus::shipped));
}

TEST_F(ShopTest, orders_are_found_by_day_and_by_day_and_status) {
  const Order order = newest();
  ASSERT_DONE(shop.set_status("alexdebrie", order.id, OrderStatus::shipped));
  EXPECT_EQ(shop.orders_on("alexdebrie", january(11))->size(), 1u);
  EXPECT_EQ(names(shop.orders_on("alexdebrie", january(12), OrderStatus::shipped), &Order::id),
            Names{order.id});
  EXPECT_TRUE(shop.orders_on("alexdebrie", january(12), OrderStatus::placed)->empty());
  EXPECT_TRUE(shop.orders_on("alexdebrie", january(20))->empty());
}

TEST_F(ShopTest, one_overloaded_index_serves_four_entities) {
  EXPECT_EQ(shop.find_by_email("ada@example.com")->value().username, "ada");
  EXPECT_FALSE(shop.find_by_email("nobody@example.com")->has_value());
  EXPECT_EQ(names(shop.products_in("widgets"), &Product::id), (Names{"w1", "w2"}));
  EXPECT_EQ(shop.orders_of_product("b1")->size(), 12u);
  EXPECT_EQ(shop.orders_of_product("w2")->size(), 0u);
}

TEST_F(ShopTest, sparse_indexes_hold_what_is_featured_or_premium) {
  EXPECT_EQ(names(shop.featured_products(), &Product::id), Names{"w1"});
  ASSERT_DONE(shop.feature("w1", false));
  ASSERT_DONE(shop.feature("b1", true));
  EXPECT_EQ(names(shop.featured_products(), &Product::id), Names{"b1"});

  EXPECT_TRUE(shop.premium_customers()->empty());
  ASSERT_DONE(shop.make_premium("alexdebrie", january(31)));
  ASSERT_DONE(shop.make_premium("ada", january(15)));
  EXPECT_EQ(names(shop.premium_customers(), &Customer::username), (Names{"ada", "alexdebrie"}))
      << "by the end of their subscription";
  ASSERT_DONE(shop.make_premium("ada", std::nullopt));
  EXPECT_EQ(names(shop.premium_customers(), &Customer::username), Names{"alexdebrie"});
}

TEST_F(ShopTest, customers_are_listed_by_status_over_several_partitions) {
  EXPECT_EQ(shop.customers_with_status(CustomerStatus::active)->size(), 2u);
  EXPECT_TRUE(shop.customers_with_status(CustomerStatus::suspended)->empty());
}

TEST_F(ShopTest, the_local_index_has_orders_by_their_total) {
  EXPECT_EQ(names(shop.largest_orders("alexdebrie", 3), &Order::total),
            (Names{"11000", "10000", "9000"}));
}

TEST_F(ShopTest, pages_go_on_where_the_last_one_ended) {
  std::vector<Moment> placed;
  std::string cursor;
  int pages = 0;
  do {
    const auto page = shop.orders_page("alexdebrie", 5, cursor);
    ASSERT_TRUE(page) << page.error().message();
    for (const Order& each : page->items) placed.push_back(each.placed);
    cursor = page->next;
    ++pages;
  } while (!cursor.empty());
  EXPECT_EQ(placed.size(), 12u);
  EXPECT_EQ(pages, 3);
  EXPECT_TRUE(std::is_sorted(placed.rbegin(), placed.rend()));
}

TEST(ShopDesign, lint_finds_nothing) {
  Design design;
  design.add<customer>().add<customer_email>().add<order>({.items_per_partition = 1000});
  design.add<order_item>().add<product>();
  const LintReport report =
      lint(design,
           {{.name = "create_customer",
             .entity = "customer",
             .kind = AccessKind::Write,
             .conditional = true},
            {.name = "recent_orders",
             .entity = "order",
             .given = {"username"},
             .results = 10,
             .ordered = true},
            {.name = "find_order", .entity = "order", .given = {"id"}},
            {.name = "order_and_items", .entity = "order_item", .given = {"order"}, .results = 50},
            {.name = "find_by_email", .entity = "customer", .given = {"email"}},
            {.name = "orders_with_status",
             .entity = "order",
             .by = "with_status",
             .results = 0,
             .ordered = true,
             .paged = true},
            {.name = "products_in",
             .entity = "product",
             .given = {"category"},
             .results = 0,
             .paged = true},
            {.name = "orders_of_product",
             .entity = "order_item",
             .given = {"product"},
             .results = 0,
             .paged = true},
            {.name = "featured_products",
             .entity = "product",
             .by = "featured",
             .results = 20,
             .share = 0.01},
            {.name = "premium_customers",
             .entity = "customer",
             .by = "premium",
             .results = 0,
             .share = 0.05,
             .ordered = true,
             .paged = true},
            {.name = "largest_orders",
             .entity = "order",
             .by = "by_total",
             .results = 10,
             .ordered = true}});
  EXPECT_EQ(findings(report), Names{}) << report.text();
}

}  // namespace
}  // namespace examples::shop
