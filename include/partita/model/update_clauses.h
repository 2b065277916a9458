// The text of an update as it grows, and how it is sent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/model/expression_set.h"
#include "partita/model/key_values.h"
#include "partita/model/update_reach.h"
#include "partita/model/write_set.h"

namespace partita::model::detail {

// The clauses of an update expression as they grow.
struct UpdateClauses {
  ExpressionSet set;
  std::string sets, removes, adds, deletes;
  std::vector<std::shared_ptr<const std::string>> names;  // of map entries: they are no constants
  std::string failure;

  // Not inline: every file with an entity would compile them anew.
  UpdateClauses();
  UpdateClauses(const UpdateClauses&);
  UpdateClauses& operator=(const UpdateClauses&);
  ~UpdateClauses();

  // Starts the next action of a clause.
  static std::string& next(std::string& clause);
  void begin_set(std::string_view path);  // "path = "
  // Appends a place within a member: the entry of a map, the element of a list.
  void add_place(std::string& clause, std::string_view path, std::string key);
  void add_place(std::string& clause, std::string_view path, std::size_t element);
  // Appends a value to `sets`, or remembers why it cannot be written.
  void add_written(const ItemSink& value);
  void join();  // into set.update
};

// SETs or REMOVEs the keys of the indexes in `touched`, made of an object that knows their members.
Result<void> add_index_keys(const EntityPlan& plan, std::uint32_t touched, const void* object,
                            UpdateClauses& clauses);

struct UpdateTarget {
  const Store* store;
  GatheredInputs inputs;
  Expectation expected;
};
// What an item made by an upsert has besides: its type and the members of its key.
void add_new_item_attributes(const EntityPlan& plan, const void* object, UpdateClauses& clauses);
void add_bookkeeping(const UpdateTarget& target, const EntityPlan& plan, UpdateClauses& clauses);
// The members that the touched keys and unique values are made of and that the update does not set.
std::vector<std::string_view> read_paths(const EntityPlan& plan, const UpdateReach& reach,
                                         std::span<const KnownChange> changes);
Result<std::optional<Item>> send_update(const UpdateTarget& target, const EntityPlan& plan,
                                        UpdateClauses& clauses, ReturnValues return_values);

}  // namespace partita::model::detail
