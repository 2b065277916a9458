#include "partita/model/key_template.h"

#include <chrono>
#include <random>

#include <gtest/gtest.h>

#include "partita/model/entity.h"

namespace partita::model {
namespace {

using Moment = std::chrono::sys_time<std::chrono::milliseconds>;
enum class Color { red, green };

struct Thing {
  std::string name{};
  std::string other{};
  std::int64_t number = 0;
  std::uint32_t natural = 0;
  std::optional<std::string> maybe{};
  Color color{};
  bool flag = false;
  Moment at{};
  std::chrono::sys_days date{};
};

template <FixedString Template>
std::string key_of(const Thing& thing) {
  KeyText text;
  const KeyProblem problem = write_key(detail::bound_template<Thing, Template>, &thing, text);
  if (problem != KeyProblem::None) return "!" + std::to_string(static_cast<int>(problem));
  return std::string(text.view());
}
template <FixedString Template>
KeyProblem problem_of(const Thing& thing) {
  KeyText text;
  return write_key(detail::bound_template<Thing, Template>, &thing, text);
}

TEST(KeyTemplate, members_are_written_as_their_format_says) {
  Thing thing{.name = "Ada", .number = 42, .natural = 7, .color = Color::green, .flag = true};
  thing.at = Moment(std::chrono::milliseconds(1717243200123));  // 2024-06-01T12:00:00.123Z
  thing.date = std::chrono::year(2024) / 6 / 1;
  EXPECT_EQ(key_of<"USER#{name}">(thing), "USER#Ada");
  EXPECT_EQ(key_of<"{name|lower}/{name|upper}">(thing), "ada/ADA");
  EXPECT_EQ(key_of<"{number}#{number:06}#{natural:03}">(thing), "42#000042#007");
  EXPECT_EQ(key_of<"{number:06|rev}">(thing), "999957");
  EXPECT_EQ(key_of<"{color}#{flag}">(thing), "green#true");
  EXPECT_EQ(key_of<"{at}">(thing), "2024-06-01T12:00:00.123Z");
  EXPECT_EQ(key_of<"{at:year}#{at:month}#{at:day}#{at:hour}#{at:minute}">(thing),
            "2024#2024-06#2024-06-01#2024-06-01T12#2024-06-01T12:00");
  EXPECT_EQ(key_of<"{date}">(thing), "2024-06-01");
  EXPECT_EQ(key_of<"FIXED">(thing), "FIXED");
}

TEST(KeyTemplate, a_bucket_is_chosen_by_a_hash_that_never_changes) {
  EXPECT_EQ(key_of<"S#{name|shard:10}">({.name = "Ada"}), "S#2");
  EXPECT_EQ(key_of<"S#{name|shard:16}">({.name = "Ada"}), "S#06");
  EXPECT_EQ(key_of<"S#{number|shard:100}">({.number = 42}), "S#83");
  std::vector<int> counts(16);
  for (int i = 0; i < 16000; ++i) {
    ++counts[static_cast<std::size_t>(
        std::stoi(key_of<"{name|shard:16}">({.name = "user" + std::to_string(i)})))];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(KeyTemplate, separators_in_values_cannot_forge_another_key) {
  EXPECT_EQ(key_of<"A#{name}#{other}">({.name = "x#y", .other = "z"}), "A#x%23y#z");
  EXPECT_EQ(key_of<"A#{name}#{other}">({.name = "x", .other = "y#z"}), "A#x#y%23z");
  EXPECT_EQ(key_of<"A#{name}#{other}">({.name = "x%23y", .other = "z"}), "A#x%2523y#z");
  EXPECT_EQ(key_of<"{name}/{other}">({.name = "a/b", .other = "c"}), "a%2Fb/c");
  EXPECT_EQ(key_of<"{name}|{other}">({.name = "a|b", .other = "c d"}), "a%7Cb|c d");
}

TEST(KeyTemplate, what_has_no_place_in_a_key_is_refused) {
  EXPECT_EQ(problem_of<"{maybe}">({}), KeyProblem::Absent);
  EXPECT_EQ(problem_of<"{name}">({}), KeyProblem::Empty);
  EXPECT_EQ(problem_of<"{number:04}">({.number = -1}), KeyProblem::Negative);
  EXPECT_EQ(problem_of<"{number:04}">({.number = 10000}), KeyProblem::TooManyDigits);
  EXPECT_EQ(problem_of<"{at}">({.at = Moment(std::chrono::hours(24 * 366 * 9000))}),
            KeyProblem::BadTime);
}

TEST(KeyTemplate, keys_longer_than_the_inline_room_are_whole) {
  const std::string name(3000, 'x');
  EXPECT_EQ(key_of<"A#{name}">({.name = name}), "A#" + name);
}

// ---- The order of keys is the order of members

class KeyOrder : public testing::Test {
 protected:
  std::mt19937_64 random{20240601};

  template <typename Compare, typename Key, typename Make>
  void check(Make make, Key key, Compare less) {
    for (int i = 0; i < 20000; ++i) {
      const Thing left = make(), right = make();
      const std::string a = key(left), b = key(right);
      ASSERT_FALSE(a.starts_with("!")) << a;
      ASSERT_EQ(less(left, right), a < b) << a << " and " << b;
    }
  }
  std::string word() {  // what people write: letters of any script, digits, '-' and '_'
    static const std::string letters[] = {"a", "b", "z", "A", "9", "-", "_", "é", "水", "~"};
    std::string made;
    const std::size_t length = 1 + random() % 5;
    for (std::size_t i = 0; i < length; ++i) made += letters[random() % std::size(letters)];
    return made;
  }
  std::int64_t signed_number() {
    const auto magnitude = static_cast<std::int64_t>(random() % (random() % 2 ? 10 : 100000000));
    return random() % 2 ? magnitude : -magnitude;
  }
};

TEST_F(KeyOrder, padded_numbers) {
  check([&] { return Thing{.number = static_cast<std::int64_t>(random() % 100000000)}; },
        [](const Thing& t) { return key_of<"N#{number:08}">(t); },
        [](const Thing& a, const Thing& b) { return a.number < b.number; });
  check([&] { return Thing{.number = signed_number()}; },
        [](const Thing& t) { return key_of<"N#{number:+08}">(t); },
        [](const Thing& a, const Thing& b) { return a.number < b.number; });
}

TEST_F(KeyOrder, reversed_numbers) {
  check([&] { return Thing{.number = signed_number()}; },
        [](const Thing& t) { return key_of<"N#{number:+08|rev}">(t); },
        [](const Thing& a, const Thing& b) { return a.number > b.number; });
  check([&] { return Thing{.number = static_cast<std::int64_t>(random() % 1000)}; },
        [](const Thing& t) { return key_of<"{number:03|rev}">(t); },
        [](const Thing& a, const Thing& b) { return a.number > b.number; });
}

TEST_F(KeyOrder, times) {
  const auto make = [&] {
    const auto range = static_cast<std::int64_t>(random() % 8000000000000);
    return Thing{.at = Moment(std::chrono::milliseconds(range - 2000000000000))};
  };
  check(
      make, [](const Thing& t) { return key_of<"T#{at}">(t); },
      [](const Thing& a, const Thing& b) { return a.at < b.at; });
  check(
      make, [](const Thing& t) { return key_of<"T#{at|rev}">(t); },
      [](const Thing& a, const Thing& b) { return a.at > b.at; });
}

TEST_F(KeyOrder, several_members) {
  check(
      [&] {
        return Thing{
            .name = word(), .other = word(), .number = static_cast<std::int64_t>(random() % 20)};
      },
      [](const Thing& t) { return key_of<"{name}#{number:04}#{other}">(t); },
      [](const Thing& a, const Thing& b) {
        return std::tie(a.name, a.number, a.other) < std::tie(b.name, b.number, b.other);
      });
}

TEST_F(KeyOrder, different_members_make_different_keys) {
  const std::string bytes = "#%/|a";
  const auto nasty = [&] {
    std::string made;
    for (std::size_t i = 0, length = 1 + random() % 4; i < length; ++i) {
      made += bytes[random() % bytes.size()];
    }
    return made;
  };
  for (int i = 0; i < 50000; ++i) {
    const Thing left{.name = nasty(), .other = nasty()}, right{.name = nasty(), .other = nasty()};
    const bool same = left.name == right.name && left.other == right.other;
    ASSERT_EQ(key_of<"{name}#{other}">(left) == key_of<"{name}#{other}">(right), same)
        << left.name << " " << left.other << " / " << right.name << " " << right.other;
    ASSERT_EQ(key_of<"{name}/X/{other}">(left) == key_of<"{name}/X/{other}">(right), same);
  }
}

}  // namespace
}  // namespace partita::model
