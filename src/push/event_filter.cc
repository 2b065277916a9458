#include "push/event_filter.h"

#include <algorithm>
#include <cctype>

namespace partita {
namespace {

using Kind = JsonTree::Kind;

bool equal(const JsonTree& left, const JsonTree& right) {
  if (left.kind != right.kind) return false;
  switch (left.kind) {
    case Kind::Null:
      return true;
    case Kind::Boolean:
      return left.truth == right.truth;
    case Kind::Number:
      return left.number == right.number;
    case Kind::String:
      return left.text == right.text;
    case Kind::Array:
    case Kind::Object:
      return false;
  }
  return false;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// [">", 0, "<=", 5]
bool in_range(double number, const std::vector<JsonTree>& bounds) {
  for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
    const std::string& word = bounds[i].text;
    const double bound = bounds[i + 1].number;
    const bool holds = word == "="    ? number == bound
                       : word == "<"  ? number < bound
                       : word == "<=" ? number <= bound
                       : word == ">"  ? number > bound
                                      : number >= bound;
    if (!holds) return false;
  }
  return true;
}

bool any_of(const JsonTree& wanted, const JsonTree& value) {
  if (wanted.kind != Kind::Array) return equal(wanted, value);
  return std::any_of(wanted.elements.begin(), wanted.elements.end(),
                     [&](const JsonTree& one) { return equal(one, value); });
}

bool named_rule_holds(std::string_view name, const JsonTree& wanted, const JsonTree& value) {
  const bool is_text = value.kind == Kind::String;
  if (name == "prefix") return is_text && value.text.starts_with(wanted.text);
  if (name == "suffix") return is_text && value.text.ends_with(wanted.text);
  if (name == "equals-ignore-case") {
    return is_text && lower_case(value.text) == lower_case(wanted.text);
  }
  // DynamoDB's numbers are texts in an event, and AWS does not make numbers of them.
  if (name == "numeric")
    return value.kind == Kind::Number && in_range(value.number, wanted.elements);
  // anything-but
  if (wanted.kind == Kind::Object) {
    return !named_rule_holds(wanted.names[0], wanted.elements[0], value);
  }
  return !any_of(wanted, value);
}

// `value` is null where the record has none.
bool rule_holds(const JsonTree& rule, const JsonTree* value) {
  if (rule.kind != Kind::Object) return value && equal(rule, *value);
  const std::string& name = rule.names[0];
  if (name == "exists") return rule.elements[0].truth == (value != nullptr);
  return value && named_rule_holds(name, rule.elements[0], *value);
}

// Rules are about texts, numbers, truths and nulls: to them an object, or an array without any of
// those, is not there, which is why `exists` wants the type of an attribute to be named. Of an
// array one element must do.
bool one_rule_holds(const JsonTree& rules, const JsonTree* value) {
  std::vector<const JsonTree*> leaves;
  const auto add = [&](const JsonTree& leaf) {
    if (leaf.kind != Kind::Object && leaf.kind != Kind::Array) leaves.push_back(&leaf);
  };
  if (value && value->kind == Kind::Array) {
    for (const JsonTree& element : value->elements) add(element);
  } else if (value) {
    add(*value);
  }
  return std::any_of(rules.elements.begin(), rules.elements.end(), [&](const JsonTree& rule) {
    if (leaves.empty()) return rule_holds(rule, nullptr);
    return std::any_of(leaves.begin(), leaves.end(),
                       [&](const JsonTree* leaf) { return rule_holds(rule, leaf); });
  });
}

bool pattern_matches(const JsonTree& pattern, const JsonTree* value) {
  if (pattern.kind == Kind::Array) return one_rule_holds(pattern, value);
  if (value && value->kind == Kind::Array) {  // a list: one of its elements must match
    return std::any_of(value->elements.begin(), value->elements.end(),
                       [&](const JsonTree& element) { return pattern_matches(pattern, &element); });
  }
  for (std::size_t i = 0; i < pattern.names.size(); ++i) {
    const JsonTree& part = pattern.elements[i];
    if (pattern.names[i] == "$or") {
      if (std::none_of(part.elements.begin(), part.elements.end(),
                       [&](const JsonTree& way) { return pattern_matches(way, value); })) {
        return false;
      }
    } else if (!pattern_matches(part, value ? value->find(pattern.names[i]) : nullptr)) {
      return false;
    }
  }
  return true;
}

// ---- What is no pattern is told when the server starts, not when a record comes.

Error wrong(std::string what) { return Error::validation("Event filter: " + std::move(what)); }

Result<void> check_rule(const JsonTree& rule) {
  if (rule.kind == Kind::Array) return wrong("a list of rules cannot hold a list.");
  if (rule.kind != Kind::Object) return {};
  if (rule.names.size() != 1) return wrong("a rule has exactly one member.");
  const std::string& name = rule.names[0];
  const JsonTree& wanted = rule.elements[0];
  if (name == "exists") {
    return wanted.kind == Kind::Boolean ? Result<void>() : wrong("'exists' wants true or false.");
  }
  if (name == "prefix" || name == "suffix" || name == "equals-ignore-case") {
    return wanted.kind == Kind::String ? Result<void>() : wrong("'" + name + "' wants a text.");
  }
  if (name == "anything-but") {
    if (wanted.kind == Kind::Object) return check_rule(wanted);
    return {};
  }
  if (name != "numeric") return wrong("there is no rule '" + name + "'.");
  constexpr std::string_view kWords[] = {"=", "<", "<=", ">", ">="};
  bool well =
      wanted.kind == Kind::Array && !wanted.elements.empty() && wanted.elements.size() % 2 == 0;
  for (std::size_t i = 0; well && i < wanted.elements.size(); i += 2) {
    well = std::find(std::begin(kWords), std::end(kWords), wanted.elements[i].text) !=
               std::end(kWords) &&
           wanted.elements[i + 1].kind == Kind::Number;
  }
  return well ? Result<void>() : wrong("'numeric' wants signs and numbers, like [\">\", 0].");
}

Result<void> check_pattern(const JsonTree& pattern) {
  if (pattern.kind == Kind::Array) {
    for (const JsonTree& rule : pattern.elements) PARTITA_CHECK(check_rule(rule));
    return {};
  }
  if (pattern.kind != Kind::Object) return wrong("a member is an object or a list of rules.");
  for (std::size_t i = 0; i < pattern.names.size(); ++i) {
    const JsonTree& part = pattern.elements[i];
    if (pattern.names[i] != "$or") {
      PARTITA_CHECK(check_pattern(part));
    } else {
      if (part.kind != Kind::Array) return wrong("'$or' wants a list of patterns.");
      for (const JsonTree& way : part.elements) PARTITA_CHECK(check_pattern(way));
    }
  }
  return {};
}

}  // namespace

Result<EventFilter> EventFilter::parse(std::string_view text) {
  EventFilter filter;
  if (text.empty()) return filter;
  PARTITA_TRY(JsonTree tree, parse_json(text));
  if (tree.kind == Kind::Array) {
    filter.patterns_ = std::move(tree.elements);
  } else {
    filter.patterns_.push_back(std::move(tree));
  }
  for (const JsonTree& pattern : filter.patterns_) {
    if (pattern.kind != Kind::Object) return wrong("a pattern is an object.");
    PARTITA_CHECK(check_pattern(pattern));
  }
  return filter;
}

bool EventFilter::matches(const JsonTree& record) const {
  return takes_everything() ||
         std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const JsonTree& pattern) { return pattern_matches(pattern, &record); });
}

}  // namespace partita
