#include "partita/model/codec.h"

#include <chrono>

#include <gtest/gtest.h>

#include "partita/model/ids.h"
#include "partita/model/model.h"

namespace partita::model {
namespace {

enum class Level { low, high = 7 };
enum class Far { near = 100, far = 200 };

}  // namespace
template <>
inline constexpr auto enum_names<Far> =
    std::array{EnumName<Far>{Far::near, "close by"}, EnumName<Far>{Far::far, "far away"}};
namespace {

struct Inner {
  std::string text{};
  std::optional<std::int32_t> count{};
  friend bool operator==(const Inner&, const Inner&) = default;
};
struct Everything {
  std::string id{};
  std::string text{};
  std::int8_t tiny = 0;
  std::int64_t wide = 0;
  std::uint64_t natural = 0;
  double real = 0;
  Decimal exact{};
  Binary bytes{};
  bool flag = false;
  Level level{};
  Far distance = Far::near;
  std::optional<std::string> maybe{};
  std::vector<Inner> list{};
  std::map<std::string, std::vector<double>> map{};
  std::set<std::string> texts{};
  std::set<std::int64_t> numbers{};
  std::set<Level> levels{};
  std::set<Binary> blobs{};
  Inner inner{};
  std::optional<Inner> maybe_inner{};
  std::chrono::sys_seconds second{};
  std::chrono::sys_time<std::chrono::nanoseconds> nanosecond{};
  std::chrono::sys_days day{};
  friend bool operator==(const Everything&, const Everything&) = default;
};

inline constexpr auto things = define_table<"Things">(key<"PK">);
inline constexpr auto everything = define_entity<Everything, "everything">(things, key<"E#{id}">);

Everything sample() {
  Everything e;
  e.id = "1";
  e.text = "Grüße";
  e.tiny = -128;
  e.wide = std::numeric_limits<std::int64_t>::min();
  e.natural = std::numeric_limits<std::uint64_t>::max();
  e.real = -0.1;
  e.exact = Decimal::parse("12345678901234567890.123456789").value();
  e.bytes = {std::byte{0}, std::byte{255}};
  e.flag = true;
  e.level = Level::high;
  e.distance = Far::far;
  e.maybe = "";
  e.list = {{"a", 1}, {"b", {}}};
  e.map = {{"x", {1.5, 2}}, {"y", {}}};
  e.texts = {"b", "a"};
  e.numbers = {3, -1};
  e.levels = {Level::low, Level::high};
  e.blobs = {{std::byte{1}}};
  e.inner = {"deep", 5};
  e.maybe_inner = Inner{"deeper", {}};
  e.second = std::chrono::sys_seconds(std::chrono::seconds(-1));
  e.nanosecond += std::chrono::nanoseconds(1717243200123456789);
  e.day = std::chrono::year(2024) / 2 / 29;
  return e;
}

TEST(Codec, every_type_comes_back_as_it_was) {
  for (const Everything& object : {sample(), Everything{.id = "empty"}}) {
    const auto item = everything.encode(object);
    ASSERT_TRUE(item) << item.error().message();
    const auto back = everything.decode(*item);
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(back->value(), object);
  }
}

TEST(Codec, stored_forms_are_ordinary) {
  const Item item = everything.encode(sample()).value();
  EXPECT_EQ(item.find("real")->number(), "-0.1");
  EXPECT_EQ(item.find("exact")->number(), "12345678901234567890.123456789");
  EXPECT_EQ(item.find("natural")->number(), "18446744073709551615");
  EXPECT_EQ(item.find("level")->string(), "high");
  EXPECT_EQ(item.find("distance")->string(), "far away");
  EXPECT_EQ(item.find("second")->string(), "1969-12-31T23:59:59Z");
  EXPECT_EQ(item.find("nanosecond")->string(), "2024-06-01T12:00:00.123456789Z");
  EXPECT_EQ(item.find("day")->string(), "2024-02-29");
  EXPECT_TRUE(item.find("texts")->is(ValueType::SS));
  EXPECT_TRUE(item.find("numbers")->is(ValueType::NS));
  EXPECT_TRUE(item.find("blobs")->is(ValueType::BS));
  EXPECT_TRUE(item.find("inner")->is(ValueType::M));
  const Item empty = everything.encode({.id = "e"}).value();
  EXPECT_FALSE(empty.find("maybe"));
  EXPECT_FALSE(empty.find("texts")) << "DynamoDB has no empty sets";
}

TEST(Codec, what_does_not_fit_is_an_error_that_names_the_attribute) {
  Item item = everything.encode(sample()).value();
  item.set("tiny", Value::number(128));
  auto decoded = everything.decode(item);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code(), EntityUnreadable);
  EXPECT_NE(decoded.error().message().find("'tiny'"), std::string::npos);
  item.set("tiny", Value::string("1"));
  EXPECT_FALSE(everything.decode(item));
  item.set("tiny", Value::number(1));
  item.set("wide", *Value::number("1.5"));
  EXPECT_FALSE(everything.decode(item));
  item.set("wide", *Value::number("1E3"));
  EXPECT_EQ(everything.decode(item)->value().wide, 1000);
  item.set("level", Value::string("middle"));
  EXPECT_FALSE(everything.decode(item));
}

TEST(Codec, items_of_others_and_unknown_attributes) {
  Item item = everything.encode(sample()).value();
  item.set("newer", Value::string("attribute"));
  EXPECT_EQ(everything.decode(item)->value(), sample());
  item.set("_type", Value::string("something"));
  EXPECT_EQ(*everything.decode(item), std::nullopt);
}

TEST(Codec, what_has_no_stored_form_is_refused) {
  Everything e = sample();
  e.real = std::numeric_limits<double>::infinity();
  EXPECT_EQ(everything.encode(e).error().code(), EntityInvalid);
  e = sample();
  e.level = static_cast<Level>(3);
  EXPECT_EQ(everything.encode(e).error().code(), EntityInvalid);
}

TEST(Codec, integers_of_every_size) {
  for (std::int64_t number :
       {0L, 1L, -1L, 10L, 99L, 100L, 101L, 999L, 1000L, 123456789L, -100000L}) {
    ItemSink sink;
    sink.integer(number);
    std::int64_t back = 7;
    EXPECT_TRUE(detail::read_integer(sink.value().ordered_number(), back));
    EXPECT_EQ(back, number);
  }
}

TEST(Codec, decimals_add_exactly) {
  const Decimal tenth = Decimal::parse("0.1").value();
  EXPECT_EQ(tenth.plus(Decimal::parse("0.2").value())->to_string(), "0.3");
  EXPECT_EQ(Decimal(5).minus(tenth)->to_string(), "4.9");
  EXPECT_LT(tenth, Decimal(1));
  EXPECT_EQ(Decimal().to_string(), "0");
}

// ---- An older schema

struct Animal {
  std::string id{};
  std::int64_t weight = 0;
  std::string diet = "plants";
};
inline constexpr auto animal =
    define_entity<Animal, "animal">(things, key<"A#{id}">, evolve<3>([](int from, RawItem& raw) {
                                      if (from < 2) raw.rename("mass", "weight");
                                      if (from < 3 && !raw.find("diet"))
                                        raw.set("diet", Value::string("meat"));
                                    }));

TEST(Codec, decimals_multiply_exactly) {
  const auto product = [](std::string_view left, std::string_view right) {
    const auto exact = Decimal::parse(left)->times(*Decimal::parse(right));
    return exact ? exact->to_string() : exact.error().message();
  };
  EXPECT_EQ(product("19.99", "3"), "59.97");
  EXPECT_EQ(product("-0.05", "0.2"), "-0.01");
  EXPECT_EQ(product("-5", "-1000"), "5000");
  EXPECT_EQ(product("0", "-7.5"), "0");
  EXPECT_EQ(product("9999999999999999999", "9999999999999999999"),
            "99999999999999999980000000000000000001");
  EXPECT_EQ(product("1E100", "1E-100"), "1");
  EXPECT_FALSE(Decimal::parse("1.0000000000000000001")->times("1.0000000000000000000001"_decimal))
      << "more than 38 digits";
  EXPECT_FALSE(Decimal::parse("1E100")->times(*Decimal::parse("1E100")));
  EXPECT_EQ("-12.50"_decimal.to_string(), "-12.5");
  EXPECT_EQ("00.05"_decimal, *Decimal::parse("0.05"));
}

TEST(Codec, items_of_an_older_schema_are_upgraded_when_read) {
  const Item old{
      {"PK", Value::string("A#1")}, {"id", Value::string("1")}, {"mass", Value::number(5)}};
  const auto upgraded = animal.decode(old);
  ASSERT_TRUE(upgraded) << upgraded.error().message();
  EXPECT_EQ(upgraded->value().weight, 5);
  EXPECT_EQ(upgraded->value().diet, "meat");
  const Item current = animal.encode(upgraded->value()).value();
  EXPECT_EQ(current.find("_schema")->number(), "3");
  Item second = current;
  second.set("_schema", Value::number(2));
  second.set("mass", Value::number(9));
  EXPECT_EQ(animal.decode(second)->value().weight, 5) << "only what is older than 2 has mass";
}

// ---- Members listed by hand

struct Listed {
  std::string id{};
  std::int64_t weight = 0;
};

}  // namespace
template <>
inline constexpr auto members<Listed> =
    member_list<&Listed::id, stored_as<&Listed::weight, "mass">>;
namespace {

inline constexpr auto listed = define_entity<Listed, "listed">(things, key<"L#{id}#{mass:03}">);

TEST(Codec, members_can_be_listed_and_stored_under_another_name) {
  const Item item = listed.encode({.id = "x", .weight = 7}).value();
  EXPECT_EQ(item.find("PK")->string(), "L#x#007");
  EXPECT_EQ(item.find("mass")->number(), "7");
  EXPECT_EQ(listed.decode(item)->value().weight, 7);
  EXPECT_EQ(attribute_name<&Listed::weight>, "mass");
}

// ---- Ids

TEST(Ids, those_of_one_process_ascend) {
  const auto now = std::chrono::system_clock::time_point(std::chrono::seconds(1717243200));
  using Make = std::string (*)(std::chrono::system_clock::time_point);
  const Make makers[] = {&new_ulid, &new_ksuid, &new_uuid7};
  for (const Make make : makers) {
    std::string last = make(now);
    for (int i = 0; i < 5000; ++i) {
      const std::string next = make(now + std::chrono::milliseconds(i / 100));
      ASSERT_LT(last, next);
      last = next;
    }
    ASSERT_LT(last, make(now - std::chrono::hours(1))) << "the clock went back";
  }
}

TEST(Ids, they_have_the_shape_of_their_kind) {
  const auto now = std::chrono::system_clock::now() + std::chrono::hours(1);
  EXPECT_EQ(new_ulid(now).size(), 26u);
  EXPECT_EQ(new_ksuid(now).size(), 27u);
  const std::string uuid = new_uuid7(now);
  EXPECT_EQ(uuid.size(), 36u);
  EXPECT_EQ(uuid[14], '7');
  EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
}

}  // namespace
}  // namespace partita::model
