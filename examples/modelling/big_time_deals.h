// Big Time Deals: a site for deals, with brands and categories that users like and watch, featured
// deals, and messages. Fourteen kinds of items in one table.
//
//   Entity          PK                             SK
//   Deal            DEAL#<id>                      DEAL#<id>
//   Brand           BRAND#<brand>                  BRAND#<brand>
//   Brands          BRANDS                         BRANDS                         (singleton)
//   BrandLike       BRANDLIKE#<brand>#<user>       BRANDLIKE#<brand>#<user>
//   BrandWatch      BRANDWATCH#<brand>             USER#<user>
//   Category        CATEGORY#<category>            CATEGORY#<category>
//   CategoryLike    CATEGORYLIKE#<category>#<user> CATEGORYLIKE#<category>#<user>
//   CategoryWatch   CATEGORYWATCH#<category>       USER#<user>
//   FrontPage       FRONTPAGE                      FRONTPAGE                      (singleton)
//   EditorsChoice   EDITORSCHOICE                  EDITORSCHOICE                  (singleton)
//   DealsCache      DEALSCACHE#<shard>             DEALSCACHE#<shard>             (ten copies)
//   User            USER#<user>                    USER#<user>                    UserIndex
//   Message         MESSAGES#<user>                MESSAGE#<id>
//
//   Entity          GSI1PK                 GSI2PK                   GSI3PK                     SK
//   Deal            DEALS#<day>            BRAND#<brand>#<day>      CATEGORY#<category>#<day>
//   DEAL#<id> unread Message  MESSAGES#<user> MESSAGE#<id>
//
// A deal's id is a KSUID, so that within a day deals are in the order of time. A day is a
// partition, so that the newest deals do not all go to the same one for ever. Who watches a brand
// or a category learns of its new deals from the table's stream.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace examples::deals {

using namespace partita::model;
using partita::Result;
using Moment = std::chrono::sys_seconds;

struct Deal {
  std::string id{};
  std::string title{};
  std::string link{};
  std::int64_t price = 0;
  std::string brand{};
  std::string category{};
  Moment created{};
};
struct FeaturedDeal {  // copied from a deal: a page is read without reading its deals
  std::string id{};
  std::string title{};
};
struct Brand {
  std::string brand{};
  std::int64_t likes = 0;
  std::int64_t watchers = 0;
};
struct Brands {
  std::set<std::string> names{};
};
struct BrandLike {
  std::string brand{};
  std::string user{};
};
struct BrandWatch {
  std::string brand{};
  std::string user{};
};
struct Category {
  std::string category{};
  std::vector<FeaturedDeal> featured{};
  std::int64_t likes = 0;
  std::int64_t watchers = 0;
};
struct CategoryLike {
  std::string category{};
  std::string user{};
};
struct CategoryWatch {
  std::string category{};
  std::string user{};
};
struct FeaturePage {
  std::vector<FeaturedDeal> featured{};
};
struct DealsCache {
  std::int64_t shard = 0;
  std::vector<FeaturedDeal> latest{};
};
struct User {
  std::string user{};
  std::string name{};
};
struct Message {
  std::string user{};
  std::string id{};
  std::string subject{};
  bool unread = true;
};

inline constexpr auto deals_table = define_table<"BigTimeDeals">(
    key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, gsi<"GSI2", "GSI2PK", "GSI2SK">,
    gsi<"GSI3", "GSI3PK", "GSI3SK">, gsi<"UserIndex", "UserIndex">, streamed);

inline constexpr auto deal = define_entity<Deal, "deal">(
    deals_table, key<"DEAL#{id}", "DEAL#{id}">,
    indexed<"latest", "GSI1", "DEALS#{created:day}", "DEAL#{id}">,
    indexed<"by_brand", "GSI2", "BRAND#{brand}#{created:day}", "DEAL#{id}">,
    indexed<"by_category", "GSI3", "CATEGORY#{category}#{created:day}", "DEAL#{id}">,
    ksuid<&Deal::id>, created<&Deal::created>);

inline constexpr auto brand =
    define_entity<Brand, "brand">(deals_table, key<"BRAND#{brand}", "BRAND#{brand}">);
inline constexpr auto brands =
    define_entity<Brands, "brands">(deals_table, key<"BRANDS", "BRANDS">);
inline constexpr auto brand_like = define_entity<BrandLike, "brand_like">(
    deals_table, key<"BRANDLIKE#{brand}#{user}", "BRANDLIKE#{brand}#{user}">,
    counted_by<&Brand::likes, "BRAND#{brand}", "BRAND#{brand}">);
inline constexpr auto brand_watch = define_entity<BrandWatch, "brand_watch">(
    deals_table, key<"BRANDWATCH#{brand}", "USER#{user}">,
    counted_by<&Brand::watchers, "BRAND#{brand}", "BRAND#{brand}">);

inline constexpr auto category = define_entity<Category, "category">(
    deals_table, key<"CATEGORY#{category}", "CATEGORY#{category}">);
inline constexpr auto category_like = define_entity<CategoryLike, "category_like">(
    deals_table, key<"CATEGORYLIKE#{category}#{user}", "CATEGORYLIKE#{category}#{user}">,
    counted_by<&Category::likes, "CATEGORY#{category}", "CATEGORY#{category}">);
inline constexpr auto category_watch = define_entity<CategoryWatch, "category_watch">(
    deals_table, key<"CATEGORYWATCH#{category}", "USER#{user}">,
    counted_by<&Category::watchers, "CATEGORY#{category}", "CATEGORY#{category}">);

inline constexpr auto front_page =
    define_entity<FeaturePage, "front_page">(deals_table, key<"FRONTPAGE", "FRONTPAGE">);
inline constexpr auto editors_choice = define_entity<FeaturePage, "editors_choice">(
    deals_table, key<"EDITORSCHOICE", "EDITORSCHOICE">);
inline constexpr auto deals_cache = define_entity<DealsCache, "deals_cache">(
    deals_table, key<"DEALSCACHE#{shard}", "DEALSCACHE#{shard}">);

// UserIndex holds users and nothing else: reading all of it finds all users.
inline constexpr auto user = define_entity<User, "user">(
    deals_table, key<"USER#{user}", "USER#{user}">, indexed<"all", "UserIndex", "USER#{user}">);
inline constexpr auto message = define_entity<Message, "message">(
    deals_table, key<"MESSAGES#{user}", "MESSAGE#{id}">,
    indexed<"unread", "GSI1", "MESSAGES#{user}", "MESSAGE#{id}", when<"unread">>,
    ksuid<&Message::id>);

class BigTimeDeals {
 public:
  static constexpr int kDealsPerPage = 25;
  static constexpr int kDaysMax = 5;  // how far back a page looks
  static constexpr std::int64_t kCacheShards = 10;

  explicit BigTimeDeals(partita::Api& api) : table_(deals_table.in(api)) {}
  BigTimeDeals(const BigTimeDeals&) = delete;

  Result<void> create_table() { return table_.create_if_missing(); }
  void set_clock(Clock clock) { table_.set_clock(std::move(clock)); }

  // ---- Deals

  Result<Deal> create_deal(Deal added) { return in<deal>().create(std::move(added)).run(); }
  Result<std::optional<Deal>> fetch_deal(std::string_view id) { return in<deal>().get(id).run(); }

  // Up to 25 deals, the newest first, from today and the days before. A page goes on behind the
  // last deal of the one before.
  using Deals = Result<std::vector<Deal>>;
  Deals latest_deals(std::string_view last_seen = "") { return newest<"latest">(last_seen); }
  Deals latest_deals_of_brand(std::string_view name, std::string_view last_seen = "") {
    return newest<"by_brand">(last_seen, name);
  }
  Deals latest_deals_of_category(std::string_view name, std::string_view last_seen = "") {
    return newest<"by_category">(last_seen, name);
  }

  // ---- The cache of the latest deals: ten copies, so that no reader waits for another's

  Result<void> refresh_cache() {
    PARTITA_TRY(const std::vector<Deal> latest, latest_deals());
    BatchWrite batch(table_);
    for (std::int64_t shard = 0; shard < kCacheShards; ++shard) {
      batch.add(in<deals_cache>().put({shard, features(latest)}));
    }
    return batch.run();
  }
  // Any number will do, a random one or that of a thread.
  Result<std::optional<DealsCache>> cached_deals(std::uint64_t number) {
    return in<deals_cache>().get(static_cast<std::int64_t>(number % kCacheShards)).run();
  }

  // ---- Pages with featured deals

  Result<void> set_front_page(const std::vector<Deal>& featured) {
    return in<front_page>().upsert().set<&FeaturePage::featured>(features(featured)).run();
  }
  Result<void> set_editors_choice(const std::vector<Deal>& featured) {
    return in<editors_choice>().upsert().set<&FeaturePage::featured>(features(featured)).run();
  }
  Result<void> set_category_page(std::string_view name, const std::vector<Deal>& featured) {
    return in<category>().update(name).set<&Category::featured>(features(featured)).run();
  }
  Result<std::optional<FeaturePage>> fetch_front_page() { return in<front_page>().get().run(); }
  Result<std::optional<FeaturePage>> fetch_editors_choice() {
    return in<editors_choice>().get().run();
  }

  // ---- Brands and categories

  Result<void> create_brand(std::string name) {
    return Transaction(table_)
        .add(in<brand>().create({.brand = name}))
        .add(in<brands>().upsert().add<&Brands::names>({name}))
        .run();
  }
  Result<std::set<std::string>> fetch_all_brands() {
    PARTITA_TRY(const std::optional<Brands> all, in<brands>().get().run());
    return all ? all->names : std::set<std::string>();
  }
  Result<std::optional<Brand>> fetch_brand(std::string_view name) {
    return in<brand>().get(name).run();
  }
  Result<Category> create_category(std::string name) {
    return in<category>().create({.category = std::move(name)}).run();
  }
  Result<std::optional<Category>> fetch_category(std::string_view name) {
    return in<category>().get(name).run();
  }

  // Each counts, and fails for who has done it already. See counted_by above.
  Result<BrandLike> like(BrandLike added) { return in<brand_like>().create(added).run(); }
  Result<BrandWatch> watch(BrandWatch added) { return in<brand_watch>().create(added).run(); }
  Result<CategoryLike> like(CategoryLike added) { return in<category_like>().create(added).run(); }
  Result<CategoryWatch> watch(CategoryWatch added) {
    return in<category_watch>().create(added).run();
  }

  // ---- Users and their messages

  // Fails when the name is taken.
  Result<User> create_user(User added) { return in<user>().create(std::move(added)).run(); }

  Result<std::vector<Message>> messages_for(std::string_view name) {
    return in<message>().query(name).newest_first().all();
  }
  Result<std::vector<Message>> unread_messages_for(std::string_view name) {
    return in<message>().query<"unread">(name).newest_first().all();
  }
  Result<void> mark_as_read(const Message& read) {
    return in<message>().update(read.user, read.id).set<&Message::unread>(false).run();
  }

  // A new deal, told to everybody, or to those who watch its brand or its category. Each gives the
  // number of messages.
  Result<int> send_hot_deal(const Deal& hot) {
    return send("Hot deal: " + hot.title, in<user>().scan<"all">().all());
  }
  Result<int> send_to_brand_watchers(const Deal& added) {
    return send(added.brand + ": " + added.title, in<brand_watch>().query(added.brand).all());
  }
  Result<int> send_to_category_watchers(const Deal& added) {
    return send(added.category + ": " + added.title,
                in<category_watch>().query(added.category).all());
  }

  // Tells those who watch the brand or the category of a deal that came since the last time, as the
  // table's stream has it, and gives the number of messages. Called now and then, by one at a time.
  Result<int> notify_watchers() {
    PARTITA_TRY(const std::string saved, load_checkpoint(table_, "watchers"));
    auto changes = table_.stream<deal>(saved);
    int told = 0;
    for (const auto& change : changes) {
      PARTITA_CHECK(match(change, [&](const Inserted<Deal>& added) -> Result<void> {
        PARTITA_TRY(const int watchers, tell_watchers(added.now));
        told += watchers;
        return {};
      }));
    }
    PARTITA_CHECK(changes.finish());
    PARTITA_CHECK(save_checkpoint(table_, "watchers", changes.checkpoint()));
    return told;
  }

 private:
  template <const auto& Entity>
  RepositoryOf<Entity> in() const {
    return table_.repository<Entity>();
  }

  static std::vector<FeaturedDeal> features(const std::vector<Deal>& of) {
    std::vector<FeaturedDeal> featured;
    for (const Deal& each : of) featured.push_back({each.id, each.title});
    return featured;
  }

  template <FixedString Pattern, typename... Values>
  Deals newest(std::string_view last_seen, const Values&... values) {
    const auto today = std::chrono::floor<std::chrono::days>(table_.now());
    auto query = in<deal>().query_within<Pattern>(Moment(today - std::chrono::days(kDaysMax - 1)),
                                                  Moment(today), values...);
    if (!last_seen.empty()) query = query.before(last_seen);
    return query.newest_first().limit(kDealsPerPage).all();
  }

  template <typename Recipient>
  Result<int> send(const std::string& subject, Result<std::vector<Recipient>> found) {
    PARTITA_TRY(const std::vector<Recipient> recipients, std::move(found));
    BatchWrite batch(table_);
    for (const Recipient& each : recipients) {
      batch.add(in<message>().put({.user = each.user, .subject = subject}));
    }
    PARTITA_CHECK(batch.run());
    return static_cast<int>(recipients.size());
  }

  // The message has the deal's id: who watches both is told once, also when this is called again
  // for the same deal because the checkpoint behind it was not saved.
  Result<int> tell_watchers(const Deal& added) {
    std::map<std::string, std::string> subjects;  // by user
    PARTITA_TRY(const auto of_category, in<category_watch>().query(added.category).all());
    for (const CategoryWatch& each : of_category) subjects[each.user] = added.category;
    PARTITA_TRY(const auto of_brand, in<brand_watch>().query(added.brand).all());
    for (const BrandWatch& each : of_brand) subjects[each.user] = added.brand;
    int told = 0;
    for (const auto& [name, subject] : subjects) {
      auto sent =
          in<message>()
              .create({.user = name, .id = added.id, .subject = subject + ": " + added.title})
              .run();
      if (sent) ++told;
      if (!sent && sent.error().code() != partita::ErrorCode::ConditionalCheckFailed) {
        return std::move(sent).error();
      }
    }
    return told;
  }

  TableOf<deals_table> table_;
};

// A week of deals, two a day, and three users, of whom two watch.
inline Result<void> fill(BigTimeDeals& site) {
  using std::chrono::year;
  PARTITA_CHECK(site.create_table());
  for (const char* name : {"Apple", "Lego"}) PARTITA_CHECK(site.create_brand(name));
  for (const char* name : {"Electronics", "Toys"}) PARTITA_CHECK(site.create_category(name));
  for (const char* name : {"alexdebrie", "ada", "bob"}) {
    PARTITA_CHECK(site.create_user({name, name}));
  }
  std::vector<Deal> all;
  for (int day = 0; day < 7; ++day) {
    if (day == 6) {  // who comes now learns of what comes later
      PARTITA_CHECK(site.notify_watchers());
      PARTITA_CHECK(site.watch(BrandWatch{"Apple", "ada"}));
      PARTITA_CHECK(site.watch(BrandWatch{"Apple", "bob"}));
      PARTITA_CHECK(site.watch(CategoryWatch{"Toys", "bob"}));
    }
    const Moment noon = std::chrono::sys_days(year(2024) / 4 / 12) + std::chrono::days(day) +
                        std::chrono::hours(12);
    for (const bool toy : {false, true}) {
      site.set_clock([=] { return noon + std::chrono::seconds(toy); });
      PARTITA_TRY(const Deal made,
                  site.create_deal({.title = (toy ? "Castle " : "Phone ") + std::to_string(day),
                                    .price = 99,
                                    .brand = toy ? "Lego" : "Apple",
                                    .category = toy ? "Toys" : "Electronics"}));
      all.push_back(made);
    }
  }
  PARTITA_CHECK(site.set_front_page({all[12], all[13]}));
  PARTITA_CHECK(site.set_editors_choice({all[0]}));
  PARTITA_CHECK(site.set_category_page("Toys", {all[13]}));
  PARTITA_CHECK(site.refresh_cache());
  PARTITA_CHECK(site.like(BrandLike{"Apple", "ada"}));
  PARTITA_CHECK(site.like(CategoryLike{"Toys", "ada"}));
  PARTITA_CHECK(site.notify_watchers());
  return {};
}

}  // namespace examples::deals
