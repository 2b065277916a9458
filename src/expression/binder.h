// Binder: expression texts of one request, with their placeholders, become bound expressions.
//
// Parsing is cached by text (ExpressionCache); binding pairs the shared tree with this request's
// names and values. All expressions of a request go through one binder, because a placeholder
// counts as used when any of them uses it:
//
//   Binder binder(cache, request.expression_attributes, memory);
//   PARTITA_TRY(auto update, binder.update(text));
//   PARTITA_TRY(auto condition, binder.condition("ConditionExpression", other_text));
//   PARTITA_CHECK(binder.finish());                        // unused placeholders
//
// Bound expressions borrow from the binder, the request and the memory resource, and share the
// tree.
#pragma once

#include <memory_resource>
#include <optional>
#include <string_view>

#include "partita/requests/items.h"
#include "partita/result.h"

#include "expression/condition.h"
#include "expression/expression_cache.h"
#include "expression/key_condition.h"
#include "expression/placeholders.h"
#include "expression/projection.h"
#include "expression/update.h"

namespace partita {

class Binder {
 public:
  Binder(ExpressionCache& cache, const ExpressionAttributes& attributes,
         std::pmr::memory_resource* memory);

  // `parameter` is the request member's name, which messages start with: "ConditionExpression",
  // "FilterExpression".
  Result<Condition> condition(std::string_view parameter, std::string_view text);
  Result<ProjectionPaths> projection(std::string_view text);
  Result<Update> update(std::string_view text);
  Result<KeyCondition> key_condition(std::string_view text);

  // To be called after the last expression and before any is used: every placeholder given must
  // have been used by some expression. DynamoDB refuses a key condition that no key can have only
  // after that, so its error comes from here too.
  Result<void> finish();

 private:
  Result<BoundTree> bind(ExpressionKind kind, std::string_view parameter, std::string_view text);
  Result<void> start();
  Result<void> bind_condition(BoundTree& bound);
  Result<void> bind_names(BoundTree& bound);
  Result<void> bind_values(BoundTree& bound);
  Result<void> bind_path(BoundTree& bound, const Node& node);

  ExpressionCache& cache_;
  Placeholders placeholders_;
  std::pmr::memory_resource* memory_;
  bool started_ = false;
  std::optional<Error> key_condition_error_;
};

}  // namespace partita
