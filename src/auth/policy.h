// Policy: what an access key may do, in the language of AWS IAM.
//
//   statement := Effect ("Allow" | "Deny"), Action or NotAction, Resource or NotResource,
//   [Condition] Condition := { operator: { key: values } }, all of which must hold operator  :=
//   ["ForAllValues:" | "ForAnyValue:"] name ["IfExists"] name      := StringEquals |
//   StringNotEquals | StringEqualsIgnoreCase |
//                StringNotEqualsIgnoreCase | StringLike | StringNotLike | Bool | Null
//
// "*" stands for any text and "?" for any one character: in actions, resources, and the values of
// StringLike. A statement that denies wins over all that allow; what none allows is denied. Nothing
// unknown is overlooked: a policy that is not understood to the last word is refused when it is
// read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"

#include "base/function_ref.h"

namespace partita {

// As it stands in a file.
struct ConditionText {
  std::string operator_name;  // "ForAllValues:StringEquals"
  std::string key;            // "dynamodb:LeadingKeys"
  std::vector<std::string> values;
};
struct StatementText {
  std::string effect;
  std::optional<std::vector<std::string>> actions, not_actions;
  std::optional<std::vector<std::string>> resources, not_resources;
  std::vector<ConditionText> conditions;
};

enum class ContextKey : std::uint8_t {
  LeadingKeys,             // partition key values
  Attributes,              // names of top-level attributes
  Select,                  // ALL_ATTRIBUTES, SPECIFIC_ATTRIBUTES, …
  ReturnValues,            // of writes
  ReturnConsumedCapacity,  // NONE, TOTAL, INDEXES
  EnclosingOperation,      // TransactWriteItems, TransactGetItems
  FullTableScan,           // of Scan: true
};

// What a request has for a key.
struct ContextValues {
  bool present = false;
  // The request may touch values it does not name: whole items, whole tables. Then no statement
  // that allows holds, and every one that denies.
  bool unbounded = false;
  std::vector<std::string> values{};
};

// May this action be done to this resource? `context` is asked when a condition wants to know.
struct AccessQuestion {
  std::string_view action;    // "dynamodb:GetItem"
  std::string_view resource;  // an ARN
  FunctionRef<ContextValues(ContextKey)> context;
};

enum class Verdict : std::uint8_t { Allowed, NotAllowed, Denied };

class Policy {
 public:
  // ${aws:username} in values and resources is replaced by `user`. Fails with a part of a sentence
  // that names what is wrong.
  static Result<Policy> compile(const std::vector<StatementText>& statements,
                                std::string_view user);

  Verdict judge(const AccessQuestion& question) const;

 private:
  enum class Comparison : std::uint8_t { Equals, EqualsIgnoreCase, Like, Null };
  enum class Quantifier : std::uint8_t { One, All, Any };
  struct Condition {
    Comparison comparison = Comparison::Equals;
    bool negated = false;
    bool if_exists = false;
    Quantifier quantifier = Quantifier::One;
    ContextKey key{};
    std::vector<std::string> values{};
  };
  struct Statement {
    bool allows = false;
    bool other_actions = false;    // NotAction
    bool other_resources = false;  // NotResource
    std::vector<std::string> actions{};
    std::vector<std::string> resources{};
    std::vector<Condition> conditions{};
  };

  static Result<Statement> compile_statement(const StatementText& text, std::string_view user);
  static Result<Condition> compile_condition(const ConditionText& text, std::string_view user);
  static bool applies(const Statement& statement, const AccessQuestion& question);
  static bool holds(const Condition& condition, const AccessQuestion& question, bool allows);
  static bool accepts(const Condition& condition, std::string_view value);

  std::vector<Statement> statements_;
};

// Does `text` match a pattern with "*" and "?"? Takes time in the product of their lengths at most.
bool matches_wildcards(std::string_view pattern, std::string_view text);

}  // namespace partita
