#include "formats/json_writer.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace partita {
namespace {

template <typename Write>
std::string written(Write write) {
  TextBuffer out;
  {
    JsonWriter json(out);
    write(json);
  }
  return std::string(out.view());
}

std::string string_json(std::string_view text) {
  return written([&](JsonWriter& json) { json.string(text); });
}

std::string printed(double number) {
  return written([&](JsonWriter& json) { json.number(number); });
}

TEST(JsonWriter, puts_commas_where_they_belong) {
  EXPECT_EQ(written([](JsonWriter& json) {
              json.begin_object();
              json.member("a");
              json.begin_array();
              json.element();
              json.integer(1);
              json.element();
              json.begin_object();
              json.end_object();
              json.element();
              json.begin_array();
              json.end_array();
              json.end_array();
              json.key("{");
              json.string("{");
              json.member("b");
              json.boolean(false);
              json.key("q\"");
              json.raw("null");
              json.end_object();
            }),
            R"({"a":[1,{},[]],"{":"{","b":false,"q\"":null})");
}

TEST(JsonWriter, appends_to_what_is_there) {
  TextBuffer out;
  out.append("HTTP");
  {
    JsonWriter json(out);
    json.begin_object();
    json.end_object();
  }
  EXPECT_EQ(out.view(), "HTTP{}");
}

TEST(JsonWriter, grows_with_its_text) {
  const std::string large(1'000'000, 'x');
  EXPECT_EQ(written([&](JsonWriter& json) {
              json.begin_array();
              for (int i = 0; i < 2000; ++i) {
                json.element();
                json.integer(i % 10);
              }
              json.element();
              json.string(large);
              json.end_array();
            }).size(),
            1 + 2000 * 2 - 1 + 1 + large.size() + 2 + 1);
}

TEST(JsonWriter, escapes_what_json_must) {
  EXPECT_EQ(string_json(""), R"("")");
  EXPECT_EQ(string_json("plain"), R"("plain")");
  EXPECT_EQ(string_json("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(string_json(std::string("\0\x01\x1F", 3)), R"("\u0000\u0001\u001f")");
  EXPECT_EQ(string_json("/\x7F é€😀"), "\"/\x7F é€😀\"");
}

// Every length that takes another way through the scan, with the byte to escape at every place.
TEST(JsonWriter, finds_an_escape_at_every_place_of_a_string) {
  for (std::size_t length = 1; length < 140; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (char byte : {'"', '\\', '\x1F', '\0'}) {
        std::string text(length, 'x');
        text[at] = byte;
        const std::string escape = byte == '"'    ? "\\\""
                                   : byte == '\\' ? "\\\\"
                                   : byte == '\0' ? "\\u0000"
                                                  : "\\u001f";
        const std::string expected =
            "\"" + std::string(at, 'x') + escape + std::string(length - at - 1, 'x') + "\"";
        ASSERT_EQ(string_json(text), expected) << length << " " << at;
      }
    }
    ASSERT_EQ(string_json(std::string(length, '\xC3')), "\"" + std::string(length, '\xC3') + "\"");
    ASSERT_EQ(string_json(std::string(length, ' ')), "\"" + std::string(length, ' ') + "\"");
  }
}

TEST(JsonWriter, writes_a_string_of_escapes_alone) {
  std::string expected = "\"";
  for (int i = 0; i < 5000; ++i) expected += "\\u0001";
  EXPECT_EQ(string_json(std::string(5000, '\x01')), expected + "\"");
}

TEST(JsonWriter, writes_base64) {
  const auto base64 = [](std::string_view bytes) {
    return written([&](JsonWriter& json) { json.base64(bytes); });
  };
  EXPECT_EQ(base64(""), R"("")");
  EXPECT_EQ(base64("a"), R"("YQ==")");
  EXPECT_EQ(base64("\xFF\xFE\xFD"), R"("//79")");
}

TEST(JsonWriter, writes_integers) {
  const auto integer = [](std::int64_t number) {
    return written([&](JsonWriter& json) { json.integer(number); });
  };
  EXPECT_EQ(integer(0), "0");
  EXPECT_EQ(integer(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(integer(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
}

TEST(JsonWriter, writes_numbers_as_java_does) {
  EXPECT_EQ(printed(0), "0.0");
  EXPECT_EQ(printed(0.5), "0.5");
  EXPECT_EQ(printed(1), "1.0");
  EXPECT_EQ(printed(-2.25), "-2.25");
  EXPECT_EQ(printed(100), "100.0");
  EXPECT_EQ(printed(0.001), "0.001");
  EXPECT_EQ(printed(0.0001), "1.0E-4");
  EXPECT_EQ(printed(9999999), "9999999.0");
  EXPECT_EQ(printed(10000000), "1.0E7");
  EXPECT_EQ(printed(1.7e9), "1.7E9");
  EXPECT_EQ(printed(1363729002.358), "1.363729002358E9");
  EXPECT_EQ(printed(1e300), "1.0E300");
}

}  // namespace
}  // namespace partita
