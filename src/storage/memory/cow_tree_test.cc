// The tree against a std::map, with copies kept along the way, and what a copy shares.
#include "storage/memory/cow_tree.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "storage/memory/row.h"

namespace partita::memory {
namespace {

using Key = std::tuple<std::uint64_t, std::string, std::string>;  // rank, key, sort
using Model = std::map<Key, std::string>;
using Tree = CowTree<Row>;
using Node = Tree::Node;

Position at(const Key& key, Reach reach = Reach::Before) {
  return {std::get<0>(key), std::get<1>(key), std::get<2>(key), reach};
}

void put(Tree& tree, const Key& key, std::string_view value) {
  tree.put(std::get<0>(key), Row::make(std::get<1>(key), std::get<2>(key), value));
}

void expect_equal(const Tree& tree, const Model& model) {
  CowCursor<Row> cursor(tree);
  cursor.seek({});
  for (const auto& [key, value] : model) {
    ASSERT_TRUE(cursor.valid());
    ASSERT_EQ(Key(cursor.rank(), cursor.item().key(), cursor.item().sort()), key);
    ASSERT_EQ(cursor.item().value(), value);
    cursor.next();
  }
  ASSERT_FALSE(cursor.valid());
  cursor.seek_before({UINT64_MAX, "\xff", "", Reach::EndOfKey});
  for (auto entry = model.rbegin(); entry != model.rend(); ++entry, cursor.previous()) {
    ASSERT_TRUE(cursor.valid());
    ASSERT_EQ(Key(cursor.rank(), cursor.item().key(), cursor.item().sort()), entry->first);
  }
  ASSERT_FALSE(cursor.valid());
}

struct Shape {
  std::size_t nodes = 0;
  std::size_t leaves = 0;
  std::size_t items = 0;
};
void measure(const Node* node, Shape& shape) {
  if (node == nullptr) return;
  ++shape.nodes;
  if (node->leaf()) {
    ++shape.leaves;
    shape.items += node->count();
    return;
  }
  for (unsigned i = 0; i < node->count(); ++i) measure(node->children()[i], shape);
}
Shape shape_of(const Tree& tree) {
  Shape shape;
  measure(tree.root(), shape);
  return shape;
}
void collect(const Node* node, std::vector<const Node*>& nodes) {
  nodes.push_back(node);
  if (node->leaf()) return;
  for (unsigned i = 0; i < node->count(); ++i) collect(node->children()[i], nodes);
}

// Ranks from few to many: with one rank the order is all in the keys.
class CowTreeModel : public testing::TestWithParam<std::uint64_t> {};

TEST_P(CowTreeModel, agrees_with_a_map_and_so_do_copies_taken_on_the_way) {
  const std::uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  auto some_key = [&] {
    const std::uint64_t n = random() % 3000;
    return Key(n % GetParam(), "k" + std::to_string(n % 5), std::to_string(n));
  };
  Tree tree;
  Model model;
  std::vector<std::pair<Tree, Model>> kept;
  for (int step = 0; step < 12000; ++step) {
    const bool growing = step / 3000 % 2 == 0;  // fills, empties, and again
    const Key key = some_key();
    if (random() % 10 < (growing ? 8 : 2)) {
      const std::string value = std::to_string(step);
      put(tree, key, value);
      model[key] = value;
    } else {
      ASSERT_EQ(static_cast<bool>(tree.erase(at(key))), model.erase(key) == 1);
    }
    const Key probe = some_key();
    const Row* found = tree.find(at(probe));
    ASSERT_EQ(found != nullptr, model.count(probe) == 1);
    CowCursor<Row> cursor(tree);
    cursor.seek(at(probe, Reach::Beyond));
    const auto next = model.upper_bound(probe);
    ASSERT_EQ(cursor.valid(), next != model.end());
    if (cursor.valid()) {
      ASSERT_EQ(cursor.item().sort(), std::get<2>(next->first));
    }
    if (random() % 1000 == 0) kept.emplace_back(tree, model);
    if (step % 1000 == 0) expect_equal(tree, model);
    if (HasFatalFailure()) return;
  }
  for (const auto& [copy, then] : kept) expect_equal(copy, then);
  kept.clear();
  expect_equal(tree, model);
  while (!model.empty()) {
    ASSERT_TRUE(tree.erase(at(model.begin()->first)));
    model.erase(model.begin());
  }
  EXPECT_TRUE(tree.empty());
}

INSTANTIATE_TEST_SUITE_P(Ranks, CowTreeModel, testing::Values(1, 7, 100000));

Tree tree_of(int items) {
  Tree tree;
  for (int i = 0; i < items; ++i) {
    put(tree, Key(static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15, "k", ""), "v");
  }
  return tree;
}

TEST(CowTree, copy_is_one_pointer_and_a_write_copies_one_path) {
  Tree tree = tree_of(20000);
  const Tree copy = tree;
  EXPECT_EQ(copy.root(), tree.root());
  put(tree, Key(42, "new", ""), "v");
  std::vector<const Node*> before, after;
  collect(copy.root(), before);
  collect(tree.root(), after);
  std::sort(before.begin(), before.end());
  std::size_t copied = 0;
  for (const Node* node : after) copied += !std::binary_search(before.begin(), before.end(), node);
  EXPECT_GT(before.size(), 600u);
  EXPECT_LE(copied, tree.root()->level() + 1 + 2);  // a path, and perhaps a split
}

TEST(CowTree, without_copies_a_write_happens_in_place) {
  Tree tree = tree_of(20000);
  const Node* root = tree.root();
  for (int i = 0; i < 100; ++i) put(tree, Key(static_cast<std::uint64_t>(i) << 40, "k", ""), "v");
  EXPECT_EQ(tree.root(), root);
}

TEST(CowTree, nodes_are_well_filled_whatever_the_order) {
  const Shape random = shape_of(tree_of(20000));
  EXPECT_LT(random.leaves, random.items / 18);
  Tree ascending;
  for (int i = 0; i < 20000; ++i) put(ascending, Key(5, "k", std::to_string(100000 + i)), "v");
  const Shape filled = shape_of(ascending);
  EXPECT_LT(filled.leaves, filled.items / 26);
}

TEST(CowTree, erasing_most_items_gives_most_nodes_back) {
  Tree tree = tree_of(20000);
  const std::size_t nodes = shape_of(tree).nodes;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t rank = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15;
    if (i % 20 != 0) {
      ASSERT_TRUE(tree.erase({rank, "k", ""}));
    }
  }
  EXPECT_EQ(shape_of(tree).items, 1000u);
  EXPECT_LT(shape_of(tree).nodes, nodes / 5);
}

}  // namespace
}  // namespace partita::memory
