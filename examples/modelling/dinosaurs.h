// Dinosaurs and expeditions: a research database with every key pattern of a guide to key design.
//
//   Access pattern             Index   Key
//   find                       table   PK = DINO#t-rex, SK = METADATA; EXP#, RESEARCHER#, SAMPLE# …
//   found_by_expedition        GSI1    DINO#sahara, in the order of discovery
//   expeditions_led_by         GSI1    EXP#ada, in the order of their start  (overloaded)
//   researchers_in             GSI1    RESEARCHER#palaeontology, by name     (overloaded)
//   discoveries_by             GSI2    RESEARCHER#ada, in the order of discovery
//   with_diet                  GSI3    DIET#carnivore, by period, size and species
//   timeline                   GSI4    TIMELINE#2024-06: a partition for each month
//   in_region                  GSI5    REGION#NZ#Otago, by species
//   heavier_than               GSI6    PERIOD#jurassic, W#00007000: padded, so that 10 is above 2
//   newest_of_expedition       GSI7    EXP#sahara, time backwards: the newest come first
//   classified                 GSI8    CLASS#jurassic#carnivore, by family, genus and species
//   published                  GSI9    PUBLISHED, sparse: only those with a publication
//   found_near                 GSI10   GEO#NZ#Otago, by time and confidence
//   all_dinosaurs              GSI11   HASH#0 … #9: every dinosaur, in ten partitions
//   events_of, events_after,   table   PK = EXP#sahara, SK = E#<time>#<kind>#<id>
//   events_like
//
// One entity needs an index of its own for each order in which it is read; different entities
// share one. A real design would drop the patterns it does not use.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace examples::dinosaurs {

using namespace partita::model;
using partita::Result;
using Moment = std::chrono::sys_seconds;

enum class Diet { herbivore, carnivore, omnivore };
enum class Period { triassic, jurassic, cretaceous };
enum class Size { small, medium, large };

struct Place {
  std::string country{};
  std::string region{};
};
struct Dinosaur {
  std::string id{};
  std::string family{};
  std::string genus{};
  std::string species{};
  Diet diet{};
  Period period{};
  Size size{};
  std::int64_t weight = 0;
  std::int64_t confidence = 0;  // per cent
  Place found{};
  Moment discovered{};
  std::string discovered_by{};
  std::string expedition{};
  std::optional<Moment> first_published{};
};
struct Expedition {
  std::string id{};
  std::string leader{};
  Moment start{};
};
struct Researcher {
  std::string id{};
  std::string name{};
  std::string specialization{};
};
struct Publication {
  std::string id{};
  std::string title{};
};
struct Sample {
  std::string id{};
  std::string dinosaur{};
};
enum class EventKind { arrival, discovery, departure };
struct Event {
  std::string expedition{};
  Moment at{};
  EventKind kind{};
  std::string id{};
};

inline constexpr auto research_table = define_table<"Research">(
    key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, gsi<"GSI2", "GSI2PK", "GSI2SK">,
    gsi<"GSI3", "GSI3PK", "GSI3SK">, gsi<"GSI4", "GSI4PK", "GSI4SK">,
    gsi<"GSI5", "GSI5PK", "GSI5SK">, gsi<"GSI6", "GSI6PK", "GSI6SK">,
    gsi<"GSI7", "GSI7PK", "GSI7SK">, gsi<"GSI8", "GSI8PK", "GSI8SK">,
    gsi<"GSI9", "GSI9PK", "GSI9SK">, gsi<"GSI10", "GSI10PK", "GSI10SK">,
    gsi<"GSI11", "GSI11PK", "GSI11SK">);

inline constexpr auto dinosaur = define_entity<Dinosaur, "dinosaur">(
    research_table, key<"DINO#{id}", "METADATA">,
    indexed<"by_expedition", "GSI1", "DINO#{expedition}", "DINO#{discovered}#{id}">,
    indexed<"by_researcher", "GSI2", "RESEARCHER#{discovered_by}", "{discovered}#{id}">,
    indexed<"by_diet", "GSI3", "DIET#{diet}", "{period}#{size}#{species}">,
    indexed<"timeline", "GSI4", "TIMELINE#{discovered:month}", "{discovered}#{id}">,
    indexed<"by_region", "GSI5", "REGION#{found.country}#{found.region}", "{species}#{discovered}">,
    indexed<"by_weight", "GSI6", "PERIOD#{period}", "W#{weight:08}#{id}">,
    indexed<"newest", "GSI7", "EXP#{expedition}", "{discovered|rev}#{id}">,
    indexed<"by_class", "GSI8", "CLASS#{period}#{diet}", "{family}#{genus}#{species}">,
    indexed<"published", "GSI9", "PUBLISHED", "{first_published}#{discovered}">,
    indexed<"by_place_and_time", "GSI10", "GEO#{found.country}#{found.region}",
            "{discovered}#{confidence:03}">,
    indexed<"all", "GSI11", "HASH#{id|shard:10}", "{id}">);

inline constexpr auto expedition = define_entity<Expedition, "expedition">(
    research_table, key<"EXP#{id}", "METADATA">,
    indexed<"by_leader", "GSI1", "EXP#{leader}", "EXP#{start}#{id}">);

inline constexpr auto researcher = define_entity<Researcher, "researcher">(
    research_table, key<"RESEARCHER#{id}", "METADATA">,
    indexed<"by_specialization", "GSI1", "RESEARCHER#{specialization}", "RESEARCHER#{name}#{id}">);

inline constexpr auto publication =
    define_entity<Publication, "publication">(research_table, key<"PUB#{id}", "METADATA">);
inline constexpr auto sample =
    define_entity<Sample, "sample">(research_table, key<"SAMPLE#{id}", "METADATA">);
inline constexpr auto event =
    define_entity<Event, "event">(research_table, key<"EXP#{expedition}", "E#{at}#{kind}#{id}">);

class Research {
 public:
  explicit Research(partita::Api& api) : table_(research_table.in(api)) {}
  Research(const Research&) = delete;

  Result<void> create_table() { return table_.create_if_missing(); }

  // Any of the entities: find<dinosaur>("t-rex"), add<expedition>({…}).
  template <const auto& Entity>
  auto find(std::string_view id) {
    return table_.repository<Entity>().get(id).run();
  }
  template <const auto& Entity>
  auto add(typename EntityOf<Entity>::Object added) {
    return table_.repository<Entity>().create(std::move(added)).run();
  }

  using Dinosaurs = Result<std::vector<Dinosaur>>;
  Dinosaurs found_by_expedition(std::string_view id) {
    return dinosaurs_.query<"by_expedition">(id).all();
  }
  Dinosaurs newest_of_expedition(std::string_view id, int count) {
    return dinosaurs_.query<"newest">(id).limit(count).all();
  }
  Dinosaurs discoveries_by(std::string_view researcher_id) {
    return dinosaurs_.query<"by_researcher">(researcher_id).all();
  }
  // Carnivores; carnivores of the Jurassic; large carnivores of the Jurassic.
  template <typename... Levels>
  Dinosaurs with_diet(Diet diet, const Levels&... levels) {
    return dinosaurs_.query<"by_diet">(diet).under(levels...).all();
  }
  Dinosaurs timeline(Moment first, Moment last) {
    return dinosaurs_.query_within<"timeline">(first, last).between(first, last).all();
  }
  Dinosaurs in_region(std::string_view country, std::string_view region) {
    return dinosaurs_.query<"by_region">(country, region).all();
  }
  Dinosaurs heavier_than(Period period, std::int64_t weight) {
    return dinosaurs_.query<"by_weight">(period).after(weight).all();
  }
  // A class; a family of it; a genus of that.
  template <typename... Levels>
  Dinosaurs classified(Period period, Diet diet, const Levels&... levels) {
    return dinosaurs_.query<"by_class">(period, diet).under(levels...).all();
  }
  Dinosaurs published() { return dinosaurs_.query<"published">().all(); }
  Dinosaurs found_near(const Place& place, Moment from) {
    return dinosaurs_.query<"by_place_and_time">(place.country, place.region).from(from).all();
  }
  Dinosaurs all_dinosaurs() { return dinosaurs_.query<"all">().all(); }

  // From here on it is found by published(). The key of that index is made of the day of discovery
  // too, which is read first.
  Result<void> publish(std::string_view id, Moment when) {
    return dinosaurs_.update(id).set<&Dinosaur::first_published>(when).read_modify_write().run();
  }

  Result<std::vector<Expedition>> expeditions_led_by(std::string_view leader) {
    return table_.repository<expedition>().query<"by_leader">(leader).all();
  }
  Result<std::vector<Researcher>> researchers_in(std::string_view specialization) {
    return table_.repository<researcher>().query<"by_specialization">(specialization).all();
  }

  Result<std::vector<Event>> events_of(std::string_view id) { return events_.query(id).all(); }
  Result<std::vector<Event>> events_after(std::string_view id, Moment at) {
    return events_.query(id).after(at).all();
  }
  Result<std::vector<Event>> events_like(std::string_view id, Moment at, EventKind kind) {
    return events_.query(id).under(at, kind).all();
  }

 private:
  TableOf<research_table> table_;
  RepositoryOf<dinosaur> dinosaurs_ = table_.repository<dinosaur>();
  RepositoryOf<event> events_ = table_.repository<event>();
};

inline Moment day(unsigned month, unsigned number) {
  return std::chrono::sys_days(std::chrono::year(2024) / month / number);
}

inline Result<void> dig(Research& research) {
  PARTITA_CHECK(research.create_table());
  PARTITA_CHECK(research.add<researcher>({"ada", "Ada", "palaeontology"}));
  PARTITA_CHECK(research.add<researcher>({"bob", "Bob", "geology"}));
  PARTITA_CHECK(research.add<researcher>({"cy", "Cyrus", "palaeontology"}));
  PARTITA_CHECK(research.add<expedition>({"otago", "ada", day(7, 1)}));
  PARTITA_CHECK(research.add<expedition>({"sahara", "ada", day(5, 1)}));
  PARTITA_CHECK(research.add<publication>({"p1", "On large teeth"}));
  PARTITA_CHECK(research.add<sample>({"s1", "allo"}));
  PARTITA_CHECK(research.add<dinosaur>({"allo",
                                        "Allosauridae",
                                        "Allosaurus",
                                        "fragilis",
                                        Diet::carnivore,
                                        Period::jurassic,
                                        Size::large,
                                        2300,
                                        95,
                                        {"EG", "Sahara"},
                                        day(6, 1),
                                        "ada",
                                        "sahara",
                                        day(9, 1)}));
  PARTITA_CHECK(research.add<dinosaur>({"cerato",
                                        "Ceratosauridae",
                                        "Ceratosaurus",
                                        "nasicornis",
                                        Diet::carnivore,
                                        Period::jurassic,
                                        Size::medium,
                                        980,
                                        80,
                                        {"EG", "Sahara"},
                                        day(5, 20),
                                        "bob",
                                        "sahara",
                                        {}}));
  PARTITA_CHECK(research.add<dinosaur>({"brachio",
                                        "Brachiosauridae",
                                        "Brachiosaurus",
                                        "altithorax",
                                        Diet::herbivore,
                                        Period::jurassic,
                                        Size::large,
                                        56000,
                                        70,
                                        {"EG", "Sahara"},
                                        day(6, 10),
                                        "ada",
                                        "sahara",
                                        {}}));
  PARTITA_CHECK(research.add<dinosaur>({"moa",
                                        "Megalosauridae",
                                        "Mosaurus",
                                        "otagensis",
                                        Diet::carnivore,
                                        Period::cretaceous,
                                        Size::small,
                                        10,
                                        60,
                                        {"NZ", "Otago"},
                                        day(7, 4),
                                        "cy",
                                        "otago",
                                        {}}));
  PARTITA_CHECK(research.add<event>({"sahara", day(5, 1), EventKind::arrival, "1"}));
  PARTITA_CHECK(research.add<event>({"sahara", day(6, 1), EventKind::discovery, "2"}));
  PARTITA_CHECK(research.add<event>({"sahara", day(6, 1), EventKind::departure, "3"}));
  PARTITA_CHECK(research.add<event>({"sahara", day(6, 10), EventKind::discovery, "4"}));
  return {};
}

}  // namespace examples::dinosaurs
