#include "expression/expression_cache.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(ExpressionCache, a_text_is_parsed_once) {
  ExpressionCache cache;
  const TreePointer first = cache.find_or_parse(ExpressionKind::Condition, "a = :b").value();
  const TreePointer again =
      cache.find_or_parse(ExpressionKind::Condition, std::string("a = :b")).value();
  EXPECT_EQ(first, again);
  EXPECT_EQ(cache.entries(), 1U);
}

TEST(ExpressionCache, the_same_text_of_another_kind_is_another_entry) {
  ExpressionCache cache;
  EXPECT_TRUE(cache.find_or_parse(ExpressionKind::Projection, "a"));
  EXPECT_FALSE(cache.find_or_parse(ExpressionKind::Condition, "a"));
  EXPECT_EQ(cache.find_or_parse(ExpressionKind::Projection, "a").value()->kind,
            ExpressionKind::Projection);
}

TEST(ExpressionCache, what_does_not_parse_is_not_kept) {
  ExpressionCache cache;
  EXPECT_FALSE(cache.find_or_parse(ExpressionKind::Condition, "a ="));
  EXPECT_EQ(cache.entries(), 0U);
}

TEST(ExpressionCache, is_bounded_in_entries_and_keeps_what_is_used) {
  ExpressionCache cache(64);
  const TreePointer used = cache.find_or_parse(ExpressionKind::Condition, "a = :b").value();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(cache.find_or_parse(ExpressionKind::Projection, "name" + std::to_string(i)));
    ASSERT_EQ(cache.find_or_parse(ExpressionKind::Condition, "a = :b").value(), used);
  }
  EXPECT_LE(cache.entries(), 64U);
}

TEST(ExpressionCache, is_bounded_in_bytes) {
  ExpressionCache cache(100'000, 256 << 10);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(cache.find_or_parse(ExpressionKind::Projection,
                                    "n" + std::to_string(i) + std::string(2000, 'x')));
  }
  EXPECT_LE(cache.entries(), 128U);
  EXPECT_GE(cache.entries(), 16U);
}

TEST(ExpressionCache, a_tree_outlives_its_entry) {
  ExpressionCache cache(16);
  const TreePointer tree = cache.find_or_parse(ExpressionKind::Projection, "earliest").value();
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(cache.find_or_parse(ExpressionKind::Projection, "n" + std::to_string(i)));
  }
  EXPECT_EQ(tree->text, "earliest");
}

TEST(ExpressionCache, serves_many_threads) {
  ExpressionCache cache(32);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cache, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::string text = "name" + std::to_string((i * (t + 1)) % 100);
        const auto tree = cache.find_or_parse(ExpressionKind::Projection, text);
        ASSERT_TRUE(tree);
        ASSERT_EQ((*tree)->text, text);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(cache.entries(), 32U);
}

}  // namespace
}  // namespace partita
