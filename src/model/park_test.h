// The park of dinosaurs that the tests of the kit play in.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace partita::model::park {

using Moment = std::chrono::sys_time<std::chrono::milliseconds>;

enum class Diet { herbivore, carnivore, omnivore };

struct Place {
  std::string country{};
  std::string region{};
  friend bool operator==(const Place&, const Place&) = default;
};

struct Dinosaur {
  std::string id{};
  std::string species{};
  Diet diet{};
  std::int64_t weight = 1;
  std::optional<std::string> expedition{};
  std::set<std::string> tags{};
  Place found{};
  Moment discovered{};
  std::vector<std::string> log{};
  std::map<std::string, std::int64_t> measures{};
  bool on_display = false;
  std::optional<std::chrono::sys_seconds> expires{};
  friend bool operator==(const Dinosaur&, const Dinosaur&) = default;
};

inline constexpr auto table_definition = define_table<"Park">(
    key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, gsi<"GSI2", "GSI2PK", "GSI2SK">,
    gsi<"GSI3", "GSI3PK", "GSI3SK">, gsi<"GSI4", "GSI4PK", "GSI4SK">, ttl<"expires">);

inline constexpr auto dinosaur = define_entity<Dinosaur, "dinosaur">(
    table_definition, key<"DINO#{id}", "METADATA">,
    indexed<"by_diet", "GSI1", "DIET#{diet}", "W#{weight:08}#{id}">,
    indexed<"by_expedition", "GSI2", "EXP#{expedition}", "{discovered|rev}#{id}">,
    indexed<"timeline", "GSI3", "ALL#{id|shard:4}", "{discovered}#{id}">,
    indexed<"on_display", "GSI4", "REGION#{found.country}", "{found.region}#{species}",
            when<"on_display">>,
    validate([](const Dinosaur& d, Issues& issues) {
      if (d.weight <= 0) issues.add("weight", "must be positive");
    }));

inline Moment day(int number) {
  return Moment(std::chrono::sys_days(std::chrono::year(2024) / 1 / 1) + std::chrono::days(number));
}

}  // namespace partita::model::park
