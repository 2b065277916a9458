// Placeholders: ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of
// them its expressions have used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "partita/requests/items.h"
#include "partita/result.h"

namespace partita {

// A request member that holds an expression, for check_expression_attributes.
struct ExpressionParameter {
  std::string_view name;
  bool given;
  bool takes_values = true;  // all but ProjectionExpression
};

// Names or values without an expression that could use them are refused. `parameters` are all the
// operation has, in the order DynamoDB lists them:
//   UpdateExpression, ConditionExpression; ProjectionExpression, FilterExpression,
//   KeyConditionExpression
Result<void> check_expression_attributes(const ExpressionAttributes& attributes,
                                         std::span<const ExpressionParameter> parameters);

class Placeholders {
 public:
  Placeholders(const ExpressionAttributes& attributes, std::pmr::memory_resource* memory);

  // Are the maps not empty, and their keys and names well formed?
  Result<void> check() const;

  // What the placeholder stands for; it counts as used.
  Result<std::string_view> name(std::string_view placeholder);
  Result<ValueView> value(std::string_view placeholder);

  Result<void> check_all_used() const;

 private:
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  // One of the two maps: where a placeholder is in it, and which have been used. Few entries are
  // searched one by one, many through an index that is made when it is first needed.
  struct Usage {
    std::pmr::vector<std::uint8_t> used;
    std::pmr::vector<std::uint32_t> by_placeholder;
    explicit Usage(std::pmr::memory_resource* memory) : used(memory), by_placeholder(memory) {}
  };
  template <typename Entry>
  static std::size_t use(std::span<const Entry> entries, Usage& usage,
                         std::string_view placeholder);

  ExpressionAttributes attributes_;
  Usage names_;
  Usage values_;
};

}  // namespace partita
