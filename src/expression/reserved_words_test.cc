#include "expression/reserved_words.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(ReservedWords, are_573_in_order_without_repeats) {
  const auto words = reserved_words();
  EXPECT_EQ(words.size(), 573U);
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end(), std::greater_equal<>()), words.end());
}

TEST(ReservedWords, are_found_in_any_case) {
  for (std::string_view word : reserved_words()) {
    std::string lower(word);
    for (char& c : lower) c = static_cast<char>(c | 0x20);
    EXPECT_TRUE(is_reserved_word(word)) << word;
    EXPECT_TRUE(is_reserved_word(lower)) << lower;
  }
  EXPECT_TRUE(is_reserved_word("Status"));
}

TEST(ReservedWords, leave_other_names_alone) {
  for (std::string_view name :
       {"", "pk", "status_", "LOCALTIMESTAMPS", "aVeryLongNameOfSomething"}) {
    EXPECT_FALSE(is_reserved_word(name)) << name;
  }
}

}  // namespace
}  // namespace partita
