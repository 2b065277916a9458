#include "expression/legacy.h"

#include <deque>

#include "expression/test_request.h"

namespace partita {
namespace {

using namespace partita::testing;
using Op = ComparisonOperator;

// Values a test mentions, kept while it lasts.
class LegacyTest : public ::testing::Test {
 protected:
  std::span<const ValueView> values(std::initializer_list<Value> given) {
    std::vector<ValueView>& list = lists_.emplace_back();
    for (const Value& value : given) {
      owned_.push_back(value);
      list.push_back(owned_.back());
    }
    return list;
  }
  ValueView value(Value given) { return values({std::move(given)}).front(); }

  AttributeCondition on(std::string_view attribute, Op op, std::initializer_list<Value> given) {
    return {attribute, op, values(given)};
  }
  Result<std::optional<Condition>> filter(std::vector<AttributeCondition> conditions,
                                          ConditionalOperator joined = ConditionalOperator::And) {
    conditions_ = std::move(conditions);
    return bind_filter(AttributeConditions(conditions_), joined, memory());
  }
  bool holds(const AttributeCondition& condition, const Item& item) {
    auto bound = filter({condition});
    EXPECT_TRUE(bound.has_value()) << bound.error().message();
    return (*bound)->holds(item);
  }
  std::string error_of(const AttributeCondition& condition) {
    return TestRequest::message(filter({condition}));
  }
  std::string error_of(const ExpectedAttribute& expected) {
    const ExpectedAttribute list[] = {expected};
    return TestRequest::message(bind_expected(ExpectedAttributes(list), std::nullopt, memory()));
  }
  std::string error_of(const AttributeUpdate& update) {
    const AttributeUpdate list[] = {update};
    return TestRequest::message(bind_attribute_updates(AttributeUpdates(list), memory()));
  }
  std::string updated(std::vector<AttributeUpdate> updates, const Item& item) {
    updates_ = std::move(updates);
    auto bound = bind_attribute_updates(AttributeUpdates(updates_), memory());
    EXPECT_TRUE(bound.has_value()) << bound.error().message();
    auto next = (*bound)->apply(item);
    return next ? text(*next) : next.error().message();
  }
  static std::pmr::memory_resource* memory() { return std::pmr::get_default_resource(); }

 private:
  std::deque<Value> owned_;
  std::deque<std::vector<ValueView>> lists_;
  std::vector<AttributeCondition> conditions_;
  std::vector<AttributeUpdate> updates_;
};

Item item_of(std::initializer_list<std::pair<std::string_view, Value>> attributes) {
  Item item;
  for (const auto& [name, value] : attributes) item.set(name, value);
  return item;
}

TEST_F(LegacyTest, every_operator_is_a_condition) {
  const Item item = item_of({{"n", N("5")}, {"s", S("hello")}, {"l", L({N("1"), S("x")})}});
  EXPECT_TRUE(holds(on("n", Op::Eq, {N("5.0")}), item));
  EXPECT_FALSE(holds(on("n", Op::Eq, {S("5")}), item));
  EXPECT_TRUE(holds(on("l", Op::Eq, {L({N("1"), S("x")})}), item));
  EXPECT_TRUE(holds(on("n", Op::Ne, {S("5")}), item));
  EXPECT_FALSE(holds(on("n", Op::Ne, {N("5")}), item));
  EXPECT_TRUE(holds(on("n", Op::Le, {N("5")}), item));
  EXPECT_FALSE(holds(on("n", Op::Lt, {N("5")}), item));
  EXPECT_TRUE(holds(on("n", Op::Ge, {N("5")}), item));
  EXPECT_FALSE(holds(on("n", Op::Gt, {N("5")}), item));
  EXPECT_FALSE(holds(on("n", Op::Gt, {S("1")}), item)) << "another type has no order";
  EXPECT_TRUE(holds(on("n", Op::NotNull, {}), item));
  EXPECT_TRUE(holds(on("absent", Op::Null, {}), item));
  EXPECT_TRUE(holds(on("s", Op::Contains, {S("ell")}), item));
  EXPECT_TRUE(holds(on("l", Op::Contains, {N("1")}), item));
  EXPECT_FALSE(holds(on("s", Op::NotContains, {S("ell")}), item));
  EXPECT_TRUE(holds(on("s", Op::NotContains, {N("1")}), item));
  EXPECT_TRUE(holds(on("s", Op::BeginsWith, {S("he")}), item));
  EXPECT_FALSE(holds(on("n", Op::BeginsWith, {S("5")}), item));
  EXPECT_TRUE(holds(on("n", Op::In, {N("1"), N("5")}), item));
  EXPECT_FALSE(holds(on("n", Op::In, {N("1")}), item));
  EXPECT_TRUE(holds(on("n", Op::Between, {N("5"), N("6")}), item));
  EXPECT_FALSE(holds(on("n", Op::Between, {N("6"), N("7")}), item));
}

TEST_F(LegacyTest, absent_attributes_are_unequal_and_nothing_else) {
  const Item item = item_of({{"n", N("5")}});
  EXPECT_TRUE(holds(on("a", Op::Ne, {N("5")}), item));
  for (const Op op : {Op::Eq, Op::Le, Op::Lt, Op::Ge, Op::Gt, Op::Contains, Op::NotContains}) {
    EXPECT_FALSE(holds(on("a", op, {N("5")}), item)) << static_cast<int>(op);
  }
  EXPECT_FALSE(holds(on("a", Op::BeginsWith, {S("5")}), item));
  EXPECT_FALSE(holds(on("a", Op::In, {N("5")}), item));
  EXPECT_FALSE(holds(on("a", Op::Between, {N("5"), N("5")}), item));
}

TEST_F(LegacyTest, names_are_attributes_and_never_paths) {
  const Item item = item_of({{"a.b", N("1")}, {"a", M({{"b", N("2")}})}, {"size", N("3")}});
  EXPECT_TRUE(holds(on("a.b", Op::Eq, {N("1")}), item));
  EXPECT_TRUE(holds(on("size", Op::Eq, {N("3")}), item));
  EXPECT_FALSE(holds(on("a[0]", Op::NotNull, {}), item));
}

TEST_F(LegacyTest, conditions_are_joined_by_one_operator) {
  const Item item = item_of({{"a", N("1")}, {"b", N("2")}, {"c", N("3")}});
  for (int wrong = 0; wrong < 8; ++wrong) {
    const auto conditions = [&] {
      std::vector<AttributeCondition> list;
      for (int i = 0; i < 3; ++i) {
        const std::string_view names[] = {"a", "b", "c"};
        const bool is_wrong = (wrong >> i & 1) != 0;
        list.push_back(on(names[i], Op::Eq, {N(is_wrong ? "9" : std::to_string(i + 1))}));
      }
      return list;
    };
    EXPECT_EQ((*filter(conditions(), ConditionalOperator::And))->holds(item), wrong == 0) << wrong;
    EXPECT_EQ((*filter(conditions(), ConditionalOperator::Or))->holds(item), wrong != 7) << wrong;
  }
}

TEST_F(LegacyTest, many_conditions_make_a_shallow_tree) {
  std::vector<AttributeCondition> conditions(200'000, on("a", Op::Ne, {N("1")}));
  const auto bound = filter(std::move(conditions));
  ASSERT_TRUE(bound.has_value());
  EXPECT_TRUE((*bound)->holds(Item()));
  EXPECT_FALSE((*bound)->holds(item_of({{"a", N("1")}})));
}

TEST_F(LegacyTest, operators_take_so_many_values_of_such_types) {
  const std::string bad = "One or more parameter values were invalid: ";
  EXPECT_EQ(error_of(on("a", Op::Eq, {})),
            bad + "Invalid number of argument(s) for the EQ ComparisonOperator");
  EXPECT_EQ(error_of(on("a", Op::Null, {S("x")})),
            bad + "Invalid number of argument(s) for the NULL ComparisonOperator");
  EXPECT_EQ(error_of(on("a", Op::In, {})),
            bad + "Invalid number of argument(s) for the IN ComparisonOperator");
  EXPECT_EQ(error_of(on("a", Op::Between, {N("1")})),
            bad + "Invalid number of argument(s) for the BETWEEN ComparisonOperator");
  EXPECT_EQ(error_of(on("a", Op::In, {S("x"), N("1")})),
            bad + "AttributeValues inside AttributeValueList must be of same type");
  EXPECT_EQ(error_of(on("a", Op::Lt, {L({})})),
            bad + "ComparisonOperator LT is not valid for L AttributeValue type");
  EXPECT_EQ(error_of(on("a", Op::In, {SS({"x"})})),
            bad + "ComparisonOperator IN is not valid for SS AttributeValue type");
  EXPECT_EQ(error_of(on("a", Op::NotContains, {NS({"1"})})),
            bad + "ComparisonOperator NOT_CONTAINS is not valid for NS AttributeValue type");
  EXPECT_EQ(error_of(on("a", Op::BeginsWith, {N("1")})),
            bad + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type");
  EXPECT_EQ(error_of(on("a", Op::Between, {N("2"), N("1")})),
            "The BETWEEN condition was provided a range where the lower bound is greater than the "
            "upper bound");
  EXPECT_EQ(error_of(on("a", Op::Between, {S("a"), S("a")})), "no error");
  EXPECT_EQ(error_of(on("a", Op::Contains, {Value::boolean(true)})), "no error");
}

TEST_F(LegacyTest, expected_has_two_forms) {
  const std::string bad = "One or more parameter values were invalid: ";
  const auto one = values({S("x")});
  EXPECT_EQ(error_of(ExpectedAttribute{"a", {}, {}, {}, {}}),
            bad + "Value must be provided when Exists is null for Attribute: a");
  EXPECT_EQ(error_of(ExpectedAttribute{"a", {}, {}, {}, true}),
            bad + "Value must be provided when Exists is true for Attribute: a");
  EXPECT_EQ(error_of(ExpectedAttribute{"a", {}, {}, one[0], false}),
            bad + "Value cannot be used when Exists is false for Attribute: a");
  EXPECT_EQ(error_of(ExpectedAttribute{"a", Op::Lt, {}, {}, {}}),
            bad +
                "Value or AttributeValueList must be used with ComparisonOperator: LT for "
                "Attribute: a");
  EXPECT_EQ(error_of(ExpectedAttribute{"a", Op::Lt, {}, {}, true}),
            bad + "Exists and ComparisonOperator cannot be used together for Attribute: a");
  EXPECT_EQ(error_of(ExpectedAttribute{"a", Op::Lt, one, one[0], {}}),
            bad + "Value and AttributeValueList cannot be used together for Attribute: a");
  EXPECT_EQ(error_of(ExpectedAttribute{"a", {}, one, {}, true}),
            bad + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a");
  EXPECT_EQ(error_of(ExpectedAttribute{"a", Op::Null, {}, one[0], {}}),
            bad + "Invalid number of argument(s) for the NULL ComparisonOperator");
  EXPECT_EQ(error_of(ExpectedAttribute{"a", Op::Between, {}, one[0], {}}),
            bad + "Invalid number of argument(s) for the BETWEEN ComparisonOperator");

  const ExpectedAttribute all[] = {{"a", {}, {}, one[0], true},
                                   {"b", {}, {}, {}, false},
                                   {"c", Op::Ge, {}, one[0], {}},
                                   {"d", Op::Null, {}, {}, {}}};
  const auto bound = bind_expected(ExpectedAttributes(all), std::nullopt, memory());
  ASSERT_TRUE(bound.has_value());
  EXPECT_TRUE((*bound)->holds(item_of({{"a", S("x")}, {"c", S("y")}})));
  EXPECT_FALSE((*bound)->holds(item_of({{"a", S("x")}, {"b", S("x")}, {"c", S("y")}})));
  EXPECT_FALSE((*bound)->holds(item_of({{"a", S("z")}, {"c", S("y")}})));
  EXPECT_FALSE((*bound)->holds(std::nullopt));
}

TEST_F(LegacyTest, actions_change_whole_attributes) {
  const Item item = item_of(
      {{"k", S("k")}, {"l", L({N("1")})}, {"n", N("1")}, {"s", SS({"a", "b"})}, {"x", S("x")}});
  using A = AttributeAction;
  EXPECT_EQ(updated({{"a.b", A::Put, value(N("7"))}, {"x", A::Delete, {}}}, item),
            "{a.b: N 7, k: S k, l: [N 1], n: N 1, s: SS(a b )}");
  EXPECT_EQ(updated({{"n", A::Add, value(N("-3"))},
                     {"s", A::Add, value(SS({"c"}))},
                     {"l", A::Add, value(L({S("z"), N("1")}))},
                     {"new", A::Add, value(L({S("z")}))},
                     {"one", A::Add, value(N("5"))}},
                    item),
            "{k: S k, l: [N 1, S z, N 1], n: N -2, new: [S z], one: N 5, s: SS(a b c ), x: S x}");
  EXPECT_EQ(updated({{"s", A::Delete, value(SS({"a", "z"}))}, {"none", A::Delete, {}}}, item),
            "{k: S k, l: [N 1], n: N 1, s: SS(b ), x: S x}");
  EXPECT_EQ(updated({{"s", A::Delete, value(SS({"a", "b"}))}}, item),
            "{k: S k, l: [N 1], n: N 1, x: S x}");
  for (const AttributeUpdate& update :
       {AttributeUpdate{"x", A::Add, value(N("1"))}, AttributeUpdate{"n", A::Add, value(L({}))},
        AttributeUpdate{"s", A::Add, value(NS({"1"}))},
        AttributeUpdate{"n", A::Delete, value(NS({"1"}))}}) {
    EXPECT_EQ(updated({update}, item), "Type mismatch for attribute to update");
  }
}

TEST_F(LegacyTest, actions_take_some_types) {
  const std::string bad = "One or more parameter values were invalid: ";
  using A = AttributeAction;
  EXPECT_EQ(error_of(AttributeUpdate{"a", A::Put, {}}),
            bad + "Only DELETE action is allowed when no attribute value is specified");
  EXPECT_EQ(error_of(AttributeUpdate{"a", A::Add, {}}),
            bad + "Only DELETE action is allowed when no attribute value is specified");
  EXPECT_EQ(error_of(AttributeUpdate{"a", A::Delete, value(L({}))}),
            bad + "DELETE action with value is not supported for the type L");
  EXPECT_EQ(error_of(AttributeUpdate{"a", A::Add, value(M({}))}),
            bad + "ADD action is not supported for the type M");
  EXPECT_EQ(error_of(AttributeUpdate{"a", A::Add, value(Value::null())}),
            bad + "ADD action is not supported for the type NULL");
}

TEST_F(LegacyTest, attributes_to_get_are_projected) {
  const std::string_view names[] = {"z", "a.b", "none"};
  const auto paths = bind_attributes_to_get(AttributesToGet(names), memory());
  ASSERT_TRUE(paths.has_value());
  std::string bytes;
  (*paths)->project(item_of({{"a", N("1")}, {"a.b", N("2")}, {"z", N("3")}}), bytes);
  EXPECT_EQ(text(Item::from_encoded(bytes)), "{a.b: N 2, z: N 3}");

  const std::string_view twice[] = {"a", "b", "a"};
  EXPECT_EQ(TestRequest::message(bind_attributes_to_get(AttributesToGet(twice), memory())),
            "One or more parameter values were invalid: Duplicate value in attribute name: a");
}

TEST_F(LegacyTest, key_conditions_are_clauses) {
  const AttributeCondition conditions[] = {on("p", Op::Eq, {S("x")}),
                                           on("s", Op::Between, {N("1"), N("2")})};
  const auto bound = bind_key_conditions(conditions, memory());
  ASSERT_TRUE(bound.has_value());
  ASSERT_EQ(bound->clauses().size(), 2U);
  EXPECT_EQ(bound->clauses()[0].op, KeyOperator::Equal);
  EXPECT_EQ(bound->clauses()[1].attribute, "s");
  EXPECT_EQ(bound->clauses()[1].value.number(), "1");
  EXPECT_EQ(bound->clauses()[1].upper->number(), "2");

  const AttributeCondition not_null[] = {on("p", Op::NotNull, {})};
  EXPECT_EQ(bind_key_conditions(not_null, memory())->clauses()[0].op, KeyOperator::NotIndexable);
  EXPECT_TRUE(bind_key_conditions({}, memory())->clauses().empty());
}

TEST_F(LegacyTest, nothing_is_asked_of_an_empty_map) {
  EXPECT_FALSE(*bind_filter(AttributeConditions(std::span<const AttributeCondition>()),
                            std::nullopt, memory()));
  EXPECT_FALSE(*bind_expected(std::nullopt, std::nullopt, memory()));
  EXPECT_FALSE(
      *bind_attribute_updates(AttributeUpdates(std::span<const AttributeUpdate>()), memory()));
}

}  // namespace
}  // namespace partita
