#include "partita/model/repository.h"

#include <gtest/gtest.h>

#include "partita/model/partition_monitor.h"

#include "backend/test_backend.h"
#include "model/park_test.h"

namespace partita::model {
namespace {

using namespace park;

class RepositoryTest : public testing::Test {
 protected:
  RepositoryTest() { EXPECT_TRUE(table.create_if_missing()); }

  std::vector<std::string> ids(Result<std::vector<Dinosaur>> found) {
    EXPECT_TRUE(found) << found.error().message();
    std::vector<std::string> ids;
    for (const Dinosaur& d : *found) ids.push_back(d.id);
    return ids;
  }
  Item stored(const std::string& id) {
    const Item key{{"PK", Value::string("DINO#" + id)}, {"SK", Value::string("METADATA")}};
    return database->get_item({.table_name = "Park", .key = key})->item.value();
  }

  TestBackend database;
  Table<std::remove_cvref_t<decltype(table_definition)>> table = table_definition.in(*database);
  Repository<EntityOf<dinosaur>> dinosaurs = table.repository<dinosaur>();
};

Dinosaur rex() {
  Dinosaur d;
  d.id = "rex";
  d.species = "Tyrannosaurus";
  d.diet = Diet::carnivore;
  d.weight = 7000;
  d.expedition = "sahara";
  d.tags = {"big", "loud"};
  d.found = {"US", "Montana"};
  d.discovered = day(5);
  d.log = {"found", "cleaned"};
  d.measures = {{"height", 4}, {"length", 12}};
  d.expires = std::chrono::sys_seconds(std::chrono::seconds(1900000000));
  return d;
}

TEST_F(RepositoryTest, what_is_created_is_read_back) {
  const auto created = dinosaurs.create(rex()).run();
  ASSERT_TRUE(created) << created.error().message();
  EXPECT_EQ(*created, rex());
  const auto read = dinosaurs.get("rex").consistent().run();
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->value(), rex());
  EXPECT_EQ(dinosaurs.get({.id = "rex"}).run()->value(), rex());
  EXPECT_EQ(*dinosaurs.get("nobody").run(), std::nullopt);
}

TEST_F(RepositoryTest, items_have_keys_type_and_members) {
  ASSERT_TRUE(dinosaurs.create(rex()).run());
  const Item item = stored("rex");
  EXPECT_EQ(item.find("_type")->string(), "dinosaur");
  EXPECT_EQ(item.find("GSI1PK")->string(), "DIET#carnivore");
  EXPECT_EQ(item.find("GSI1SK")->string(), "W#00007000#rex");
  EXPECT_EQ(item.find("GSI2PK")->string(), "EXP#sahara");
  EXPECT_EQ(item.find("diet")->string(), "carnivore");
  EXPECT_EQ(item.find("weight")->number(), "7000");
  EXPECT_EQ(item.find("discovered")->string(), "2024-01-06T00:00:00.000Z");
  EXPECT_EQ(item.find("expires")->number(), "1900000000");
  EXPECT_EQ(item.find("found")->map().find("region")->string(), "Montana");
  EXPECT_FALSE(item.find("GSI4PK")) << "it is not on display";
}

TEST_F(RepositoryTest, create_fails_when_the_key_is_taken_and_put_does_not) {
  ASSERT_TRUE(dinosaurs.create(rex()).run());
  const auto again = dinosaurs.create(rex()).run();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::ConditionalCheckFailed);
  EXPECT_TRUE(dinosaurs.put(rex()).run());
}

TEST_F(RepositoryTest, a_condition_decides_about_put_and_remove) {
  ASSERT_TRUE(dinosaurs.create(rex()).run());
  const auto heavy = field<&Dinosaur::weight> > 9000;
  const auto refused = dinosaurs.put(rex()).when(heavy).run();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::ConditionalCheckFailed);
  EXPECT_EQ(dinosaurs.existing(refused.error()).value(), rex());
  EXPECT_FALSE(dinosaurs.remove("rex").when(heavy).run());
  const auto light = field<&Dinosaur::weight> <= 9000 && field<"found.country"> == "US" &&
                     contains(field<&Dinosaur::tags>, "loud") &&
                     size(field<&Dinosaur::tags>) < 10 && !missing(field<&Dinosaur::expedition>) &&
                     in(field<&Dinosaur::diet>, {Diet::carnivore, Diet::omnivore}) &&
                     between(field<&Dinosaur::weight>, 1, 7000) &&
                     begins_with(field<&Dinosaur::species>, "Tyr") &&
                     has_type(field<&Dinosaur::weight>, ValueType::N);
  EXPECT_TRUE(dinosaurs.put(rex()).when(light).run());
  EXPECT_EQ(dinosaurs.remove("rex").when(light).returning_old()->value(), rex());
  EXPECT_EQ(*dinosaurs.get("rex").run(), std::nullopt);
}

TEST_F(RepositoryTest, what_is_invalid_is_not_written) {
  Dinosaur d = rex();
  d.weight = 0;
  const auto created = dinosaurs.create(d).run();
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().code(), EntityInvalid);
  EXPECT_EQ(created.error().message(), "dinosaur: weight: must be positive");
  EXPECT_EQ(dinosaurs.create({.species = "Nameless"}).run().error().code(), KeyIncomplete);
}

TEST_F(RepositoryTest, queries_find_ranges_of_the_sort_key) {
  for (int i = 1; i <= 9; ++i) {
    Dinosaur d = rex();
    d.id = "d" + std::to_string(i);
    d.weight = i * 1000;
    d.discovered = day(i);
    ASSERT_TRUE(dinosaurs.create(d).run());
  }
  const auto carnivores = [&] { return dinosaurs.query<"by_diet">(Diet::carnivore); };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(ids(carnivores().all()).size(), 9u);
  EXPECT_EQ(ids(carnivores().between(3000, 5000).all()), (Ids{"d3", "d4", "d5"}));
  EXPECT_EQ(ids(carnivores().before(3000).all()), (Ids{"d1", "d2"}));
  EXPECT_EQ(ids(carnivores().up_to(3000).all()), (Ids{"d1", "d2", "d3"}));
  EXPECT_EQ(ids(carnivores().after(8000).all()), (Ids{"d9"}));
  EXPECT_EQ(ids(carnivores().from(8000).all()), (Ids{"d8", "d9"}));
  EXPECT_EQ(ids(carnivores().under(4000).all()), (Ids{"d4"}));
  EXPECT_EQ(ids(carnivores().equal(4000, "d4").all()), (Ids{"d4"}));
  EXPECT_EQ(ids(carnivores().before(2000, "d2").all()), (Ids{"d1"}));
  EXPECT_EQ(ids(carnivores().after(8000, "d8").all()), (Ids{"d9"}));
  EXPECT_EQ(ids(carnivores().descending().limit(2).all()), (Ids{"d9", "d8"}));
  EXPECT_EQ(ids(carnivores().filter(field<&Dinosaur::weight> > 7500).all()), (Ids{"d8", "d9"}));
  EXPECT_EQ(carnivores().count().value(), 9);
  EXPECT_EQ(carnivores().first().value()->id, "d1");
  EXPECT_EQ(ids(dinosaurs.query<"by_diet">(Diet::herbivore).all()), Ids{});
  // Times run backwards in this one: what is later comes first.
  const auto sahara = [&] { return dinosaurs.query<"by_expedition">("sahara"); };
  EXPECT_EQ(ids(sahara().limit(2).all()), (Ids{"d9", "d8"}));
  EXPECT_EQ(ids(sahara().under().limit(2).all()), (Ids{"d9", "d8"})) << "without a level, all";
  EXPECT_EQ(ids(sahara().after(day(7)).all()), (Ids{"d9", "d8"}));
  EXPECT_EQ(ids(sahara().before(day(3)).all()), (Ids{"d2", "d1"}));
  EXPECT_EQ(ids(sahara().between(day(3), day(4)).all()), (Ids{"d4", "d3"}));
}

TEST_F(RepositoryTest, a_range_for_reads_lazily_and_pages_go_on_behind_their_cursor) {
  for (int i = 1; i <= 9; ++i) {
    Dinosaur d = rex();
    d.id = "d" + std::to_string(i);
    d.weight = i;
    ASSERT_TRUE(dinosaurs.create(d).run());
  }
  std::string seen;
  auto query = dinosaurs.query<"by_diet">(Diet::carnivore);
  for (const Dinosaur& d : query) seen += d.id;
  EXPECT_TRUE(query.status());
  EXPECT_EQ(seen, "d1d2d3d4d5d6d7d8d9");
  std::string cursor, pages;
  do {
    const auto page = dinosaurs.query<"by_diet">(Diet::carnivore).page(4, cursor);
    ASSERT_TRUE(page) << page.error().message();
    for (const Dinosaur& d : page->items) pages += d.id;
    pages += '|';
    cursor = page->next;
  } while (!cursor.empty());
  EXPECT_EQ(pages, "d1d2d3d4|d5d6d7d8|d9|");
  const auto first = dinosaurs.query<"by_diet">(Diet::carnivore).page(4);
  const auto other = dinosaurs.query<"by_diet">(Diet::herbivore).page(4, first->next);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), CursorInvalid);
}

TEST_F(RepositoryTest, shards_are_gathered_in_order) {
  for (int i = 0; i < 30; ++i) {
    Dinosaur d = rex();
    d.id = "d" + std::to_string(i);
    d.discovered = day(i * 7 % 30);
    ASSERT_TRUE(dinosaurs.create(d).run());
  }
  const auto all = dinosaurs.query<"timeline">().all();
  ASSERT_TRUE(all) << all.error().message();
  ASSERT_EQ(all->size(), 30u);
  for (int i = 0; i < 30; ++i) EXPECT_EQ((*all)[static_cast<std::size_t>(i)].discovered, day(i));
  const auto by_threads = dinosaurs.query<"timeline">().threads(3).all();
  ASSERT_TRUE(by_threads) << by_threads.error().message();
  EXPECT_EQ(*by_threads, *all);
  EXPECT_EQ(dinosaurs.query<"timeline">().threads(4).count().value(), 30);
  const auto newest = dinosaurs.query<"timeline">().newest_first().limit(3).all();
  EXPECT_EQ((*newest)[2].discovered, day(27));
  std::string cursor;
  int expected = 0;
  do {
    const auto page = dinosaurs.query<"timeline">().page(7, cursor);
    ASSERT_TRUE(page) << page.error().message();
    for (const Dinosaur& d : page->items) EXPECT_EQ(d.discovered, day(expected++));
    cursor = page->next;
  } while (!cursor.empty());
  EXPECT_EQ(expected, 30);
}

TEST_F(RepositoryTest, updates_change_members_and_the_keys_made_of_them) {
  ASSERT_TRUE(dinosaurs.create(rex()).run());
  const auto updated = dinosaurs.update("rex")
                           .set<&Dinosaur::weight>(7100)
                           .set<&Dinosaur::diet>(Diet::omnivore)
                           .add<&Dinosaur::tags>({"armoured"})
                           .append<&Dinosaur::log>({"moved"})
                           .set_entry<&Dinosaur::measures>("height", 5)
                           .remove<&Dinosaur::expires>()
                           .when(field<&Dinosaur::weight> == 7000)
                           .returning_new();
  ASSERT_TRUE(updated) << updated.error().message();
  EXPECT_EQ(updated->weight, 7100);
  EXPECT_EQ(updated->tags, (std::set<std::string>{"armoured", "big", "loud"}));
  EXPECT_EQ(updated->log, (std::vector<std::string>{"found", "cleaned", "moved"}));
  EXPECT_EQ(updated->measures.at("height"), 5);
  EXPECT_EQ(updated->expires, std::nullopt);
  EXPECT_EQ(stored("rex").find("GSI1PK")->string(), "DIET#omnivore");
  EXPECT_EQ(stored("rex").find("GSI1SK")->string(), "W#00007100#rex");
}

TEST_F(RepositoryTest, elements_of_lists_are_changed_by_their_place) {
  ASSERT_TRUE(dinosaurs.create(rex()).run());
  const auto updated = dinosaurs.update("rex")
                           .set_element<&Dinosaur::log>(0, "dug out")
                           .set_element<&Dinosaur::log>(9, "shown")
                           .returning_new();
  ASSERT_TRUE(updated) << updated.error().message();
  EXPECT_EQ(updated->log, (std::vector<std::string>{"dug out", "cleaned", "shown"}));
  const auto shorter = dinosaurs.update("rex").remove_element<&Dinosaur::log>(1).returning_new();
  EXPECT_EQ(shorter->log, (std::vector<std::string>{"dug out", "shown"}));
}

TEST_F(RepositoryTest, an_item_leaves_and_enters_a_sparse_index) {
  ASSERT_TRUE(dinosaurs.create(rex()).run());
  ASSERT_TRUE(dinosaurs.update("rex")
                  .remove<&Dinosaur::expedition>()
                  .set<&Dinosaur::discovered>(day(5))
                  .run());
  EXPECT_FALSE(stored("rex").find("GSI2PK"));
  EXPECT_FALSE(stored("rex").find("GSI2SK"));
  ASSERT_TRUE(dinosaurs.update("rex")
                  .set<&Dinosaur::on_display>(true)
                  .set<&Dinosaur::found>(Place{"NZ", "Otago"})
                  .set<&Dinosaur::species>("Moa")
                  .run());
  EXPECT_EQ(stored("rex").find("GSI4PK")->string(), "REGION#NZ");
  EXPECT_EQ(stored("rex").find("GSI4SK")->string(), "Otago#Moa");
  EXPECT_EQ(ids(dinosaurs.query<"on_display">("NZ").under("Otago").all()),
            std::vector<std::string>{"rex"});
}

TEST_F(RepositoryTest, an_update_wants_the_item_and_an_upsert_makes_it) {
  const auto absent = dinosaurs.update("ghost").set<&Dinosaur::log>({"seen"}).run();
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code(), ErrorCode::ConditionalCheckFailed);
  const auto made = dinosaurs.upsert("ghost")
                        .set<&Dinosaur::log>({"seen"})
                        .set_if_absent<&Dinosaur::tags>(std::set<std::string>{"pale"})
                        .returning_new();
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->id, "ghost");
  EXPECT_EQ(made->tags, std::set<std::string>{"pale"});
  EXPECT_EQ(dinosaurs.get("ghost").run()->value().log, std::vector<std::string>{"seen"});
}

TEST_F(RepositoryTest, expiry_is_switched_on_and_compared_as_it_is_stored) {
  const auto expiry = database->describe_time_to_live({.table_name = "Park"});
  EXPECT_NE(expiry->status, TimeToLiveStatus::Disabled);
  EXPECT_EQ(expiry->attribute_name, "expires");
  EXPECT_TRUE(table.create_if_missing()) << "it is on already";
  ASSERT_TRUE(dinosaurs.create(rex()).run());
  const auto count = [&](const auto& condition) {
    return dinosaurs.scan().filter(condition).count().value();
  };
  const auto at = *rex().expires;
  const std::chrono::seconds second(1);
  EXPECT_EQ(count(field<&Dinosaur::expires> == at), 1);
  EXPECT_EQ(count(field<&Dinosaur::expires> > at), 0);
  EXPECT_EQ(count(field<"expires"> < at + second), 1);
  EXPECT_EQ(count(between(field<&Dinosaur::expires>, at - second, at)), 1);
  EXPECT_EQ(count(in(field<&Dinosaur::expires>, {at - second, at})), 1);
  EXPECT_TRUE(dinosaurs.remove("rex").when(field<&Dinosaur::expires> <= at).run());
}

TEST_F(RepositoryTest, a_table_that_expires_by_something_else_is_refused) {
  UpdateTimeToLiveRequest request;
  request.table_name = "Other";
  request.time_to_live_specification = {true, "until"};
  auto other = table_definition.in(*database, "Other");
  ASSERT_TRUE(database->create_table(other.create_request()));
  ASSERT_TRUE(database->update_time_to_live(request));
  EXPECT_EQ(other.create_if_missing().error().message(),
            "the table Other is there, but its items expire by until");
}

TEST_F(RepositoryTest, values_known_at_run_time_are_compared) {
  ASSERT_TRUE(dinosaurs.create({.id = "a", .weight = 5}).run());
  ASSERT_TRUE(dinosaurs.create({.id = "b", .weight = 6}).run());
  const std::vector<std::int64_t> wanted{6, 7};
  const auto found = dinosaurs.scan().filter(in(field<&Dinosaur::weight>, wanted)).all();
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->at(0).id, "b");
  std::vector<std::int64_t> many(100);
  const auto rich =
      dinosaurs.scan()
          .filter(in(field<&Dinosaur::weight>, many) || in(field<&Dinosaur::weight>, many) ||
                  in(field<&Dinosaur::weight>, many) || in(field<&Dinosaur::weight>, many) ||
                  in(field<&Dinosaur::weight>, wanted))
          .all();
  ASSERT_TRUE(rich) << rich.error().message();
  EXPECT_EQ(rich->size(), 1u) << "placeholders beyond 400 are told apart";
}

TEST_F(RepositoryTest, accesses_are_watched) {
  PartitionMonitor monitor;
  table.watch(monitor);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(dinosaurs.put({.id = "rex", .diet = Diet::carnivore}).run());
  }
  ASSERT_TRUE(dinosaurs.get("rex").run());
  ASSERT_TRUE(dinosaurs.update("rex").append<&Dinosaur::log>({"seen"}).run());
  ASSERT_TRUE(dinosaurs.query<"by_diet">(Diet::carnivore).all());
  ASSERT_TRUE(BatchGet(table).add(dinosaurs.get("ann")).run());
  const auto accesses = [&](std::string_view key) {
    for (const BusyKey& busy : monitor.busiest(100)) {
      if (busy.key == key) return busy.at_least;
    }
    return std::uint64_t{0};
  };
  EXPECT_EQ(accesses("DINO#rex"), 5u);
  EXPECT_EQ(accesses("DIET#carnivore"), 4u) << "three writes of the index and a query";
  EXPECT_EQ(accesses("DINO#ann"), 1u);
}

struct Visit {
  std::string id{};
  Diet diet{};
  std::int64_t number = 0;
};
inline constexpr auto visits_before = define_table<"Visits">(key<"PK">);
inline constexpr auto visits_now = define_table<"Visits">(
    key<"PK">, gsi<"GSI1", "GSI1PK", "GSI1SK:S">, gsi<"ByNumber", "number:N">);
inline constexpr auto visit = define_entity<Visit, "visit">(
    visits_now, key<"VISIT#{id}">,
    indexed<"of_hunters", "GSI1", "ALL", "{id}", when<"diet", Diet::carnivore, Diet::omnivore>>,
    indexed<"by_number", "ByNumber">);

TEST_F(RepositoryTest, indexes_are_added_to_a_table_and_a_table_is_dropped) {
  ASSERT_TRUE(visits_before.in(*database).create_if_missing());
  auto visits = visits_now.in(*database);
  const auto lacking = visits.create_if_missing();
  ASSERT_FALSE(lacking);
  EXPECT_NE(lacking.error().message().find("add_missing_indexes()"), std::string::npos);
  const auto added = visits.add_missing_indexes();
  ASSERT_TRUE(added) << added.error().message();
  EXPECT_EQ(*added, (std::vector<std::string>{"GSI1", "ByNumber"}));
  EXPECT_TRUE(visits.add_missing_indexes()->empty());
  ASSERT_TRUE(visits.create_if_missing());
  ASSERT_TRUE(visits.repository<visit>().create({.id = "a", .number = 7}).run());
  EXPECT_EQ(visits.repository<visit>().query<"by_number">(7).count().value(), 1);
  ASSERT_TRUE(visits.drop());
  EXPECT_FALSE(visits.drop());
  ASSERT_TRUE(visits.create_if_missing());
  EXPECT_EQ(visits.repository<visit>().scan().count().value(), 0);
}

TEST_F(RepositoryTest, an_index_takes_the_items_of_some_values) {
  auto visits = visits_now.in(*database);
  ASSERT_TRUE(visits.create_if_missing());
  auto all = visits.repository<visit>();
  for (const Diet diet : {Diet::herbivore, Diet::carnivore, Diet::omnivore}) {
    const std::string id(1, static_cast<char>('a' + static_cast<int>(diet)));
    ASSERT_TRUE(all.create({.id = id, .diet = diet}).run());
  }
  const auto hunters = [&] {
    std::string ids;
    for (const Visit& each : all.query<"of_hunters">()) ids += each.id;
    return ids;
  };
  EXPECT_EQ(hunters(), "bc");
  ASSERT_TRUE(all.update("a").set<&Visit::diet>(Diet::omnivore).run());
  ASSERT_TRUE(all.update("b").set<&Visit::diet>(Diet::herbivore).run());
  EXPECT_EQ(hunters(), "ac");
}

// The same items as two versions of a program see them.
struct OldTicket {
  std::string id{};
  std::int64_t price = 0;  // whole coins
  std::string gate{};
};
struct Ticket {
  std::string id{};
  std::int64_t cents = 0;
  std::string gate{};
};
inline constexpr auto old_ticket =
    define_entity<OldTicket, "ticket">(table_definition, key<"TICKET#{id}", "TICKET">);
inline constexpr auto ticket = define_entity<Ticket, "ticket">(
    table_definition, key<"TICKET#{id}", "TICKET">,
    indexed<"by_gate", "GSI1", "GATE#{gate}", "{cents:08}#{id}">, evolve<2>([](int, RawItem& raw) {
      const auto price = raw.find("price");
      const auto coins = price ? Decimal::parse(price->number())->times(Decimal(100)) : Decimal(0);
      raw.set("cents", Value::number(coins->to_string()).value());
      raw.remove("price");
    }),
    validate([](const Ticket& t, Issues& issues) {
      if (t.cents < 0) issues.add("cents", "is negative");
    }));

TEST_F(RepositoryTest, an_item_of_an_older_schema_is_upgraded_before_it_is_updated) {
  auto before = table.repository<old_ticket>();
  auto now = table.repository<ticket>();
  for (const char* id : {"a", "b", "c", "d"}) {
    ASSERT_TRUE(before.create({.id = id, .price = 3, .gate = "east"}).run());
  }
  EXPECT_EQ(now.get("a").run().value()->cents, 300);
  const auto set = now.update("a").set<&Ticket::gate>("west").set<&Ticket::cents>(250).run();
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(now.get("a").run().value()->cents, 250) << "the upgrade does not undo it";
  const auto read = now.update("b").add<&Ticket::cents>(7).read_modify_write().returning_new();
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->cents, 307);
  Transaction both(table);
  both.add(now.update("c").set<&Ticket::gate>("west").set<&Ticket::cents>(1));
  ASSERT_TRUE(both.run());
  EXPECT_EQ(now.query<"by_gate">("west").count().value(), 2);
  ASSERT_TRUE(now.upsert("d").set<&Ticket::cents>(5).set<&Ticket::gate>("west").run());
  EXPECT_EQ(now.get("d").run().value()->cents, 5);
  ASSERT_TRUE(now.upsert("e").set<&Ticket::cents>(9).set<&Ticket::gate>("west").run());
  EXPECT_EQ(now.get("e").run().value()->cents, 9) << "what an upsert makes is of this schema";
  EXPECT_EQ(now.update("f").set<&Ticket::cents>(9).set<&Ticket::gate>("w").run().error().message(),
            "ticket: there is no item with this key");
}

TEST_F(RepositoryTest, an_update_that_reads_first_is_validated) {
  auto tickets = table.repository<ticket>();
  ASSERT_TRUE(tickets.create({.id = "a", .cents = 100, .gate = "east"}).run());
  const auto refund = tickets.update("a").add<&Ticket::cents>(-200).read_modify_write().run();
  ASSERT_FALSE(refund);
  EXPECT_EQ(refund.error().message(), "ticket: cents: is negative");
  EXPECT_EQ(tickets.get("a").run().value()->cents, 100);
}

TEST_F(RepositoryTest, a_scan_finds_all_in_any_number_of_segments) {
  for (int i = 0; i < 20; ++i) {
    Dinosaur d = rex();
    d.id = "d" + std::to_string(i);
    ASSERT_TRUE(dinosaurs.create(d).run());
  }
  const std::vector<std::string> found = ids(dinosaurs.scan().all());
  EXPECT_EQ(found.size(), 20u);
  const std::vector<std::string> by_threads = ids(dinosaurs.scan().segments(4).all());
  EXPECT_EQ(by_threads.size(), 20u);
  EXPECT_EQ(std::set(by_threads.begin(), by_threads.end()), std::set(found.begin(), found.end()));
  EXPECT_EQ(dinosaurs.scan().segments(3).limit(5).all()->size(), 5u);
  EXPECT_EQ(dinosaurs.scan().count().value(), 20);
  EXPECT_EQ(dinosaurs.scan().segments(8).count().value(), 20);
  std::set<std::string> in_pages;
  std::string cursor;
  do {
    const auto page = dinosaurs.scan().segments(3).page(7, cursor);
    ASSERT_TRUE(page) << page.error().message();
    for (const Dinosaur& d : page->items) EXPECT_TRUE(in_pages.insert(d.id).second) << d.id;
    cursor = page->next;
  } while (!cursor.empty());
  EXPECT_EQ(in_pages.size(), 20u);
}

}  // namespace
}  // namespace partita::model
