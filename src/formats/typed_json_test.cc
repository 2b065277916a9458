#include "formats/typed_json.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "formats/padded_body_test.h"

namespace partita {
namespace {

// Reads the only element of [text]; the error's message, or "" if there was none.
template <typename Read>
std::string complaint(std::string_view text, Read read) {
  const PaddedBody body("[" + std::string(text) + "]");
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  json.open(body.view());
  json.enter_array();
  EXPECT_TRUE(json.next_element());
  read(json);
  if (!json.failed()) {
    EXPECT_FALSE(json.next_element());
  }
  const Result<void> result = json.finish();
  if (result) return "";
  return result.error().message().empty() ? "malformed" : result.error().message();
}

struct Case {
  std::string_view json;
  std::string_view message;
};

template <typename Read>
void expect_all(std::initializer_list<Case> cases, Read read) {
  for (const Case& test : cases) EXPECT_EQ(complaint(test.json, read), test.message) << test.json;
}

// The wording is what dynalite recorded from DynamoDB.

TEST(TypedJson, text) {
  expect_all({{"\"x\"", ""},
              {"true", "TRUE_VALUE cannot be converted to String"},
              {"false", "FALSE_VALUE cannot be converted to String"},
              {"23", "NUMBER_VALUE cannot be converted to String"},
              {"-2147483648", "NUMBER_VALUE cannot be converted to String"},
              {"34.56", "DECIMAL_VALUE cannot be converted to String"},
              {"[]", "Unrecognized collection type class java.lang.String"},
              {"{}", "Start of structure or map found where not expected"}},
             [](JsonReader& json) { read_text(json); });
}

TEST(TypedJson, truth) {
  expect_all({{"true", ""},
              {"\"yes\"", ""},
              {"\"NO\"", ""},
              {"\"23\"", "Unexpected token received from parser"},
              {"23", "NUMBER_VALUE cannot be converted to Boolean"},
              {"34.56", "DECIMAL_VALUE cannot be converted to Boolean"},
              {"[]", "Unrecognized collection type class java.lang.Boolean"},
              {"{}", "Start of structure or map found where not expected"}},
             [](JsonReader& json) { read_truth(json); });
  bool truth = false;
  complaint("\"True\"", [&](JsonReader& json) { truth = read_truth(json); });
  EXPECT_TRUE(truth);
  complaint("\"0\"", [&](JsonReader& json) { truth = read_truth(json); });
  EXPECT_FALSE(truth);
}

TEST(TypedJson, integers) {
  expect_all({{"23", ""},
              {"1e400", "NUMBER_VALUE cannot be converted to Integer"},
              {"2147483648", "NUMBER_VALUE cannot be converted to Integer"},
              {"\"23\"", "STRING_VALUE cannot be converted to Integer"},
              {"true", "TRUE_VALUE cannot be converted to Integer"},
              {"[]", "Unrecognized collection type class java.lang.Integer"},
              {"{}", "Start of structure or map found where not expected"}},
             [](JsonReader& json) { read_integer(json); });
  expect_all({{"9223372036854775807", ""},
              {"9223372036854775808", "NUMBER_VALUE cannot be converted to Long"},
              {"\"23\"", "STRING_VALUE cannot be converted to Long"}},
             [](JsonReader& json) { read_long(json); });
  const auto integer = [](std::string_view text) {
    std::int32_t number = 0;
    complaint(text, [&](JsonReader& json) { number = read_integer(json); });
    return number;
  };
  EXPECT_EQ(integer("-2147483648"), -2147483648);
  EXPECT_EQ(integer("1.9"), 1);
  EXPECT_EQ(integer("1e2"), 100);
}

TEST(TypedJson, containers) {
  expect_all({{"[]", ""},
              {"\"23\"", "Unexpected field type"},
              {"34.56", "Unexpected field type"},
              {"{}", "Start of structure or map found where not expected"}},
             [](JsonReader& json) {
               enter_list(json);
               json.next_element();
             });
  std::string_view name;
  expect_all({{"{}", ""},
              {"true", "Unexpected field type"},
              {"[]",
               "Unrecognized collection type java.util.Map<java.lang.String, "
               "com.amazonaws.dynamodb.v20120810.AttributeValue>"}},
             [&](JsonReader& json) {
               enter_map(json, kAttributeValueClass);
               json.next_member(name);
             });
  expect_all({{"{}", ""},
              {"true", "Unexpected value type in payload"},
              {"[]",
               "Unrecognized collection type class "
               "com.amazonaws.dynamodb.v20120810.AttributeValue"}},
             [&](JsonReader& json) {
               enter_element_structure(json, kAttributeValueClass);
               json.next_member(name);
             });
  expect_all({{"{}", ""}, {"1", "Unexpected field type"}}, [&](JsonReader& json) {
    enter_member_structure(json, kAttributeValueClass);
    json.next_member(name);
  });
}

TEST(TypedJson, malformed_values_have_no_reason) {
  for (std::string_view text : {"?", "'x'", "}", ":"}) {
    EXPECT_EQ(complaint(text, [](JsonReader& json) { read_text(json); }), "malformed") << text;
    EXPECT_EQ(complaint(text, [](JsonReader& json) { read_truth(json); }), "malformed") << text;
    EXPECT_EQ(complaint(text, [](JsonReader& json) { read_integer(json); }), "malformed") << text;
    EXPECT_EQ(complaint(text, [](JsonReader& json) { enter_list(json); }), "malformed") << text;
    EXPECT_EQ(complaint(text, [](JsonReader& json) { read_base64_text(json); }), "malformed");
  }
  EXPECT_EQ(complaint("1.", [](JsonReader& json) { read_integer(json); }), "malformed");
  EXPECT_EQ(complaint("tru", [](JsonReader& json) { read_truth(json); }), "malformed");
}

}  // namespace
}  // namespace partita
