#include "value/item_encoding.h"

#include <gtest/gtest.h>

#include "value/item_size.h"
#include "value/random_values.h"

namespace partita {
namespace {

using namespace std::string_literals;

template <typename Write>
std::string written(Write write) {
  ItemWriter writer;
  write(writer);
  return std::string(writer.bytes());
}

// ---- Golden bytes: what is stored today must be readable for ever.

TEST(ItemEncoding, scalars_have_these_bytes) {
  EXPECT_EQ(written([](ItemWriter& w) { w.string("ab"); }),
            "\x01\x02"s
            "ab");
  EXPECT_EQ(written([](ItemWriter& w) { w.string(""); }), "\x01\0"s);
  EXPECT_EQ(written([](ItemWriter& w) { w.string(std::string(200, 'x')); }),
            "\x01\xC8\x01" + std::string(200, 'x'));
  EXPECT_EQ(written([](ItemWriter& w) { w.number("42").value(); }), "\x02\x04\x13\x83\x2B\0"s);
  EXPECT_EQ(written([](ItemWriter& w) { w.binary("\0\xFF"s); }), "\x03\x02\0\xFF"s);
  EXPECT_EQ(written([](ItemWriter& w) { w.boolean(false); }), "\x04");
  EXPECT_EQ(written([](ItemWriter& w) { w.boolean(true); }), "\x05");
  EXPECT_EQ(written([](ItemWriter& w) { w.null(); }), "\x06");
}

TEST(ItemEncoding, containers_have_these_bytes) {
  EXPECT_EQ(written([](ItemWriter& w) {
              w.begin_map().value();
              w.name("b");
              w.null();
              w.name("a");
              w.boolean(true);
              w.end_map();
            }),
            "\x07\x06\0\0\0\x02\0\0\0\x01"s
            "a\x05\x01"
            "b\x06");
  EXPECT_EQ(written([](ItemWriter& w) {
              w.begin_list().value();
              w.null();
              w.string("x");
              w.end_list();
            }),
            "\x08\x04\0\0\0\x02\0\0\0\x06\x01\x01"s
            "x");
  EXPECT_EQ(written([](ItemWriter& w) {
              w.begin_list().value();
              w.end_list();
            }),
            "\x08\0\0\0\0\0\0\0\0"s);
}

TEST(ItemEncoding, sets_have_these_bytes) {
  EXPECT_EQ(written([](ItemWriter& w) {
              w.begin_set(ValueType::SS);
              w.string_member("b");
              w.string_member("");
              w.string_member("ab");
              w.end_set().value();
            }),
            "\x09\x06\0\0\0\x03\0\0\0\0\x02"s
            "ab\x01"
            "b");
  EXPECT_EQ(written([](ItemWriter& w) {
              w.begin_set(ValueType::NS);
              w.number_member("10").value();
              w.number_member("-1").value();
              w.number_member("9").value();
              w.end_set().value();
            }),
            "\x0A\x0F\0\0\0\x03\0\0\0\x04\x11\x7D\xF4\xFF\x04\x13\x82\x5B\0\x04\x13\x83\x0B\0"s);
  EXPECT_EQ(written([](ItemWriter& w) {
              w.begin_set(ValueType::BS);
              w.binary_member("\xFF");
              w.binary_member("\0"s);
              w.end_set().value();
            }),
            "\x0B\x04\0\0\0\x02\0\0\0\x01\0\x01\xFF"s);
}

TEST(ItemEncoding, an_item_has_these_bytes) {
  const std::string bytes = written([](ItemWriter& w) {
    w.begin_item();
    w.name("sk");
    w.number("7").value();
    w.name("pk");
    w.string("user");
    w.end_item();
  });
  EXPECT_EQ(bytes,
            "\x01\x0A\0\0\0\x02\0\0\0\x02"s
            "pk\x01\x04"
            "user\x02"
            "sk\x02\x04\x13\x82\x47\0"s);
  EXPECT_EQ(written([](ItemWriter& w) {
              w.begin_item();
              w.end_item();
            }),
            std::string(ItemView().bytes()));
}

// ---- Writing

TEST(ItemWriter, a_name_given_twice_keeps_its_last_value) {
  ItemWriter writer;
  writer.begin_item();
  for (const char* value : {"first", "second", "third value"}) {
    writer.name("b");
    writer.string(value);
    writer.name("a");
    writer.begin_map().value();
    for (const char* inner : {"x", "y"}) {
      writer.name("n");
      writer.string(inner);
    }
    writer.end_map();
  }
  writer.end_item();
  const Item expected{{"a", Value::map({{"n", Value::string("y")}})},
                      {"b", Value::string("third value")}};
  EXPECT_EQ(writer.item(), expected.view());
  EXPECT_EQ(writer.item().size_bytes(), attributes_size_bytes(expected.view().attributes()));
}

TEST(ItemWriter, is_as_new_after_clear_even_after_an_error) {
  ItemWriter writer;
  writer.begin_item();
  writer.name("s");
  writer.begin_set(ValueType::SS);
  EXPECT_FALSE(writer.end_set());
  writer.clear();
  writer.begin_item();
  writer.name("a");
  writer.null();
  writer.end_item();
  EXPECT_EQ(writer.item(), (Item{{"a", Value::null()}}).view());
}

TEST(ItemWriter, allocates_nothing_while_its_buffers_have_room) {
  std::array<std::byte, 1 << 16> room;
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size(),
                                             std::pmr::null_memory_resource());
  ItemWriter writer(&memory);
  for (int round = 0; round < 10'000; ++round) {  // would exhaust the room many times over
    writer.clear();
    writer.begin_item();
    for (const char* name : {"d", "b", "c", "a"}) {
      writer.name(name);
      writer.string("value");
    }
    writer.end_item();
  }
  EXPECT_EQ(writer.item().count(), 4u);
}

std::string set_error(ValueType type, std::initializer_list<std::string_view> members) {
  ItemWriter writer;
  writer.begin_set(type);
  for (std::string_view member : members) {
    if (type == ValueType::NS) {
      writer.number_member(member).value();
    } else if (type == ValueType::SS) {
      writer.string_member(member);
    } else {
      writer.binary_member(member);
    }
  }
  const Result<void> ended = writer.end_set();
  return ended ? "none" : ended.error().message();
}

TEST(ItemWriter, refuses_empty_sets_in_dynamodbs_words) {
  const std::string start = "One or more parameter values were invalid: ";
  EXPECT_EQ(set_error(ValueType::SS, {}), start + "An string set  may not be empty");
  EXPECT_EQ(set_error(ValueType::NS, {}), start + "An number set  may not be empty");
  EXPECT_EQ(set_error(ValueType::BS, {}), start + "Binary sets should not be empty");
}

TEST(ItemWriter, names_the_members_of_a_set_with_duplicates_as_they_were_given) {
  const std::string start = "One or more parameter values were invalid: Input collection ";
  EXPECT_EQ(set_error(ValueType::SS, {"b", "a", "b"}), start + "[b, a, b] contains duplicates.");
  EXPECT_EQ(set_error(ValueType::SS, {"", ""}), start + "[, ] contains duplicates.");
  EXPECT_EQ(set_error(ValueType::BS, {"b", "b"}),
            start + "[Yg==, Yg==]of type BS contains duplicates.");
  EXPECT_EQ(set_error(ValueType::NS, {"1", "2", "1.0"}), "Input collection contains duplicates");
  EXPECT_EQ(set_error(ValueType::SS, {"b", "a"}), "none");
}

TEST(ItemWriter, nests_31_levels_around_a_scalar_and_no_more) {
  for (const bool maps : {true, false}) {
    ItemWriter writer;
    writer.begin_item();
    writer.name("a");
    for (int level = 0; level < 31; ++level) {
      ASSERT_TRUE(maps ? writer.begin_map() : writer.begin_list());
      if (maps) writer.name("n");
    }
    const Result<void> deeper = maps ? writer.begin_map() : writer.begin_list();
    ASSERT_FALSE(deeper);
    EXPECT_EQ(deeper.error().message(),
              "Nesting Levels have exceeded supported limits: "
              "Attributes in the item have nested levels beyond supported limit");
    writer.begin_set(ValueType::SS);
    writer.string_member("leaf");
    ASSERT_TRUE(writer.end_set());
    for (int level = 0; level < 31; ++level) maps ? writer.end_map() : writer.end_list();
    writer.end_item();
    EXPECT_TRUE(check_item(writer.bytes()));
    EXPECT_EQ(nesting_levels(*writer.item().find("a")), 31u);
  }
}

TEST(ItemWriter, equal_items_have_equal_bytes_whatever_the_order) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  testing::DocumentSource source(seed);
  ItemWriter writer;
  std::map<std::string, std::string> bytes_by_text;
  for (int round = 0; round < 3000; ++round) {
    const testing::Document document = source.item();
    writer.clear();
    source.write_item(document, writer);
    const std::string bytes(writer.bytes());
    writer.clear();
    source.write_item(document, writer);
    ASSERT_EQ(bytes, writer.bytes());

    const Result<ItemView> checked = check_item(bytes);
    ASSERT_TRUE(checked);
    ASSERT_EQ(testing::document_of(*checked).text(), document.text());
    ASSERT_EQ(checked->size_bytes(), attributes_size_bytes(checked->attributes()));
    ASSERT_EQ(bytes_by_text.emplace(document.text(), bytes).first->second, bytes);
  }
  // And the other way round: different items have different bytes.
  std::map<std::string, std::string> text_by_bytes;
  for (const auto& [text, bytes] : bytes_by_text) {
    ASSERT_TRUE(text_by_bytes.emplace(bytes, text).second);
  }
}

TEST(AppendItem, gives_what_the_writer_gives) {
  const Item item{{"b", Value::number(1)}, {"a", Value::list({Value::string("x")})}};
  std::vector<Attribute> attributes;
  for (const Attribute& attribute : item.view()) attributes.push_back(attribute);
  std::string out = "before";
  append_item(attributes, out);
  EXPECT_EQ(out, "before" + std::string(item.view().bytes()));
}

}  // namespace
}  // namespace partita
