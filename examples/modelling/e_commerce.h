// An online shop: customers with addresses, orders with items, products.
//
//   Access pattern                 Index   Notes
//   create_customer                table   a transaction: name and email address are both unique
//   save_address                   table   an entry of a map in the customer's item
//   customer_and_recent_orders     table   one query, backwards: the customer, then newest orders
//   save_order                     table   a transaction: the order and all of its items
//   set_status                     table   and the index keys made of the status
//   order_and_items                GSI1    one query for two entities
//   find_order                     GSI1    ORDER#<id>, wherever the customer is (inverted)
//   find_by_email                  GSI2    EMAIL#<address>      overloaded: four entities,
//   orders_with_status             GSI2    STATUS#<status>      four patterns, one index
//   products_in                    GSI2    CATEGORY#<category>
//   orders_of_product              GSI2    PRODUCT#<id>
//   orders_on                      GSI3    ORDER#2024-01-15#shipped#<id>: by day, day and status
//   featured_products              GSI3    sparse: only products that are featured
//   premium_customers              GSI3    sparse: only those with a subscription, by its end
//   customers_with_status          GSI4    active#2024-01-01, spread over four partitions
//   largest_orders                 LSI1    the customer's orders by their total, read consistently
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace examples::shop {

using namespace partita::model;
using partita::Result;
using Moment = std::chrono::sys_seconds;

struct Address {
  std::string street{};
  std::string city{};
};
enum class CustomerStatus { pending, active, suspended };
struct Customer {
  std::string username{};
  std::string email{};
  std::string name{};
  std::map<std::string, Address> addresses{};
  CustomerStatus status = CustomerStatus::active;
  Moment joined{};
  std::optional<Moment> premium_until{};
};
struct CustomerEmail {
  std::string email{};
  std::string username{};
};
enum class OrderStatus { placed, shipped, delivered, cancelled };
struct Order {
  std::string username{};
  std::string id{};
  Moment placed{};
  OrderStatus status = OrderStatus::placed;
  std::int64_t total = 0;  // cents
};
struct OrderItem {
  std::string order{};
  std::string id{};
  std::string product{};
  std::int64_t quantity = 1;
  std::int64_t price = 0;
};
struct Product {
  std::string id{};
  std::string name{};
  std::string category{};
  bool featured = false;
};

inline constexpr auto shop_table = define_table<"Shop">(
    key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, gsi<"GSI2", "GSI2PK", "GSI2SK">,
    gsi<"GSI3", "GSI3PK", "GSI3SK">, gsi<"GSI4", "GSI4PK", "GSI4SK">, lsi<"LSI1", "total:N">);

inline constexpr auto customer = define_entity<Customer, "customer">(
    shop_table, key<"CUSTOMER#{username}", "CUSTOMER#{username}">,
    indexed<"by_email", "GSI2", "EMAIL#{email}", "CUSTOMER#{username}">,
    indexed<"premium", "GSI3", "PREMIUM", "{premium_until}#{username}">,
    indexed<"by_status", "GSI4", "CUSTOMERS#{username|shard:4}", "{status}#{joined}">,
    created<&Customer::joined>);

// Only there so that an address cannot be taken twice.
inline constexpr auto customer_email = define_entity<CustomerEmail, "customer_email">(
    shop_table, key<"CUSTOMEREMAIL#{email}", "CUSTOMEREMAIL#{email}">);

// "#ORDER" sorts before "CUSTOMER": backwards, the customer comes first and then the newest orders.
inline constexpr auto order = define_entity<Order, "order">(
    shop_table, key<"CUSTOMER#{username}", "#ORDER#{id}">,
    indexed<"by_id", "GSI1", "ORDER#{id}", "ORDER#{id}">,
    indexed<"with_status", "GSI2", "STATUS#{status}", "ORDER#{placed}#{id}">,
    indexed<"by_day", "GSI3", "CUSTOMER#{username}", "ORDER#{placed:day}#{status}#{id}">,
    indexed<"by_total", "LSI1">, ksuid<&Order::id>, created<&Order::placed>);

inline constexpr auto order_item = define_entity<OrderItem, "order_item">(
    shop_table, key<"ORDER#{order}#ITEM#{id}", "ORDER#{order}#ITEM#{id}">,
    indexed<"by_order", "GSI1", "ORDER#{order}", "ITEM#{id}">,
    indexed<"by_product", "GSI2", "PRODUCT#{product}", "ORDER#{order}">);

inline constexpr auto product = define_entity<Product, "product">(
    shop_table, key<"PRODUCT#{id}", "PRODUCT#{id}">,
    indexed<"by_category", "GSI2", "CATEGORY#{category}", "PRODUCT#{id}">,
    indexed<"featured", "GSI3", "FEATURED", "PRODUCT#{id}", when<"featured">>);

inline constexpr auto customer_orders = define_collection<"", customer, order>();
inline constexpr auto order_items = define_collection<"GSI1", order, order_item>();

class Shop {
 public:
  explicit Shop(partita::Api& api) : table_(shop_table.in(api)) {}
  Shop(const Shop&) = delete;

  Result<void> create_table() { return table_.create_if_missing(); }
  void set_clock(Clock clock) { table_.set_clock(std::move(clock)); }

  Result<void> create_customer(const Customer& added) {
    return Transaction(table_)
        .add(customers_.create(added))
        .add(emails_.create({added.email, added.username}))
        .run();
  }
  Result<void> save_address(std::string_view username, std::string label, const Address& address) {
    return customers_.update(username)
        .set_entry<&Customer::addresses>(std::move(label), address)
        .run();
  }

  struct CustomerAndOrders {
    Customer who{};
    std::vector<Order> orders{};  // the newest first
  };
  Result<CustomerAndOrders> customer_and_recent_orders(std::string_view username, int count = 10) {
    auto query = customer_orders.in(table_).query(username).newest_first().limit(1 + count);
    PARTITA_TRY(auto found, query.fetch());
    auto& [who, orders] = found;
    if (who.empty()) {
      return partita::Error(partita::ErrorCode::ResourceNotFound, "there is no such customer");
    }
    return CustomerAndOrders{std::move(who[0]), std::move(orders)};
  }

  // Gives the id of the order; all of it is stored, or nothing.
  Result<std::string> save_order(Order placed, const std::vector<OrderItem>& items) {
    if (placed.id.empty()) placed.id = new_ksuid(table_.now());
    Transaction transaction(table_);
    transaction.add(orders_.create(placed));
    for (OrderItem each : items) {
      each.order = placed.id;
      transaction.add(items_.create(std::move(each)));
    }
    PARTITA_CHECK(transaction.run());
    return std::move(placed.id);
  }
  Result<void> set_status(std::string_view username, std::string_view id, OrderStatus status) {
    return orders_.update(username, id).set<&Order::status>(status).read_modify_write().run();
  }

  struct OrderAndItems {
    Order of{};
    std::vector<OrderItem> items{};
  };
  Result<OrderAndItems> order_and_items(std::string_view id) {
    PARTITA_TRY(auto found, order_items.in(table_).query(id).fetch());
    auto& [orders, items] = found;
    if (orders.empty()) {
      return partita::Error(partita::ErrorCode::ResourceNotFound, "there is no such order");
    }
    return OrderAndItems{std::move(orders[0]), std::move(items)};
  }
  Result<std::optional<Order>> find_order(std::string_view id) {
    return orders_.query<"by_id">(id).first();
  }

  Result<std::optional<Customer>> find_by_email(std::string_view email) {
    return customers_.query<"by_email">(email).first();
  }
  Result<std::vector<Order>> orders_with_status(OrderStatus status) {
    return orders_.query<"with_status">(status).all();
  }
  Result<std::vector<Product>> products_in(std::string_view category) {
    return products_.query<"by_category">(category).all();
  }
  Result<std::vector<OrderItem>> orders_of_product(std::string_view id) {
    return items_.query<"by_product">(id).all();
  }

  // A page of all orders of a customer, and the cursor of the next one.
  Result<Page<Order>> orders_page(std::string_view username, int count, std::string_view cursor) {
    return orders_.query(username).newest_first().page(count, cursor);
  }
  Result<std::vector<Order>> orders_on(std::string_view username, Moment day) {
    return orders_.query<"by_day">(username).under(day).all();
  }
  Result<std::vector<Order>> orders_on(std::string_view username, Moment day, OrderStatus status) {
    return orders_.query<"by_day">(username).under(day, status).all();
  }
  Result<std::vector<Order>> largest_orders(std::string_view username, int count) {
    return orders_.query<"by_total">(username).descending().consistent().limit(count).all();
  }

  Result<Product> add_product(Product added) { return products_.create(std::move(added)).run(); }
  Result<void> feature(std::string_view id, bool featured) {
    return products_.update(id).set<&Product::featured>(featured).run();
  }
  Result<std::vector<Product>> featured_products() { return products_.query<"featured">().all(); }

  Result<std::vector<Customer>> premium_customers() { return customers_.query<"premium">().all(); }
  Result<void> make_premium(std::string_view username, std::optional<Moment> until) {
    return customers_.update(username).set<&Customer::premium_until>(until).run();
  }
  Result<std::vector<Customer>> customers_with_status(CustomerStatus status) {
    return customers_.query<"by_status">().under(status).all();
  }

 private:
  TableOf<shop_table> table_;
  RepositoryOf<customer> customers_ = table_.repository<customer>();
  RepositoryOf<customer_email> emails_ = table_.repository<customer_email>();
  RepositoryOf<order> orders_ = table_.repository<order>();
  RepositoryOf<order_item> items_ = table_.repository<order_item>();
  RepositoryOf<product> products_ = table_.repository<product>();
};

inline Moment january(int day) {
  return std::chrono::sys_days(std::chrono::year(2024) / 1 / 1) + std::chrono::days(day - 1);
}

// A customer with twelve orders, another with none.
inline Result<void> open_shop(Shop& shop) {
  PARTITA_CHECK(shop.create_table());
  Moment now = january(1);
  shop.set_clock([&now] { return now; });
  PARTITA_CHECK(shop.create_customer(
      {.username = "alexdebrie", .email = "alexdebrie1@gmail.com", .name = "Alex DeBrie"}));
  PARTITA_CHECK(shop.create_customer({.username = "ada", .email = "ada@example.com"}));
  PARTITA_CHECK(shop.save_address("alexdebrie", "home", {"Dodge Street 1", "Omaha"}));
  PARTITA_CHECK(shop.add_product({"w1", "Premium Widget", "widgets", true}));
  PARTITA_CHECK(shop.add_product({"w2", "Basic Widget", "widgets", false}));
  PARTITA_CHECK(shop.add_product({"b1", "Book", "books", false}));
  for (int i = 1; i <= 12; ++i) {
    now = january(i) + std::chrono::hours(8);
    const Order placed{.username = "alexdebrie", .total = (i * 7 % 12) * 1000};
    PARTITA_CHECK(shop.save_order(placed, {{.id = "1", .product = "w1", .price = 900},
                                           {.id = "2", .product = "b1", .price = 100}}));
  }
  shop.set_clock({});
  return {};
}

}  // namespace examples::shop
