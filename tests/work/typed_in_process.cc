// typed_in_process WORKLOAD COUNT: the same work through the modelling kit and by hand, on the
// memory engine. in_process_test.py compares the instructions of the two.
//
// By hand is what a program does without the kit: it builds the item with its keys, asks the Api,
// and reads the attributes into its struct.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "partita/database.h"
#include "partita/model/model.h"

namespace partita::model {
namespace {

enum class Diet { herbivore, carnivore };

struct Dinosaur {
  std::string id{};
  std::string species{};
  std::string period{};
  std::string family{};
  std::string notes{};
  Diet diet{};
  std::int64_t weight = 1;
  std::int64_t length = 1;
  bool on_display = false;
  std::string expedition{};
};

inline constexpr auto park = define_table<"Park">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">,
                                                  gsi<"GSI2", "GSI2PK", "GSI2SK">);
inline constexpr auto dinosaur = define_entity<Dinosaur, "dinosaur">(
    park, key<"DINO#{id}", "METADATA">,
    indexed<"by_diet", "GSI1", "DIET#{diet}", "W#{weight:08}#{id}">,
    indexed<"by_expedition", "GSI2", "EXP#{expedition}", "{species}#{id}">);

Dinosaur numbered(int number) {
  return {.id = "01J0000000000000000000" + std::to_string(1000 + number % 50),
          .species = "Tyrannosaurus rex",
          .period = "Late Cretaceous",
          .family = "Tyrannosauridae",
          .notes = std::string(200, 'x'),
          .diet = Diet::carnivore,
          .weight = 7000 + number % 50,
          .length = 12,
          .on_display = true,
          .expedition = "hell-creek-1902"};
}

// ---- By hand

Item key_by_hand(const std::string& id) {
  return {{"PK", Value::string("DINO#" + id)}, {"SK", Value::string("METADATA")}};
}

Item item_by_hand(const Dinosaur& d) {
  std::string weight = std::to_string(d.weight);
  weight.insert(0, 8 - weight.size(), '0');
  const std::string diet = d.diet == Diet::carnivore ? "carnivore" : "herbivore";
  return {{"PK", Value::string("DINO#" + d.id)},
          {"SK", Value::string("METADATA")},
          {"GSI1PK", Value::string("DIET#" + diet)},
          {"GSI1SK", Value::string("W#" + weight + "#" + d.id)},
          {"GSI2PK", Value::string("EXP#" + d.expedition)},
          {"GSI2SK", Value::string(d.species + "#" + d.id)},
          {"_type", Value::string("dinosaur")},
          {"id", Value::string(d.id)},
          {"species", Value::string(d.species)},
          {"period", Value::string(d.period)},
          {"family", Value::string(d.family)},
          {"notes", Value::string(d.notes)},
          {"diet", Value::string(diet)},
          {"weight", Value::number(d.weight)},
          {"length", Value::number(d.length)},
          {"on_display", Value::boolean(d.on_display)},
          {"expedition", Value::string(d.expedition)}};
}

Dinosaur read_by_hand(ItemView item) {
  Dinosaur d;
  d.id = item.find("id")->string();
  d.species = item.find("species")->string();
  d.period = item.find("period")->string();
  d.family = item.find("family")->string();
  d.notes = item.find("notes")->string();
  d.diet = item.find("diet")->string() == "carnivore" ? Diet::carnivore : Diet::herbivore;
  d.weight = std::stoll(item.find("weight")->number());
  d.length = std::stoll(item.find("length")->number());
  d.on_display = item.find("on_display")->boolean();
  d.expedition = item.find("expedition")->string();
  return d;
}

bool put_by_hand(Api& api, const Dinosaur& d) {
  const Item item = item_by_hand(d);
  return api.put_item({.table_name = "Park", .item = item}).has_value();
}

bool get_by_hand(Api& api, const std::string& id) {
  const Item key = key_by_hand(id);
  const auto found = api.get_item({.table_name = "Park", .key = key});
  return found && found->item && read_by_hand(*found->item).id == id;
}

bool update_by_hand(Api& api, const Dinosaur& d) {
  const Item key = key_by_hand(d.id);
  std::string weight = std::to_string(d.weight);
  weight.insert(0, 8 - weight.size(), '0');
  const Value values[] = {Value::number(d.weight), Value::string("carnivore"),
                          Value::string("DIET#carnivore"),
                          Value::string("W#" + weight + "#" + d.id), Value::string("dinosaur")};
  const ExpressionAttributeName names[] = {
      {"#0", "weight"}, {"#1", "diet"}, {"#2", "GSI1PK"}, {"#3", "GSI1SK"}, {"#4", "_type"}};
  const ExpressionAttributeValue placed[] = {{":0", values[0]},
                                             {":1", values[1]},
                                             {":2", values[2]},
                                             {":3", values[3]},
                                             {":4", values[4]}};
  UpdateItemRequest request;
  request.table_name = "Park";
  request.key = key;
  request.update_expression = "SET #0 = :0, #1 = :1, #2 = :2, #3 = :3";
  request.condition_expression = "#4 = :4";
  request.expression_attributes = {names, placed};
  return api.update_item(request).has_value();
}

bool query_by_hand(Api& api) {
  const Value partition = Value::string("DIET#carnivore"), sort = Value::string("W#");
  const ExpressionAttributeName names[] = {{"#0", "GSI1PK"}, {"#1", "GSI1SK"}};
  const ExpressionAttributeValue values[] = {{":0", partition}, {":1", sort}};
  QueryRequest request;
  request.table_name = "Park";
  request.index_name = "GSI1";
  request.limit = 10;
  request.key_condition_expression = "#0 = :0 AND begins_with(#1, :1)";
  request.expression_attributes = {names, values};
  const auto page = api.query(request);
  if (!page) return false;
  std::vector<Dinosaur> found;
  for (std::size_t i = 0; i < page->items.size(); ++i)
    found.push_back(read_by_hand(page->items[i]));
  return found.size() == 10;
}

// ---- The workloads

using Work = std::function<bool(Database&, const Repository<EntityOf<dinosaur>>&, int)>;

void repeat(int count, const Work& work) {
  const auto database = Database::in_memory();
  auto table = park.in(*database);
  if (!table.create_if_missing()) std::abort();
  const auto dinosaurs = table.repository<dinosaur>();
  for (int i = 0; i < 50; ++i) {
    if (!put_by_hand(*database, numbered(i))) std::abort();
  }
  for (int i = 0; i < count; ++i) {
    if (!work(*database, dinosaurs, i)) std::abort();
  }
}

const std::map<std::string, Work> kWorkloads = {
    {"make", [](auto&, auto&, int i) { return !numbered(i).id.empty(); }},
    {"put-by-hand", [](auto& api, auto&, int i) { return put_by_hand(api, numbered(i)); }},
    {"put-typed",
     [](auto&, auto& typed, int i) { return typed.put(numbered(i)).run().has_value(); }},
    {"get-by-hand", [](auto& api, auto&, int i) { return get_by_hand(api, numbered(i).id); }},
    {"get-typed",
     [](auto&, auto& typed, int i) {
       const Dinosaur d = numbered(i);
       const auto found = typed.get(d.id).run();
       return found && *found && (*found)->id == d.id;
     }},
    {"update-by-hand", [](auto& api, auto&, int i) { return update_by_hand(api, numbered(i)); }},
    {"update-typed",
     [](auto&, auto& typed, int i) {
       const Dinosaur d = numbered(i);
       return typed.update(d.id)
           .template set<&Dinosaur::weight>(d.weight)
           .template set<&Dinosaur::diet>(d.diet)
           .run()
           .has_value();
     }},
    {"query-by-hand", [](auto& api, auto&, int) { return query_by_hand(api); }},
    {"query-typed",
     [](auto&, auto& typed, int) {
       return typed.template query<"by_diet">(Diet::carnivore).limit(10).all()->size() == 10;
     }},
};

}  // namespace
}  // namespace partita::model

int main(int argc, char** argv) {
  using partita::model::kWorkloads;
  const auto workload = argc == 3 ? kWorkloads.find(argv[1]) : kWorkloads.end();
  if (workload == kWorkloads.end()) {
    std::cerr << "usage: typed_in_process WORKLOAD COUNT\n";
    return 2;
  }
  partita::model::repeat(std::atoi(argv[2]), workload->second);
  return 0;
}
