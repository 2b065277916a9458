#include "auth/policy.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii_text.h"

namespace partita {
namespace {

constexpr std::size_t kArnParts = 6;

Error wrong(std::string message) { return Error(ErrorCode::CannotOpen, std::move(message)); }

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

struct KeyName {
  std::string_view name;
  ContextKey key;
};
constexpr std::array<KeyName, 7> kKeyNames = {{
    {"dynamodb:leadingkeys", ContextKey::LeadingKeys},
    {"dynamodb:attributes", ContextKey::Attributes},
    {"dynamodb:select", ContextKey::Select},
    {"dynamodb:returnvalues", ContextKey::ReturnValues},
    {"dynamodb:returnconsumedcapacity", ContextKey::ReturnConsumedCapacity},
    {"dynamodb:enclosingoperation", ContextKey::EnclosingOperation},
    {"dynamodb:fulltablescan", ContextKey::FullTableScan},
}};

bool has_many_values(ContextKey key) {
  return key == ContextKey::LeadingKeys || key == ContextKey::Attributes;
}

Result<std::string> with_variables(std::string_view text, std::string_view user) {
  constexpr std::string_view variable = "${aws:username}";
  std::string replaced;
  while (true) {
    const std::size_t at = text.find("${");
    replaced += text.substr(0, at);
    if (at == std::string_view::npos) return replaced;
    text.remove_prefix(at);
    if (!take_prefix(text, variable)) {
      return wrong(quoted(text) + " has a variable other than ${aws:username}");
    }
    replaced += user;
  }
}

// `fold` is what a letter of the text counts as.
template <typename Fold>
bool matches_folded(std::string_view pattern, std::string_view text, Fold fold) {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, resumed = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      if (p + 1 == pattern.size()) return true;
      star = p++;
      resumed = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == fold(text[t]))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {  // the star takes one more
      p = star + 1;
      t = ++resumed;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// Names of services and actions, with wildcards.
Result<void> check_action(std::string_view action) {
  if (action == "*") return {};
  const std::size_t colon = action.find(':');
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-*?";
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == action.size() ||
      action.substr(0, colon).find_first_not_of(letters) != std::string_view::npos ||
      action.substr(colon + 1).find_first_not_of(letters) != std::string_view::npos) {
    return wrong(quoted(action) + " is no action; write one like dynamodb:GetItem or dynamodb:*");
  }
  return {};
}

// Cuts the part before the next colon off; the last part of an ARN keeps its colons.
std::string_view next_arn_part(std::string_view& rest, bool last) {
  const std::size_t end = last ? std::string_view::npos : rest.find(':');
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

Result<void> check_resource(std::string_view resource) {
  if (resource == "*") return {};
  const auto colons = std::count(resource.begin(), resource.end(), ':');
  if (!resource.starts_with("arn:") || colons < static_cast<int>(kArnParts) - 1) {
    return wrong(quoted(resource) +
                 " is no ARN; write one like arn:aws:dynamodb:*:*:table/Songs, or *");
  }
  return {};
}

// Part by part: no wildcard reaches over a colon.
bool matches_resource(std::string_view pattern, std::string_view resource) {
  if (pattern == "*") return true;
  for (std::size_t i = 0; i < kArnParts; ++i) {
    const bool last = i + 1 == kArnParts;
    if (!matches_wildcards(next_arn_part(pattern, last), next_arn_part(resource, last))) {
      return false;
    }
  }
  return true;
}

template <typename Match>
bool any_matches(const std::vector<std::string>& patterns, Match match) {
  return std::any_of(patterns.begin(), patterns.end(), match);
}

}  // namespace

bool matches_wildcards(std::string_view pattern, std::string_view text) {
  return matches_folded(pattern, text, [](char c) { return c; });
}

Result<Policy::Condition> Policy::compile_condition(const ConditionText& text,
                                                    std::string_view user) {
  Condition condition;
  std::string_view name = text.operator_name;
  if (take_prefix(name, "ForAllValues:")) {
    condition.quantifier = Quantifier::All;
  } else if (take_prefix(name, "ForAnyValue:")) {
    condition.quantifier = Quantifier::Any;
  }
  if (name.ends_with("IfExists")) {
    condition.if_exists = true;
    name.remove_suffix(std::string_view("IfExists").size());
  }
  struct Named {
    std::string_view name;
    Comparison comparison;
    bool negated;
  };
  constexpr std::array<Named, 8> operators = {{
      {"StringEquals", Comparison::Equals, false},
      {"StringNotEquals", Comparison::Equals, true},
      {"StringEqualsIgnoreCase", Comparison::EqualsIgnoreCase, false},
      {"StringNotEqualsIgnoreCase", Comparison::EqualsIgnoreCase, true},
      {"StringLike", Comparison::Like, false},
      {"StringNotLike", Comparison::Like, true},
      {"Bool", Comparison::EqualsIgnoreCase, false},
      {"Null", Comparison::Null, false},
  }};
  const auto* const found = std::find_if(operators.begin(), operators.end(),
                                         [&](const Named& known) { return known.name == name; });
  if (found == operators.end()) {
    return wrong(quoted(text.operator_name) + " is no condition operator this server knows");
  }
  condition.comparison = found->comparison;
  condition.negated = found->negated;

  const std::string key = in_lower_case(text.key);
  const auto* const known = std::find_if(kKeyNames.begin(), kKeyNames.end(),
                                         [&](const KeyName& named) { return named.name == key; });
  if (known == kKeyNames.end()) {
    return wrong(quoted(text.key) + " is no condition key this server knows");
  }
  condition.key = known->key;
  if (condition.comparison == Comparison::Null) {
    if (condition.if_exists || condition.quantifier != Quantifier::One || text.values.size() != 1 ||
        (text.values[0] != "true" && text.values[0] != "false")) {
      return wrong("Null takes one value, true or false, and no ForAllValues or IfExists");
    }
  } else if (has_many_values(condition.key) && condition.quantifier == Quantifier::One) {
    return wrong(quoted(text.key) + " has many values; write ForAllValues:" +
                 std::string(found->name) + " or ForAnyValue:" + std::string(found->name));
  }
  if (text.values.empty()) return wrong(quoted(text.key) + " has no values to compare with");
  for (const std::string& value : text.values) {
    PARTITA_TRY(std::string replaced, with_variables(value, user));
    condition.values.push_back(std::move(replaced));
  }
  return condition;
}

Result<Policy::Statement> Policy::compile_statement(const StatementText& text,
                                                    std::string_view user) {
  if (text.effect != "Allow" && text.effect != "Deny") {
    return wrong("Effect is Allow or Deny, not " + quoted(text.effect));
  }
  if (text.actions.has_value() == text.not_actions.has_value()) {
    return wrong("a statement has either Action or NotAction");
  }
  if (text.resources.has_value() == text.not_resources.has_value()) {
    return wrong("a statement has either Resource or NotResource");
  }
  Statement statement;
  statement.allows = text.effect == "Allow";
  statement.other_actions = text.not_actions.has_value();
  statement.other_resources = text.not_resources.has_value();
  for (const std::string& action : text.actions ? *text.actions : *text.not_actions) {
    PARTITA_CHECK(check_action(action));
    statement.actions.push_back(in_lower_case(action));
  }
  for (const std::string& resource : text.resources ? *text.resources : *text.not_resources) {
    PARTITA_CHECK(check_resource(resource));
    PARTITA_TRY(std::string replaced, with_variables(resource, user));
    statement.resources.push_back(std::move(replaced));
  }
  if (statement.actions.empty() || statement.resources.empty()) {
    return wrong("a statement names at least one action and one resource");
  }
  for (const ConditionText& condition : text.conditions) {
    PARTITA_TRY(Condition compiled, compile_condition(condition, user));
    statement.conditions.push_back(std::move(compiled));
  }
  return statement;
}

Result<Policy> Policy::compile(const std::vector<StatementText>& statements,
                               std::string_view user) {
  Policy policy;
  for (const StatementText& text : statements) {
    PARTITA_TRY(Statement statement, compile_statement(text, user));
    policy.statements_.push_back(std::move(statement));
  }
  return policy;
}

// Whether one value of the request satisfies the operator.
bool Policy::accepts(const Condition& condition, std::string_view value) {
  const bool among = any_matches(condition.values, [&](const std::string& wanted) {
    switch (condition.comparison) {
      case Comparison::Like:
        return matches_wildcards(wanted, value);
      case Comparison::EqualsIgnoreCase:
        return in_lower_case(wanted) == in_lower_case(value);
      case Comparison::Equals:
      case Comparison::Null:
        break;
    }
    return wanted == value;
  });
  return among != condition.negated;
}

bool Policy::holds(const Condition& condition, const AccessQuestion& question, bool allows) {
  const ContextValues found = question.context(condition.key);
  if (condition.comparison == Comparison::Null) {
    return (condition.values[0] == "true") == !found.present;
  }
  // Nobody knows what it would touch, so an allowance does not cover it and a denial does.
  if (found.unbounded) return !allows;
  const auto accepted = [&](const std::string& value) { return accepts(condition, value); };
  switch (condition.quantifier) {
    case Quantifier::All:  // also when there are none
      return std::all_of(found.values.begin(), found.values.end(), accepted);
    case Quantifier::Any:
      if (!found.present && condition.if_exists) return true;
      return std::any_of(found.values.begin(), found.values.end(), accepted);
    case Quantifier::One:
      break;
  }
  if (!found.present) return condition.if_exists || condition.negated;
  return std::all_of(found.values.begin(), found.values.end(), accepted);
}

bool Policy::applies(const Statement& statement, const AccessQuestion& question) {
  const bool of_action = any_matches(statement.actions, [&](const std::string& pattern) {
    return matches_folded(pattern, question.action, [](char c) { return in_lower_case(c); });
  });
  if (of_action == statement.other_actions) return false;
  const bool of_resource = any_matches(statement.resources, [&](const std::string& pattern) {
    return matches_resource(pattern, question.resource);
  });
  if (of_resource == statement.other_resources) return false;
  return std::all_of(
      statement.conditions.begin(), statement.conditions.end(),
      [&](const Condition& condition) { return holds(condition, question, statement.allows); });
}

Verdict Policy::judge(const AccessQuestion& question) const {
  Verdict verdict = Verdict::NotAllowed;
  for (const Statement& statement : statements_) {
    if (statement.allows && verdict == Verdict::Allowed) continue;
    if (!applies(statement, question)) continue;
    if (!statement.allows) return Verdict::Denied;
    verdict = Verdict::Allowed;
  }
  return verdict;
}

}  // namespace partita
