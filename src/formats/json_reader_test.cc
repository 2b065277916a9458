#include "formats/json_reader.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "formats/padded_body_test.h"

namespace partita {
namespace {

bool accepts(std::string_view text) {
  const PaddedBody body(text);
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  json.open(body.view());
  json.skip_value();
  return json.finish().has_value();
}

// The string that is the only element of this array.
std::string only_string(std::string_view text) {
  const PaddedBody body(text);
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  json.open(body.view());
  json.enter_array();
  EXPECT_TRUE(json.next_element());
  const std::string result(json.read_string());
  EXPECT_FALSE(json.next_element());
  EXPECT_TRUE(json.finish().has_value()) << text;
  return result;
}

TEST(JsonReader, walks_members_and_elements_in_order) {
  const PaddedBody body(
      "\r\n\t { \"a\" : [ 1 , -2.5e+3,true ] ,\"b\":{},\n\"c\" : null, \"\":\"x\" } \n");
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  json.open(body.view());
  EXPECT_EQ(json.kind(), JsonKind::Object);
  json.enter_object();
  std::string_view name;
  ASSERT_TRUE(json.next_member(name));
  EXPECT_EQ(name, "a");
  json.enter_array();
  ASSERT_TRUE(json.next_element());
  EXPECT_EQ(json.kind(), JsonKind::Number);
  EXPECT_EQ(json.read_number(), "1");
  ASSERT_TRUE(json.next_element());
  EXPECT_EQ(json.read_number(), "-2.5e+3");
  ASSERT_TRUE(json.next_element());
  EXPECT_EQ(json.kind(), JsonKind::True);
  EXPECT_TRUE(json.read_boolean());
  EXPECT_FALSE(json.next_element());
  ASSERT_TRUE(json.next_member(name));
  EXPECT_EQ(name, "b");
  json.enter_object();
  EXPECT_FALSE(json.next_member(name));
  ASSERT_TRUE(json.next_member(name));
  EXPECT_EQ(name, "c");
  EXPECT_TRUE(json.read_null());
  ASSERT_TRUE(json.next_member(name));
  EXPECT_EQ(name, "");
  EXPECT_FALSE(json.read_null());
  EXPECT_EQ(json.read_string(), "x");
  EXPECT_FALSE(json.next_member(name));
  EXPECT_TRUE(json.finish().has_value());
}

TEST(JsonReader, borrows_plain_strings_from_the_body) {
  const PaddedBody body("[\"plain\"]");
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  json.open(body.view());
  json.enter_array();
  ASSERT_TRUE(json.next_element());
  EXPECT_EQ(json.read_string().data(), body.view().data() + 2);
}

TEST(JsonReader, unescapes_strings) {
  EXPECT_EQ(only_string(R"(["\"\\\/\b\f\n\r\t"])"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(only_string(R"(["\u0041\u00e9\u20AC\ud83d\ude00"])"), "Aé€😀");
  EXPECT_EQ(only_string(R"(["\u0000"])"), std::string(1, '\0'));
  EXPECT_EQ(only_string("[\"\\\\\"]"), "\\");
  EXPECT_EQ(only_string("[\"" + std::string(1000, 'a') + "\\n\"]"), std::string(1000, 'a') + "\n");
}

TEST(JsonReader, finds_a_backslash_at_every_place_of_a_string) {
  for (std::size_t length = 1; length < 70; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      std::string text(length, 'x');
      text.replace(at, 1, "\\t");
      std::string expected(length, 'x');
      expected[at] = '\t';
      EXPECT_EQ(only_string("[\"" + text + "\"]"), expected);
    }
  }
}

TEST(JsonReader, keeps_all_unescaped_strings_of_a_document_apart) {
  std::string text = "[";
  for (int i = 0; i < 500; ++i) text += (i == 0 ? "\"\\n" : ",\"\\n") + std::to_string(i) + "\"";
  const PaddedBody body(text + "]");
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  json.open(body.view());
  json.enter_array();
  std::vector<std::string_view> strings;
  while (json.next_element()) strings.push_back(json.read_string());
  ASSERT_TRUE(json.finish().has_value());
  ASSERT_EQ(strings.size(), 500U);
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(strings[static_cast<std::size_t>(i)], "\n" + std::to_string(i));
  }
}

TEST(JsonReader, refuses_what_is_not_json) {
  for (std::string_view text : {"",
                                " ",
                                "{",
                                "}",
                                "[",
                                "]",
                                "{]",
                                "[}",
                                "{\"a\"}",
                                "{\"a\":}",
                                "{\"a\":1,}",
                                "{,}",
                                "[,]",
                                "[1,]",
                                "[1 2]",
                                "[1,,2]",
                                "{\"a\" 1}",
                                "{\"a\":1 \"b\":2}",
                                "{a:1}",
                                "{'a':1}",
                                "{1:1}",
                                "{\"a\":1}}",
                                "{\"a\":1} x",
                                "{} {}",
                                "[1]]",
                                "\"a\" \"b\"",
                                "\"open",
                                "\"open\\\"",
                                "[\"a]",
                                "tru",
                                "truee",
                                "[true false]",
                                "nul",
                                "nullx",
                                "fals",
                                "True",
                                "NaN",
                                "Infinity",
                                "undefined",
                                "01",
                                "-",
                                "-01",
                                "1.",
                                ".5",
                                "1e",
                                "1e+",
                                "+1",
                                "0x1",
                                "1_0",
                                "--1",
                                "1.5.5",
                                "1ee5",
                                "\"\\x\"",
                                "\"\\u12\"",
                                "\"\\u12G4\"",
                                "\"\\ud800\"",
                                "\"\\ud800\\u0041\"",
                                "\"\\udc00\"",
                                "\"a\nb\"",
                                "\"a\tb\"",
                                "// comment\n{}",
                                "{\"a\":1/**/}",
                                "\xEF\xBB\xBF{}",
                                "[\"a\"b]",
                                "\"a\"b",
                                "[1\"a\"]"}) {
    EXPECT_FALSE(accepts(text)) << text;
  }
  using namespace std::string_view_literals;
  EXPECT_FALSE(accepts("{\0}"sv));
  EXPECT_FALSE(accepts("{}\0"sv));
  EXPECT_FALSE(accepts("\"\0\""sv));
}

TEST(JsonReader, refuses_what_is_not_utf8) {
  for (std::string_view text :
       {"[\"\xFF\"]", "[\"\xC3\"]", "[\"\xC0\xAF\"]", "[\"\xED\xA0\x80\"]",
        "[\"\xF4\x90\x80\x80\"]", "[\"\xE2\x82\"]", "\xFF", "{\"\x80\":1}"}) {
    EXPECT_FALSE(accepts(text)) << text;
  }
  EXPECT_TRUE(accepts("[\"\xF4\x8F\xBF\xBF\"]"));
}

TEST(JsonReader, accepts_every_kind_of_document) {
  for (std::string_view text : {"{}", "[]", "\"\"", "0", "-0", "-0.0e-10", "1E5", "true", "false",
                                "null", "[[],{},\"\",0,null]", " [ ] ", "{\"a\":{\"a\":{}}}"}) {
    EXPECT_TRUE(accepts(text)) << text;
  }
}

TEST(JsonReader, bounds_nesting) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(accepts(nested(kJsonDepthMax)));
  EXPECT_FALSE(accepts(nested(kJsonDepthMax + 1)));
  EXPECT_FALSE(accepts(nested(100'000)));
  EXPECT_FALSE(accepts(std::string(1'000'000, '[')));
  EXPECT_FALSE(accepts(std::string(1'000'000, '{')));
}

TEST(JsonReader, stays_failed_and_keeps_the_first_reason) {
  const PaddedBody body("{\"a\":1,\"b\":2}");
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  json.open(body.view());
  json.enter_object();
  std::string_view name;
  ASSERT_TRUE(json.next_member(name));
  json.fail("first");
  json.fail("second");
  EXPECT_FALSE(json.next_member(name));
  EXPECT_FALSE(json.next_element());
  EXPECT_EQ(json.kind(), JsonKind::Malformed);
  EXPECT_EQ(json.read_string(), "");
  json.skip_value();
  const Result<void> result = json.finish();
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code(), ErrorCode::Serialization);
  EXPECT_EQ(result.error().message(), "first");
}

TEST(JsonReader, two_readers_of_one_thread_do_not_disturb_each_other) {
  const PaddedBody outer_body("[1,[2],3]");
  const PaddedBody inner_body("{\"x\":\"y\"}");
  std::pmr::monotonic_buffer_resource memory;
  JsonReader outer(&memory);
  outer.open(outer_body.view());
  outer.enter_array();
  ASSERT_TRUE(outer.next_element());
  EXPECT_EQ(outer.read_number(), "1");
  {
    JsonReader inner(&memory);
    inner.open(inner_body.view());
    inner.skip_value();
    EXPECT_TRUE(inner.finish().has_value());
  }
  ASSERT_TRUE(outer.next_element());
  outer.skip_value();
  ASSERT_TRUE(outer.next_element());
  EXPECT_EQ(outer.read_number(), "3");
  EXPECT_FALSE(outer.next_element());
  EXPECT_TRUE(outer.finish().has_value());
}

// Random documents, most of them slightly broken: simdjson's own parser must agree on which are
// JSON.
TEST(JsonReader, agrees_with_simdjson_on_mutated_documents) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string original =
      R"({"TableName":"t","Item":{"a":{"S":"x\n\u00e9"},"b" : {"N":"1.5"},"c":{"L":[{"BOOL":true},)"
      R"({"NULL":null},{"SS":["a","b"]}]}},"Limit":-10.5e+2,"X":[[],{},false]})";
  const std::string alphabet = "{}[]:,\"\\ \n019.eE+-truefalsnu/x\x01\x7F\xC3\xA9\xFF";
  simdjson::dom::parser oracle;
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = original;
    for (std::size_t changes = random() % 4; changes != 0; --changes) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 3);
          break;
        default:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
      }
      if (text.empty()) text = "1";
    }
    const auto expected = oracle.parse(text).error();
    if (expected == simdjson::NUMBER_ERROR) continue;  // it also refuses numbers out of range
    ASSERT_EQ(accepts(text), expected == simdjson::SUCCESS) << text << "\n" << expected;
    accepted += expected == simdjson::SUCCESS;
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace partita
