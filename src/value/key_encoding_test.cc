#include "value/key_encoding.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "value/random_values.h"

namespace partita {
namespace {

using namespace std::string_literals;

using Tuple = std::vector<Value>;

std::string encoded(const Tuple& tuple) {
  std::string key;
  for (const Value& component : tuple) append_key_component(component, key);
  return key;
}

TEST(KeyEncoding, components_have_these_bytes) {
  EXPECT_EQ(encoded({Value::string("ab")}),
            "\x21"
            "ab\0\x01"s);
  EXPECT_EQ(encoded({Value::string("")}), "\x21\0\x01"s);
  EXPECT_EQ(encoded({Value::string("a\0b"s)}),
            "\x21"
            "a\0\xFF"
            "b\0\x01"s);
  EXPECT_EQ(encoded({Value::binary("\0\xFF"s)}), "\x22\0\xFF\xFF\0\x01"s);
  EXPECT_EQ(encoded({Value::number(0)}), "\x12");
  EXPECT_EQ(encoded({Value::number(-42)}), "\x11\x7C\xD4\xFF");
  EXPECT_EQ(encoded({Value::number(1), Value::string("x")}),
            "\x13\x82\x0B\0\x21"
            "x\0\x01"s);
}

// The first two are XXH3's published values; all of them decide where rows are.
TEST(KeyEncoding, the_partition_hash_of_these_keys_is_this) {
  EXPECT_EQ(partition_hash(""), 0x2D06800538D394C2u);
  EXPECT_EQ(partition_hash("abc"), 0x78AF5F94892F3950u);
  EXPECT_EQ(partition_hash(encoded({Value::string("user#1")})), 1719290073165264230u);
  EXPECT_EQ(partition_hash(encoded({Value::number(42)})), 10132096594516753229u);
  EXPECT_EQ(partition_hash(std::string(300, 'x')), 11948529612910769492u);
}

TEST(KeyEncoding, bytes_that_are_no_key_cannot_be_read) {
  for (const std::string& bytes : {""s, "\0"s, "\x10"s, "\x20\0\x01"s, "\x23\0\x01"s, "\x21"s,
                                   "\x21"
                                   "abc"s,
                                   "\x21"
                                   "a\0"s,
                                   "\x21"
                                   "a\0\xFF"s,
                                   "\x21"
                                   "a\0\x02"s,
                                   "\x13\x82"s, "\x13\x82\x01\0"s}) {
    Bytes key = bytes;
    EXPECT_FALSE(read_key_component(key));
    EXPECT_EQ(key, bytes);  // unmoved
  }
}

TEST(KeyEncoding, after_prefix_is_the_first_string_beyond_all_with_the_prefix) {
  EXPECT_EQ(after_prefix("ab"), "ac");
  EXPECT_EQ(after_prefix("a\xFF"), "b");
  EXPECT_EQ(after_prefix("a\x7F"), "a\x80");
  EXPECT_EQ(after_prefix("\xFF\xFF"), "");
  EXPECT_EQ(after_prefix(""), "");
}

// ---- Properties over random tuples

enum class Order { Less, Equal, Greater };

Order order_of(int comparison) {
  return comparison < 0 ? Order::Less : comparison > 0 ? Order::Greater : Order::Equal;
}

// DynamoDB's order of two values of one type, without the key encoding: numbers by value (integers
// here), the others by unsigned bytes.
int compare_components(const Value& left, const Value& right) {
  if (left.view().is(ValueType::N)) {
    const long long a = std::stoll(left.view().number()), b = std::stoll(right.view().number());
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const auto bytes = [](ValueView value) {
    const Bytes text = value.is(ValueType::S) ? value.string() : value.binary();
    return std::vector<unsigned char>(text.begin(), text.end());
  };
  const auto a = bytes(left), b = bytes(right);
  return a < b ? -1 : b < a ? 1 : 0;
}

class TupleSource {
 public:
  explicit TupleSource(unsigned seed) : documents_(seed) {}

  std::vector<ValueType> schema() {
    std::vector<ValueType> types(1 + documents_.below(4));
    for (ValueType& type : types) type = static_cast<ValueType>(documents_.below(3));  // S, N, B
    return types;
  }
  Value component(ValueType type) {
    if (type == ValueType::S) return Value::string(documents_.utf8());
    if (type == ValueType::B) return Value::binary(documents_.bytes());
    const std::int64_t spread[] = {3, 200, 1'000'000'000'000};
    const std::int64_t bound = spread[documents_.below(3)];
    return Value::number(static_cast<std::int64_t>(documents_.below(2 * std::size_t(bound))) -
                         bound);
  }
  Tuple tuple(const std::vector<ValueType>& types) {
    Tuple tuple;
    for (ValueType type : types) tuple.push_back(component(type));
    return tuple;
  }
  std::size_t below(std::size_t bound) { return documents_.below(bound); }

 private:
  testing::DocumentSource documents_;
};

class KeyProperties : public ::testing::Test {
 protected:
  const unsigned seed_ = std::random_device{}();
  ::testing::ScopedTrace trace_{__FILE__, __LINE__, seed_};
  TupleSource source_{seed_};
};

TEST_F(KeyProperties, byte_order_is_tuple_order) {
  for (int round = 0; round < 20'000; ++round) {
    const std::vector<ValueType> types = source_.schema();
    const Tuple left = source_.tuple(types);
    Tuple right = source_.tuple(types);
    for (std::size_t i = 0; i < source_.below(types.size()); ++i) right[i] = left[i];
    int expected = 0;
    for (std::size_t i = 0; i < types.size() && expected == 0; ++i) {
      expected = compare_components(left[i], right[i]);
    }
    ASSERT_EQ(order_of(encoded(left).compare(encoded(right))), order_of(expected));
  }
}

TEST_F(KeyProperties, a_key_reads_back_as_its_tuple) {
  for (int round = 0; round < 5000; ++round) {
    const Tuple tuple = source_.tuple(source_.schema());
    const std::string bytes = encoded(tuple);
    Bytes key = bytes;
    for (const Value& component : tuple) {
      const Result<Value> read = read_key_component(key);
      ASSERT_TRUE(read);
      ASSERT_EQ(*read, component);
    }
    ASSERT_TRUE(key.empty());
  }
}

TEST_F(KeyProperties, no_key_is_a_proper_prefix_of_another_of_its_schema) {
  for (int round = 0; round < 20'000; ++round) {
    const std::vector<ValueType> types = source_.schema();
    const std::string left = encoded(source_.tuple(types)), right = encoded(source_.tuple(types));
    ASSERT_TRUE(left == right || !(left.starts_with(right) || right.starts_with(left)));
  }
}

TEST_F(KeyProperties, begins_with_is_exactly_a_byte_range) {
  int within = 0;
  for (int round = 0; round < 20'000; ++round) {
    const ValueType type = source_.below(2) == 0 ? ValueType::S : ValueType::B;
    const auto text = [type](const Value& value) {
      return type == ValueType::S ? value.view().string() : value.view().binary();
    };
    const Tuple head = source_.tuple(source_.schema());
    const Value wanted = source_.component(type), candidate = source_.component(type);
    std::string lower = encoded(head);
    append_key_prefix(wanted, lower);
    const std::string upper = after_prefix(lower);
    std::string key = encoded(head);
    append_key_component(candidate, key);
    append_key_component(Value::number(5), key);  // what follows does not matter
    const bool begins = text(candidate).starts_with(text(wanted));
    within += begins;
    ASSERT_EQ(key >= lower && key < upper, begins);
  }
  EXPECT_GT(within, 1000);
}

}  // namespace
}  // namespace partita
