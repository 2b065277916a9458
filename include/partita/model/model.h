// The modelling kit: typed access to one table that holds many kinds of items.
//
//   struct Dinosaur { std::string id; Diet diet{}; std::int64_t weight = 1; };
//
//   inline constexpr auto park =
//       define_table<"Park">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">);
//   inline constexpr auto dinosaur = define_entity<Dinosaur, "dinosaur">(
//       park, key<"DINO#{id}", "METADATA">,
//       indexed<"by_diet", "GSI1", "DIET#{diet}", "W#{weight:08}#{id}">);
//
//   auto table = park.in(database);                     // any partita::Api
//   auto dinosaurs = table.repository<dinosaur>();
//   dinosaurs.create({.id = "rex", .diet = Diet::carnivore, .weight = 7000}).run();
//   for (const Dinosaur& d : dinosaurs.query<"by_diet">(Diet::carnivore).from(5000)) …
//
// Where to read on: reflect.h and codec.h (members), key_template.h (keys), table.h, entity.h,
// repository.h, operation.h, update.h, query.h, condition.h, transaction.h, batch.h,
// collection.h, stream.h and change.h (what changed), migration.h, explain.h, ids.h. Not included
// here, for tests of a design: capacity_meter.h, partition_monitor.h, key_distribution.h, lint.h.
// docs/modelling/ explains the patterns.
#pragma once

#include "partita/model/batch.h"
#include "partita/model/change.h"
#include "partita/model/collection.h"
#include "partita/model/condition.h"
#include "partita/model/entity.h"
#include "partita/model/explain.h"
#include "partita/model/ids.h"
#include "partita/model/migration.h"
#include "partita/model/query.h"
#include "partita/model/repository.h"
#include "partita/model/stream.h"
#include "partita/model/table.h"
#include "partita/model/transaction.h"
#include "partita/model/update.h"
