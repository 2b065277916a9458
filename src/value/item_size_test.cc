#include "value/item_size.h"

#include <array>

#include <gtest/gtest.h>

#include "value/item_encoding.h"
#include "value/random_values.h"

namespace partita {
namespace {

using namespace std::string_literals;

// The figures are those of the developer guide and of measurements against DynamoDB.
TEST(ItemSize, of_scalars) {
  EXPECT_EQ(value_size_bytes(Value::string("")), 0u);
  EXPECT_EQ(value_size_bytes(Value::string("h\xC3\xA4")), 3u);
  EXPECT_EQ(value_size_bytes(Value::binary("\0\0\0"s)), 3u);
  EXPECT_EQ(value_size_bytes(Value::boolean(true)), 1u);
  EXPECT_EQ(value_size_bytes(Value::boolean(false)), 1u);
  EXPECT_EQ(value_size_bytes(Value::null()), 1u);
  EXPECT_EQ(value_size_bytes(Value::number(0)), 1u);
  EXPECT_EQ(value_size_bytes(Value::number(-42)), 3u);
}

TEST(ItemSize, of_containers) {
  EXPECT_EQ(value_size_bytes(Value::list({})), 3u);
  EXPECT_EQ(value_size_bytes(Value::map({})), 3u);
  EXPECT_EQ(value_size_bytes(Value::list({Value::string("ab"), Value::null()})), 3u + 3u + 2u);
  EXPECT_EQ(value_size_bytes(Value::map({{"key", Value::string("ab")}})), 3u + 1u + 3u + 2u);
  EXPECT_EQ(value_size_bytes(Value::list({Value::list({})})), 3u + 1u + 3u);
}

TEST(ItemSize, of_sets_is_that_of_their_members) {
  const std::array<std::string_view, 2> strings = {"a", "bc"};
  const std::array<std::string_view, 3> numbers = {"1", "-42", "0"};
  EXPECT_EQ(value_size_bytes(*Value::string_set(strings)), 3u);
  EXPECT_EQ(value_size_bytes(*Value::binary_set(strings)), 3u);
  EXPECT_EQ(value_size_bytes(*Value::number_set(numbers)), 2u + 3u + 1u);
}

TEST(ItemSize, of_an_item_counts_names_and_values_and_nothing_else) {
  EXPECT_EQ(ItemView().size_bytes(), 0u);
  const Item item{{"pk", Value::string("abc")}, {"n", Value::number(42)}, {"l", Value::list({})}};
  EXPECT_EQ(item.view().size_bytes(), 2u + 3u + 1u + 2u + 1u + 3u);
}

// What DynamoDB's rules say of a document, computed without the encoding.
std::size_t document_size(const testing::Document& document) {
  const auto number_size = [](const std::string& text) {
    std::string before = text.substr(text.starts_with('-') ? 1 : 0), after;
    if (const std::size_t point = before.find('.'); point != std::string::npos) {
      after = before.substr(point + 1);
      before.resize(point);
    }
    const auto trim_front = [](std::string& digits) {
      digits.erase(0, digits.find_first_not_of('0'));
    };
    trim_front(before);
    if (before.empty()) trim_front(after);
    if (after.empty()) before.erase(before.find_last_not_of('0') + 1);
    return 1 + (before.size() + 1) / 2 + (after.size() + 1) / 2 + (text.starts_with('-') ? 1 : 0);
  };
  std::size_t size = 0;
  switch (document.type) {
    case ValueType::N:
      return number_size(document.scalar);
    case ValueType::BOOL:
    case ValueType::NULL_:
      return 1;
    case ValueType::M:
      size = 3;
      for (const auto& [name, value] : document.attributes) {
        size += 1 + name.size() + document_size(value);
      }
      return size;
    case ValueType::L:
      size = 3;
      for (const testing::Document& element : document.elements) size += 1 + document_size(element);
      return size;
    case ValueType::NS:
      for (const std::string& member : document.members) size += number_size(member);
      return size;
    case ValueType::SS:
    case ValueType::BS:
      for (const std::string& member : document.members) size += member.size();
      return size;
    default:
      return document.scalar.size();
  }
}

TEST(ItemSize, agrees_with_the_rules_for_random_values) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  testing::DocumentSource source(seed);
  ItemWriter writer;
  for (int round = 0; round < 5000; ++round) {
    const testing::Document document = source.item();
    writer.clear();
    source.write_item(document, writer);
    // An item is a map without the map's own three bytes and one per entry.
    ASSERT_EQ(writer.item().size_bytes(), document_size(document) - 3 - document.attributes.size());
    ASSERT_EQ(attributes_size_bytes(writer.item().attributes()), writer.item().size_bytes());
  }
}

}  // namespace
}  // namespace partita
