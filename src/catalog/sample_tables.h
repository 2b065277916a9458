// For tests: schemas as CreateTable would make them.
#pragma once

#include <string>

#include "catalog/table_schema.h"

namespace partita {

// One S key "pk"; not yet in any space.
inline TableSchema simple_table(std::string name) {
  TableSchema table;
  table.name = std::move(name);
  table.id = "00000000-0000-4000-8000-000000000001";
  table.arn = "arn:aws:dynamodb:us-east-1:000000000000:table/" + table.name;
  table.key.partition = {{"pk", ScalarType::S}};
  table.attribute_definitions = {{"pk", ScalarType::S}};
  return table;
}

// Keys "pk" and "sk", two local and two global indexes.
inline TableSchema indexed_table(std::string name) {
  TableSchema table = simple_table(std::move(name));
  table.key.sort = {{"sk", ScalarType::N}};
  table.attribute_definitions = {
      {"pk", ScalarType::S}, {"sk", ScalarType::N}, {"a", ScalarType::B}, {"b", ScalarType::S}};
  for (const char* local : {"local-a", "local-b"}) {
    IndexSchema index;
    index.name = local;
    index.key = {{{"pk", ScalarType::S}},
                 {{local == std::string("local-a") ? "a" : "b",
                   local == std::string("local-a") ? ScalarType::B : ScalarType::S}}};
    table.local_indexes.push_back(index);
  }
  IndexSchema all;
  all.name = "global-all";
  all.global = true;
  all.key = {{{"a", ScalarType::B}, {"b", ScalarType::S}}, {{"sk", ScalarType::N}}};
  table.global_indexes.push_back(all);
  IndexSchema some;
  some.name = "global-some";
  some.global = true;
  some.key.partition = {{"b", ScalarType::S}};
  some.projection = ProjectionType::Include;
  some.non_key_attributes = {"colour", "weight"};
  some.throughput.read_capacity_units = 3;
  some.throughput.write_capacity_units = 4;
  table.global_indexes.push_back(some);
  return table;
}

}  // namespace partita
