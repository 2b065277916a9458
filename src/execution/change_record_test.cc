#include "execution/change_record.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

using std::chrono::milliseconds;
const Item kOld{{"pk", Value::string("a")}, {"n", Value::number(1)}};
const Item kNew{{"pk", Value::string("a")}, {"n", Value::number(2)}};
const TimePoint kTime{milliseconds(1'700'000'000'123)};

TEST(ChangeRecord, what_is_written_is_read) {
  const std::optional<ItemView> images[] = {std::nullopt, ItemView(kOld), ItemView(kNew)};
  for (const auto& before : images) {
    for (const auto& after : images) {
      const std::string bytes = encode_change({kTime, before, after});
      const auto change = decode_change(bytes);
      ASSERT_TRUE(change.has_value());
      EXPECT_EQ(change->time, kTime);
      EXPECT_EQ(change->before, before);
      EXPECT_EQ(change->after, after);
    }
  }
}

// Stored bytes: these never change.
TEST(ChangeRecord, records_have_these_bytes) {
  const Item item{{"k", Value::string("v")}};
  const std::string stored(item.view().bytes());
  const std::string time("\x7b\x68\xe5\xcf\x8b\x01\x00\x00", 8);
  EXPECT_EQ(encode_change({kTime, std::nullopt, item}), "\x01\x02" + time + stored);
  EXPECT_EQ(encode_change({kTime, item, std::nullopt}),
            "\x01\x01" + time + static_cast<char>(stored.size()) + stored);
}

TEST(ChangeRecord, bytes_that_are_no_record_are_refused) {
  const std::string whole = encode_change({kTime, kOld, kNew});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(decode_change(whole.substr(0, length)).has_value()) << length;
  }
  EXPECT_FALSE(decode_change(whole + "x").has_value());
  EXPECT_FALSE(decode_change("\x02" + whole.substr(1)).has_value()) << "a later format";
  EXPECT_FALSE(decode_change(encode_change({kTime, kOld, std::nullopt}) + "x").has_value());
}

}  // namespace
}  // namespace partita
