#include "formats/value_json.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "formats/padded_body_test.h"

namespace partita {
namespace {

struct Outcome {
  std::string bytes;  // of the item
  std::string json_error;
  std::string value_error;
};

Outcome read_item(std::string_view text) {
  const PaddedBody body(text);
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  ItemWriter writer(&memory);
  ValueJsonReader reader(json, writer, &memory);
  json.open(body.view());
  reader.read_item();
  Outcome outcome;
  if (const Result<void> result = json.finish(); !result) {
    outcome.json_error = result.error().message().empty() ? "malformed" : result.error().message();
  } else if (reader.error()) {
    outcome.value_error = reader.error()->message();
  } else {
    outcome.bytes = writer.bytes();
  }
  return outcome;
}

std::string rewritten(std::string_view text) {
  const Outcome outcome = read_item(text);
  EXPECT_EQ(outcome.json_error + outcome.value_error, "") << text;
  if (outcome.bytes.empty()) return "";
  TextBuffer out;
  {
    JsonWriter json(out);
    write_json(json, ItemView(outcome.bytes));
  }
  return std::string(out.view());
}

std::string of_a(std::string_view value) { return "{\"a\":" + std::string(value) + "}"; }

std::string nested_lists(unsigned levels) {
  std::string text;
  for (unsigned i = 0; i < levels; ++i) text += "{\"L\":[";
  text += "{\"S\":\"x\"}";
  for (unsigned i = 0; i < levels; ++i) text += "]}";
  return text;
}

TEST(ValueJson, every_type_comes_back_as_it_went) {
  for (std::string_view text : {
           R"({})",
           R"({"a":{"S":""}})",
           R"({"a":{"S":"\"quoted\"\n é😀"}})",
           R"({"a":{"N":"0"}})",
           R"({"a":{"N":"-123.456"}})",
           R"({"a":{"B":""}})",
           R"({"a":{"B":"AAEC/w=="}})",
           R"({"a":{"BOOL":true},"b":{"BOOL":false}})",
           R"({"a":{"NULL":true}})",
           R"({"a":{"M":{}},"b":{"L":[]}})",
           R"({"a":{"M":{"x":{"L":[{"M":{"y":{"N":"1"}}},{"S":"z"}]}}}})",
           R"({"a":{"SS":["","a","b"]}})",
           R"({"a":{"NS":["-5","0","2","10"]}})",
           R"({"a":{"BS":["AA==","YQ=="]}})",
           R"({"a\"b":{"S":"x"}})",
       }) {
    EXPECT_EQ(rewritten(text), text);
  }
}

TEST(ValueJson, brings_values_into_their_canonical_form) {
  EXPECT_EQ(rewritten(R"({ "b" : { "N" : "1.50" } , "a" : { "N" : "1e2" } })"),
            R"({"a":{"N":"100"},"b":{"N":"1.5"}})");
  EXPECT_EQ(rewritten(R"({"a":{"SS":["b","a"]}})"), R"({"a":{"SS":["a","b"]}})");
  EXPECT_EQ(rewritten(R"({"a":{"NULL":"yes"}})"), R"({"a":{"NULL":true}})");
}

TEST(ValueJson, a_name_given_twice_keeps_its_last_value) {
  EXPECT_EQ(rewritten(R"({"a":{"S":"1"},"b":{"S":"2"},"a":{"N":"3"}})"),
            R"({"a":{"N":"3"},"b":{"S":"2"}})");
}

TEST(ValueJson, ignores_members_that_are_no_type_and_null) {
  EXPECT_EQ(rewritten(R"({"a":{"X":[1,{}],"S":"x","N":null,"s":"y"}})"), R"({"a":{"S":"x"}})");
  for (std::string_view first : {R"("X":1)", R"("é":{})", R"("":[])", R"("\"":"")", R"("\\":0)",
                                 R"("N":null)", R"( "X" : {"S":"y"} )"}) {
    EXPECT_EQ(rewritten(R"({"a":{)" + std::string(first) + R"(,"S":"x"}})"), R"({"a":{"S":"x"}})");
  }
}

TEST(ValueJson, tells_what_is_no_value) {
  const struct {
    std::string_view value;
    std::string_view message;
  } cases[] = {
      {"{}",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"a":""})",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"S":null})",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {"null",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"L":[{}]})",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"M":{"x":{}}})",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"S":"a","N":"1"})",
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
       "supported datatypes"},
      {R"({"S":"a","N":"b"})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"NULL":false})",
       "One or more parameter values were invalid: Null attribute value types must have the value "
       "of "
       "true"},
      {R"({"SS":[]})",
       "One or more parameter values were invalid: An string set  may not be empty"},
      {R"({"NS":[]})",
       "One or more parameter values were invalid: An number set  may not be empty"},
      {R"({"BS":[]})",
       "One or more parameter values were invalid: Binary sets should not be empty"},
      {R"({"SS":["a","a"]})",
       "One or more parameter values were invalid: Input collection [a, a] contains duplicates."},
      {R"({"BS":["Yg==","Yg=="]})",
       "One or more parameter values were invalid: Input collection [Yg==, Yg==]of type BS "
       "contains "
       "duplicates."},
      {R"({"NS":["1","1.0"]})", "Input collection contains duplicates"},
      {R"({"NS":["1",""]})", "The parameter cannot be converted to a numeric value"},
      {R"({"N":""})", "The parameter cannot be converted to a numeric value"},
      {R"({"N":"1e126"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"SS":[null]})",
       "One or more parameter values were invalid: A set may not have a null member"},
  };
  for (const auto& test : cases) {
    const Outcome outcome = read_item(of_a(test.value));
    EXPECT_EQ(outcome.json_error, "") << test.value;
    EXPECT_EQ(outcome.value_error, test.message) << test.value;
  }
}

TEST(ValueJson, keeps_the_first_value_error_and_goes_on_looking_at_types) {
  EXPECT_EQ(read_item(R"({"a":{"SS":[]},"b":{"NULL":false}})").value_error,
            "One or more parameter values were invalid: An string set  may not be empty");
  EXPECT_EQ(read_item(R"({"a":{"SS":[]},"b":{"S":5}})").json_error,
            "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(read_item(R"({"a":{"N":"x"},"b":{"M":{"c":{"L":[{"B":"?"}]}}}})").json_error,
            "Base64 encoded length is expected a multiple of 4 bytes but found: 1");
  EXPECT_EQ(read_item(R"({"a":{"N":"x"},"b":{"L":[{"NS":[1]}]}})").json_error,
            "NUMBER_VALUE cannot be converted to String");
}

TEST(ValueJson, tells_wrong_types_in_the_deserializers_words) {
  const struct {
    std::string_view value;
    std::string_view message;
  } cases[] = {
      {"\"23\"", "Unexpected value type in payload"},
      {"[]", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
      {R"({"S":true})", "TRUE_VALUE cannot be converted to String"},
      {R"({"N":5})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"B":true})", "only base-64-encoded strings are convertible to bytes"},
      {R"({"B":[]})", "Unrecognized collection type class java.nio.ByteBuffer"},
      {R"({"B":"23456"})", "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
      {R"({"B":"=+/="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"B":"+/+="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"BOOL":"23"})", "Unexpected token received from parser"},
      {R"({"SS":"23"})", "Unexpected field type"},
      {R"({"SS":{}})", "Start of structure or map found where not expected"},
      {R"({"BS":[34.56]})", "only base-64-encoded strings are convertible to bytes"},
      {R"({"L":{}})", "Start of structure or map found where not expected"},
      {R"({"L":["x"]})", "Unexpected value type in payload"},
      {R"({"M":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {R"({"M":{"a":{"SS":[1]}}})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"L":[{"SS":["a",1]}]})", "NUMBER_VALUE cannot be converted to String"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(read_item(of_a(test.value)).json_error, test.message) << test.value;
  }
  EXPECT_EQ(read_item("{\"a\":{\"S\":\"\xFF\"}}").json_error, "malformed");
  EXPECT_EQ(read_item(R"({"a":{"SS":["x"}})").json_error, "malformed");
}

TEST(ValueJson, allows_as_many_levels_as_the_encoding) {
  const std::string deepest = of_a(nested_lists(kNestingLevelsMax - 1));
  EXPECT_EQ(rewritten(deepest), deepest);
  const std::string_view message =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  EXPECT_EQ(read_item(of_a(nested_lists(kNestingLevelsMax))).value_error, message);
  EXPECT_EQ(read_item(of_a(nested_lists(100))).value_error, message);
  EXPECT_EQ(read_item(of_a(nested_lists(100'000))).json_error, "malformed");
}

TEST(ValueJson, reads_megabytes_of_list) {
  std::string text = "{\"a\":{\"L\":[{\"N\":\"0\"}";
  for (int i = 1; i < 300'000; ++i) text += ",{\"N\":\"" + std::to_string(i) + "\"}";
  text += "]}}";
  const Outcome outcome = read_item(text);
  ASSERT_EQ(outcome.json_error + outcome.value_error, "");
  EXPECT_EQ(ItemView(outcome.bytes).find("a")->count(), 300'000U);
}

Value random_value(std::mt19937& random, unsigned levels) {
  const auto text = [&] {
    std::string bytes;
    for (std::size_t i = random() % 40; i != 0; --i) bytes += static_cast<char>(random() % 128);
    return bytes;
  };
  switch (random() % (levels == 0 ? 5 : 7)) {
    case 0:
      return Value::string(text());
    case 1:
      return Value::number(static_cast<std::int64_t>(random()) - 2'000'000'000);
    case 2:
      return Value::binary(text());
    case 3:
      return Value::boolean(random() % 2 == 0);
    case 4: {
      const std::string one = "a" + text();
      const std::string two = "b" + text();
      const std::string_view members[] = {one, two};
      return random() % 2 == 0 ? *Value::string_set(members) : *Value::binary_set(members);
    }
    case 5:
      return Value::list({random_value(random, levels - 1), random_value(random, levels - 1)});
    default:
      return Value::map({{"x" + text(), random_value(random, levels - 1)}});
  }
}

TEST(ValueJson, random_items_come_back_to_the_byte) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 500; ++round) {
    Item item;
    for (std::size_t i = random() % 6; i != 0; --i) {
      item.set("name" + std::to_string(random() % 10), random_value(random, 4));
    }
    TextBuffer text;
    {
      JsonWriter json(text);
      write_json(json, item.view());
    }
    ASSERT_EQ(read_item(text.view()).bytes, item.view().bytes()) << text.view();
  }
}

}  // namespace
}  // namespace partita
