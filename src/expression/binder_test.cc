#include "expression/binder.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "expression/test_request.h"

namespace partita {
namespace {

using namespace testing;

const std::string kInvalidFilter = "Invalid FilterExpression: ";
const std::string kInvalidUpdate = "Invalid UpdateExpression: ";

std::string undefined_name(const std::string& name) {
  return "An expression attribute name used in the document path is not defined; attribute name: " +
         name;
}
std::string undefined_value(const std::string& value) {
  return "An expression attribute value used in expression is not defined; attribute value: " +
         value;
}

TEST(Binder, names_the_parameter_that_is_wrong) {
  TestRequest request;
  EXPECT_EQ(request.condition_error(""), kInvalidFilter + "The expression can not be empty;");
  EXPECT_EQ(request.update_error(""), kInvalidUpdate + "The expression can not be empty;");
  EXPECT_EQ(request.projection_error(""),
            "Invalid ProjectionExpression: The expression can not be empty;");
  EXPECT_EQ(TestRequest::message(request.binder().key_condition("")),
            "Invalid KeyConditionExpression: The expression can not be empty;");
}

TEST(Binder, reports_the_first_undefined_placeholder_of_a_condition) {
  TestRequest request;
  EXPECT_EQ(request.condition_error("attribute_exists(#Pictures.RearView, :a) and a=b"),
            kInvalidFilter + undefined_name("#Pictures"));
  EXPECT_EQ(request.condition_error("begins_with(Pictures.#RearView)"),
            kInvalidFilter + undefined_name("#RearView"));
  EXPECT_EQ(request.condition_error("(#P between :lo and :hi) and (#PC in (:cat1, :cat2))"),
            kInvalidFilter + undefined_name("#P"));
  EXPECT_EQ(request.condition_error("begins_with(:hello, #a, #b)"),
            kInvalidFilter + undefined_value(":hello"));
  EXPECT_EQ(request.condition_error(":a < :b"), kInvalidFilter + undefined_value(":a"));
}

TEST(Binder, conditions_are_checked_one_after_another) {
  TestRequest request;
  EXPECT_EQ(request.condition_error("begins_with(a) AND b = :undefined"),
            kInvalidFilter +
                "Incorrect number of operands for operator or function; operator or function: "
                "begins_with, number of operands: 1");
}

TEST(Binder, updates_report_names_before_values_before_operands) {
  TestRequest request({{"#a", "a"}}, {{":a", S("a")}});
  EXPECT_EQ(request.update_error("SET #c = if_not_exists(:c)"),
            kInvalidUpdate + undefined_name("#c"));
  EXPECT_EQ(request.update_error("SET #a = if_not_exists(:c)"),
            kInvalidUpdate + undefined_value(":c"));
  EXPECT_EQ(request.update_error("SET a = if_not_exists(b)"),
            kInvalidUpdate +
                "Incorrect number of operands for operator or function; operator or function: "
                "if_not_exists, number of operands: 1");
}

TEST(Binder, counts_operands) {
  TestRequest request;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"attribute_exists(things, a) and a=b", "attribute_exists, number of operands: 2"},
      {"attribute_not_exists(things, b)", "attribute_not_exists, number of operands: 2"},
      {"attribute_type(things)", "attribute_type, number of operands: 1"},
      {"begins_with(things, size(a), b)", "begins_with, number of operands: 3"},
      {"contains(things)", "contains, number of operands: 1"},
      {"size(things, a) > b", "size, number of operands: 2"},
  };
  for (const auto& [text, what] : cases) {
    EXPECT_EQ(
        request.condition_error(text),
        kInvalidFilter +
            "Incorrect number of operands for operator or function; operator or function: " + what);
  }
}

TEST(Binder, refuses_operand_types_that_the_request_itself_gives) {
  const std::string prefix =
      kInvalidFilter + "Incorrect operand type for operator or function; operator or function: ";
  const std::vector<std::pair<std::string, Value>> not_ordered = {{"BOOL", Value::boolean(true)},
                                                                  {"NULL", Value::null()},
                                                                  {"L", L({})},
                                                                  {"M", M({})},
                                                                  {"SS", SS({"1"})},
                                                                  {"NS", NS({"1"})},
                                                                  {"BS", BS({"1"})}};
  for (const auto& [type, value] : not_ordered) {
    TestRequest request({}, {{":a", value}});
    EXPECT_EQ(request.condition_error("begins_with(a, :a)"),
              prefix + "begins_with, operand type: " + type);
    EXPECT_EQ(request.condition_error("begins_with(:a, a)"),
              prefix + "begins_with, operand type: " + type);
    EXPECT_EQ(request.condition_error("a > :a"), prefix + ">, operand type: " + type);
    EXPECT_EQ(request.condition_error(":a <= a"), prefix + "<=, operand type: " + type);
    EXPECT_EQ(request.condition_error("a BETWEEN :a AND b"),
              prefix + "BETWEEN, operand type: " + type);
    EXPECT_EQ(request.condition_error("attribute_type(a, :a)"),
              prefix + "attribute_type, operand type: " + type);
    EXPECT_EQ(request.condition_error("a = :a OR a <> :a OR a IN (:a) OR contains(a, :a)"),
              "no error");
  }
  TestRequest number({}, {{":a", N("1")}});
  EXPECT_EQ(number.condition_error("begins_with(a, :a)"), prefix + "begins_with, operand type: N");
  EXPECT_EQ(number.condition_error("begins_with(a, size(a))"),
            prefix + "begins_with, operand type: N");
  EXPECT_EQ(number.condition_error("size(:a) > a"), prefix + "size, operand type: N");
  EXPECT_EQ(number.condition_error("size(size(a)) > :a"), prefix + "size, operand type: N");
  EXPECT_EQ(number.condition_error("attribute_not_exists(size(:a))"),
            prefix + "size, operand type: N");
  EXPECT_EQ(number.condition_error("attribute_type(a, size(a))"),
            prefix + "attribute_type, operand type: N");
  EXPECT_EQ(number.condition_error("attribute_type(a, b)"),
            prefix + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
}

TEST(Binder, knows_the_attribute_types) {
  for (std::string_view type : {"S", "N", "B", "SS", "NS", "BS", "BOOL", "NULL", "L", "M"}) {
    TestRequest request({}, {{":a", S(type)}});
    EXPECT_EQ(request.condition_error("attribute_type(a, :a)"), "no error");
  }
  TestRequest request({}, {{":a", S("DOG")}});
  EXPECT_EQ(request.condition_error("attribute_type(a, :a)"),
            kInvalidFilter +
                "Invalid attribute type name found; type: DOG, valid types: "
                "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
}

TEST(Binder, functions_about_attributes_want_paths) {
  TestRequest request({}, {{":a", S("1")}});
  for (std::string_view function : {"attribute_exists", "attribute_not_exists"}) {
    for (std::string_view operand : {"(:a)", "(size(:a))"}) {
      EXPECT_EQ(request.condition_error(std::string(function) + std::string(operand)),
                kInvalidFilter +
                    "Operator or function requires a document path; operator or function: " +
                    std::string(function));
    }
  }
  EXPECT_EQ(request.update_error("SET b = if_not_exists(:a, c)"),
            kInvalidUpdate +
                "Operator or function requires a document path; operator or function: "
                "if_not_exists");
}

TEST(Binder, the_first_operand_must_be_distinct) {
  TestRequest request({{"#a", "a"}}, {{":a", S("1")}});
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a = a AND #a = b", "=, first operand: [a]"},
      {"#a <> a", "<>, first operand: [a]"},
      {"a > #a", ">, first operand: [a]"},
      {"((a=a) OR (a=a))", "=, first operand: [a]"},
      {"contains(ab.bc[1].a, ab.bc[1].#a)", "contains, first operand: [ab, bc, [1], a]"},
      {"attribute_type(ab.bc[1].#a, ab.bc[1].a)",
       "attribute_type, first operand: [ab, bc, [1], a]"},
      {"begins_with(ab.bc[1].a, ab.bc[1].#a)", "begins_with, first operand: [ab, bc, [1], a]"},
      {"a IN (b, a)", "IN, first operand: [a]"},
      {"a BETWEEN b AND a", "BETWEEN, first operand: [a]"},
  };
  for (const auto& [text, what] : cases) {
    EXPECT_EQ(request.condition_error(text),
              kInvalidFilter +
                  "The first operand must be distinct from the remaining operands for this "
                  "operator or function; operator: " +
                  what);
  }
  EXPECT_EQ(request.condition_error(":a = :a AND a.b = a.c AND b IN (c, c)"), "no error");
}

TEST(Binder, between_wants_ordered_bounds_of_one_type) {
  TestRequest numbers({}, {{":a", N("5")}, {":b", N("4.5")}, {":s", S("x")}});
  EXPECT_EQ(numbers.condition_error("a BETWEEN :a AND :b"),
            kInvalidFilter +
                "The BETWEEN operator requires upper bound to be greater than or equal to lower "
                "bound; lower bound operand: AttributeValue: {N:5}, upper bound operand: "
                "AttributeValue: {N:4.5}");
  EXPECT_EQ(numbers.condition_error("a BETWEEN :a AND :s"),
            kInvalidFilter +
                "The BETWEEN operator requires same data type for lower and upper bounds; lower "
                "bound operand: AttributeValue: {N:5}, upper bound operand: AttributeValue: {S:x}");
  EXPECT_EQ(numbers.condition_error("a BETWEEN :a AND :a"), "no error");
  EXPECT_EQ(numbers.condition_error(":b BETWEEN :a AND b"), "no error");
  TestRequest bytes({}, {{":a", B("b")}, {":b", B("a")}});
  EXPECT_EQ(bytes.condition_error("a BETWEEN :a AND :b"),
            kInvalidFilter +
                "The BETWEEN operator requires upper bound to be greater than or equal to lower "
                "bound; lower bound operand: AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 "
                "lim=1 cap=1]}, upper bound operand: AttributeValue: "
                "{B:java.nio.HeapByteBuffer[pos=0 lim=1 cap=1]}");
}

TEST(Binder, in_takes_a_hundred_operands) {
  std::string list = ":a";
  for (int i = 1; i < 100; ++i) list += ",:a";
  TestRequest request({}, {{":a", S("1")}});
  EXPECT_EQ(request.condition_error("a IN (" + list + ")"), "no error");
  EXPECT_EQ(request.condition_error("a IN (" + list + ",:a)"),
            kInvalidFilter +
                "The IN operator is provided with too many operands; number of operands: 101");
}

TEST(Binder, add_and_delete_want_their_types) {
  const std::string prefix =
      kInvalidUpdate + "Incorrect operand type for operator or function; operator: ";
  const std::vector<std::pair<std::string, Value>> refused = {
      {"STRING", S("a")},      {"BINARY", B("a")}, {"BOOL", Value::boolean(false)},
      {"NULL", Value::null()}, {"LIST", L({})},    {"MAP", M({})}};
  for (const auto& [type, value] : refused) {
    TestRequest request({}, {{":a", value}});
    EXPECT_EQ(request.update_error("ADD a.b :a"),
              prefix + "ADD, operand type: " + type + ", typeSet: ALLOWED_FOR_ADD_OPERAND");
    EXPECT_EQ(request.update_error("DELETE a.b :a"),
              prefix + "DELETE, operand type: " + type + ", typeSet: ALLOWED_FOR_DELETE_OPERAND");
  }
  TestRequest number({}, {{":a", N("1")}});
  EXPECT_EQ(number.update_error("ADD a :a"), "no error");
  EXPECT_EQ(number.update_error("DELETE a :a"),
            prefix + "DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND");
  for (const Value& set : {SS({"a"}), NS({"1"}), BS({"a"})}) {
    TestRequest request({}, {{":a", set}});
    EXPECT_EQ(request.update_error("ADD a :a DELETE b :a"), "no error");
  }
}

TEST(Binder, arithmetic_and_list_append_want_their_types) {
  const std::string prefix =
      kInvalidUpdate + "Incorrect operand type for operator or function; operator or function: ";
  TestRequest request({}, {{":s", S("a")}, {":n", N("1")}, {":l", L({})}});
  EXPECT_EQ(request.update_error("SET a = a + :s"), prefix + "+, operand type: S");
  EXPECT_EQ(request.update_error("SET a = :s - :l"), prefix + "-, operand type: S");
  EXPECT_EQ(request.update_error("SET a = a - :l"), prefix + "-, operand type: L");
  EXPECT_EQ(request.update_error("SET a = list_append(a, :n)"),
            prefix + "list_append, operand type: N");
  EXPECT_EQ(request.update_error("SET a = list_append(a, b) + :n"), prefix + "+, operand type: L");
  EXPECT_EQ(request.update_error("SET a = list_append(:l, a), b = b + :n"), "no error");
}

TEST(Binder, paths_must_not_overlap_or_conflict) {
  TestRequest request({{"#c", "c"}, {"#d", "[3]"}}, {{":v", N("1")}});
  const auto overlap = [](const std::string& one, const std::string& two) {
    return "Two document paths overlap with each other; must remove or rewrite one of these paths; "
           "path one: " +
           one + ", path two: " + two;
  };
  EXPECT_EQ(request.update_error("SET a = :v, a.b = :v"),
            kInvalidUpdate + overlap("[a]", "[a, b]"));
  EXPECT_EQ(request.update_error("REMOVE a.b.c SET a.b = :v"),
            kInvalidUpdate + overlap("[a, b, c]", "[a, b]"));
  EXPECT_EQ(request.update_error("set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)"),
            kInvalidUpdate + overlap("[c, [1], a]", "[c]"));
  EXPECT_EQ(request.update_error("set #c[3].#d = a, #c[3] = a"),
            kInvalidUpdate + overlap("[c, [3], [3]]", "[c, [3]]"));
  EXPECT_EQ(request.update_error("remove a.#c set a[1] = #d"),
            kInvalidUpdate +
                "Two document paths conflict with each other; must remove or rewrite one of these "
                "paths; path one: [a, c], path two: [a, [1]]");
  EXPECT_EQ(request.update_error("set #c[3].#d = a, #c.#d[3] = if_not_exists(a)"),
            kInvalidUpdate +
                "Two document paths conflict with each other; must remove or rewrite one of these "
                "paths; path one: [c, [3], [3]], path two: [c, [3], [3]]");
  EXPECT_EQ(request.projection_error("b, a.x, c, a, d"),
            "Invalid ProjectionExpression: " + overlap("[a, x]", "[a]"));
  EXPECT_EQ(request.projection_error("a.b, a.c, a.d[1], a.d[2].e, ab, a0.b"), "no error");
}

TEST(Binder, paths_have_at_most_32_steps) {
  std::string path = "a";
  for (int i = 1; i < 32; ++i) path += ".a";
  TestRequest request;
  EXPECT_EQ(request.projection_error(path), "no error");
  EXPECT_EQ(request.projection_error(path + "[0]"),
            "Invalid ProjectionExpression: The document path has too many nesting levels; nesting "
            "levels: 33");
}

TEST(Binder, every_placeholder_must_be_used_by_some_expression) {
  TestRequest request({{"#a", "a"}, {"#b", "b"}}, {{":v", S("v")}, {":w", S("w")}});
  Binder binder = request.binder();
  EXPECT_TRUE(binder.update("SET #a = :v"));
  EXPECT_EQ(TestRequest::message(binder.finish()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
  EXPECT_TRUE(binder.condition("ConditionExpression", "attribute_exists(#b)"));
  EXPECT_EQ(TestRequest::message(binder.finish()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}");
  EXPECT_TRUE(binder.condition("ConditionExpression", "#a = :w"));
  EXPECT_TRUE(binder.finish());
}

TEST(Binder, lists_unused_placeholders_in_the_order_of_a_java_hash_set) {
  TestRequest request({{"#zebra", "z"}, {"#b", "b"}, {"#a", "a"}, {"#apple", "c"}}, {});
  Binder binder = request.binder();
  EXPECT_TRUE(binder.projection("x"));
  // "#a" and "#b" hash to slots 14 and 15 of 16, "#apple" and "#zebra" to 2 and 3.
  EXPECT_EQ(TestRequest::message(binder.finish()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: "
            "{#apple, #zebra, #a, #b}");
}

TEST(Binder, finds_each_of_many_placeholders) {
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back("#n" + std::to_string((i * 37) % 200));
  std::vector<ExpressionAttributeName> names;
  std::string projection;
  for (const std::string& text : texts) {
    names.push_back({text, std::string_view(text).substr(1)});
    projection += (projection.empty() ? "" : ",") + text;
  }
  ExpressionAttributes attributes;
  attributes.names = names;
  ExpressionCache cache;
  Binder binder(cache, attributes, std::pmr::get_default_resource());
  auto paths = binder.projection(projection);
  ASSERT_TRUE(paths) << paths.error().message();
  EXPECT_TRUE(binder.finish());
  std::size_t next = 0;
  paths->for_each_path([&](PathView path) {
    EXPECT_EQ(path.front().name(), std::string_view(texts[next++]).substr(1));
  });
  EXPECT_EQ(TestRequest::message(binder.projection("#n200")),
            "Invalid ProjectionExpression: " + undefined_name("#n200"));
}

TEST(Binder, placeholders_must_be_well_formed) {
  const auto error = [](ExpressionAttributes attributes) {
    ExpressionCache cache;
    Binder binder(cache, attributes, std::pmr::get_default_resource());
    return TestRequest::message(binder.condition("ConditionExpression", ""));
  };
  const auto names_error = [&](std::string_view placeholder, std::string_view name) {
    const ExpressionAttributeName names[] = {{placeholder, name}};
    ExpressionAttributes attributes;
    attributes.names = names;
    return error(attributes);
  };
  ExpressionAttributes empty_names, empty_values;
  empty_names.names.emplace();
  empty_values.values.emplace();
  EXPECT_EQ(error(empty_names), "ExpressionAttributeNames must not be empty");
  EXPECT_EQ(error(empty_values), "ExpressionAttributeValues must not be empty");
  for (std::string_view bad : {"a", "", "#", "#a-b", "##", "#\xC3\xBC", ":a"}) {
    EXPECT_EQ(names_error(bad, "x"),
              "ExpressionAttributeNames contains invalid key: Syntax error; "
              "key: \"" +
                  std::string(bad) + "\"");
  }
  EXPECT_EQ(names_error("#a", ""),
            "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a");
  EXPECT_EQ(names_error("#" + std::string(255, 'a'), "x"),
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains "
            "a key that is too long; size of key: 256");
  EXPECT_EQ(names_error("#" + std::string(254, 'a'), "x"),
            "Invalid ConditionExpression: The expression can not be empty;");
  const Value value = S("v");
  const ExpressionAttributeValue values[] = {{"a", value}};
  ExpressionAttributes attributes;
  attributes.values = values;
  EXPECT_EQ(error(attributes),
            "ExpressionAttributeValues contains invalid key: Syntax error; key: \"a\"");
}

TEST(ExpressionAttributes, want_an_expression_that_can_use_them) {
  TestRequest names({{"#a", "a"}}, {});
  TestRequest values({}, {{":a", S("a")}});
  const ExpressionParameter get[] = {{"ProjectionExpression", false, false}};
  const ExpressionParameter put[] = {{"ConditionExpression", false}};
  const ExpressionParameter update[] = {{"UpdateExpression", false},
                                        {"ConditionExpression", false}};
  const ExpressionParameter query[] = {{"ProjectionExpression", true, false},
                                       {"FilterExpression", false},
                                       {"KeyConditionExpression", false}};
  const auto check = [](TestRequest& request, std::span<const ExpressionParameter> parameters) {
    return TestRequest::message(check_expression_attributes(request.attributes(), parameters));
  };
  for (std::span<const ExpressionParameter> parameters :
       {std::span<const ExpressionParameter>(get), std::span<const ExpressionParameter>(put)}) {
    EXPECT_EQ(check(names, parameters),
              "ExpressionAttributeNames can only be specified when using expressions");
  }
  EXPECT_EQ(check(names, query), "no error");
  const std::string refused =
      "ExpressionAttributeValues can only be specified when using expressions: ";
  EXPECT_EQ(check(values, put), refused + "ConditionExpression is null");
  EXPECT_EQ(check(values, update), refused + "UpdateExpression and ConditionExpression are null");
  EXPECT_EQ(check(values, query), refused + "FilterExpression and KeyConditionExpression are null");
  EXPECT_EQ(check(values, get), "no error");
}

}  // namespace
}  // namespace partita
