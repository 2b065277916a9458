// CowTree: an ordered tree whose copy is one pointer.
//
// A B+tree of reference-counted nodes. Copying a tree shares its root; whoever writes afterwards
// copies the nodes on the way to the entry that somebody else owns too, and changes the others in
// place. Not synchronised: a writer excludes everyone who uses the same CowTree object; other
// copies are other objects and need nothing.
//
// Erasing joins neighbours that became small, but promises no least fill.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <utility>

#include "base/ref.h"
#include "storage/memory/cow_node.h"

namespace partita::memory {

template <typename T>
class CowTree {
 public:
  using Node = CowNode<T>;
  static constexpr unsigned kLevelsMax = 16;

  bool empty() const { return !root_; }
  const Node* root() const { return root_.get(); }

  // The item at the position, or null. Stays the tree's.
  T* find(const Position& position) const {
    const Node* node = root_.get();
    if (node == nullptr) return nullptr;
    while (!node->leaf()) node = node->children()[node->child_at(position)];
    const auto found = node->find(position);
    return found.exact ? node->items()[found.index] : nullptr;
  }

  // The same where ranks are unique, so that nothing else needs to be looked at.
  T* find_rank(std::uint64_t rank) const {
    const Node* node = root_.get();
    if (node == nullptr) return nullptr;
    while (!node->leaf()) node = node->children()[node->child_at({rank, {}, {}})];
    const unsigned index = node->find_rank(rank);
    return index < node->count() ? node->items()[index] : nullptr;
  }

  // Where the tree keeps the item, for the caller to change or replace: nobody else owns that
  // place. The item itself may have other owners. Null when there is none.
  T** find_for_write(const Position& position) {
    Node* const leaf = own_path_to(position);
    if (leaf == nullptr) return nullptr;
    const auto found = leaf->find(position);
    return found.exact ? &leaf->items()[found.index] : nullptr;
  }

  // The same where ranks are unique.
  T** find_rank_for_write(std::uint64_t rank) {
    Node* leaf = root_.get();
    if (leaf == nullptr) return nullptr;
    if (!leaf->leaf() || !leaf->references.sole()) leaf = own_path_to({rank, {}, {}});
    const unsigned index = leaf->find_rank(rank);
    return index < leaf->count() ? &leaf->items()[index] : nullptr;
  }

  // Stores an item at its (rank, key, sort); hands back the one that was there.
  Ref<T> put(std::uint64_t rank, Ref<T> item) {
    T* given = item.detach();
    const Position position{rank, given->key(), given->sort()};
    if (!root_) {
      root_ = Ref<Node>::adopt(Node::make(0, 1));
      add_entry(*root_, 0, rank, given);
      return {};
    }
    Node* root = root_.detach();
    const Overflow overflow = put_into(root, position, given);
    if (overflow.right != nullptr) root = new_root(root, overflow);
    root_ = Ref<Node>::adopt(root);
    return Ref<T>::adopt(given);
  }

  // Takes an item out; empty when there was none.
  Ref<T> erase(const Position& position) {
    if (!root_) return {};
    Node* root = root_.detach();
    T* erased = erase_from(root, position);
    while (!root->leaf() && root->count() == 1) {
      Node* child = root->children()[0];
      release(root->separators()[0]);
      Node::free_shell(root);
      root = child;
    }
    if (root->count() == 0) {
      Node::free_shell(root);
    } else {
      root_ = Ref<Node>::adopt(root);
    }
    return Ref<T>::adopt(erased);
  }

 private:
  // The right half of a node that had to be split, and what separates it from the left.
  struct Overflow {
    Node* right = nullptr;
    std::uint64_t rank = 0;
    Separator* separator = nullptr;
  };

  // Makes a node ours alone.
  static void own(Node*& node) {
    if (node->references.sole()) return;
    Node* copy = Node::copy(*node);
    release(node);
    node = copy;
  }
  // The leaf the position lies in, it and all above it ours alone; null in an empty tree.
  Node* own_path_to(const Position& position) {
    if (!root_) return nullptr;
    Node* root = root_.detach();
    own(root);
    root_ = Ref<Node>::adopt(root);
    Node* node = root;
    while (!node->leaf()) {
      Node*& child = node->children()[node->child_at(position)];
      own(child);
      node = child;
    }
    return node;
  }
  static void make_room(Node*& node, unsigned entries) {
    if (node->capacity() >= entries) return;
    Node* larger = Node::make(node->level(), entries);
    larger->take(*node, 0, node->count());
    Node::free_shell(node);
    node = larger;
  }
  static void add_entry(Node& leaf, unsigned index, std::uint64_t rank, T* item) {
    leaf.open(index);
    leaf.ranks()[index] = rank;
    leaf.items()[index] = item;
  }
  static void add_entry(Node& inner, unsigned index, const Overflow& child) {
    inner.open(index);
    inner.ranks()[index] = child.rank;
    inner.children()[index] = child.right;
    inner.separators()[index] = child.separator;
  }

  static Node* new_root(Node* left, const Overflow& overflow) {
    assert(left->level() + 1 < kLevelsMax);
    Node* root = Node::make(left->level() + 1, 2);
    add_entry(*root, 0, {left, 0, nullptr});
    add_entry(*root, 1, overflow);
    return root;
  }

  // `item` becomes the one replaced, or null.
  static Overflow put_into(Node*& node, const Position& position, T*& item) {
    own(node);
    if (node->leaf()) {
      const auto found = node->find(position);
      if (found.exact) {
        std::swap(node->items()[found.index], item);
        return {};
      }
      T* added = std::exchange(item, nullptr);
      return add_or_split(node, found.index, position.rank, added);
    }
    const unsigned index = node->child_at(position);
    const Overflow below = put_into(node->children()[index], position, item);
    if (below.right == nullptr) return {};
    return add_or_split(node, index + 1, below);
  }

  template <typename... Entry>
  static Overflow add_or_split(Node*& node, unsigned index, const Entry&... entry) {
    if (node->count() < node->entries_max()) {
      make_room(node, node->count() + 1);
      add_entry(*node, index, entry...);
      return {};
    }
    // Keys that come in ascending order leave full nodes behind.
    const unsigned count = node->count();
    const unsigned middle = index == count ? count - count / 8 : count / 2;
    Node* right = Node::make(node->level(), count - middle + 1);
    right->take(*node, middle, count);
    node->forget_from(middle);
    if (index <= middle) {
      add_entry(*node, index, entry...);
    } else {
      add_entry(*right, index - middle, entry...);
    }
    return separated(*node, right);
  }

  static Overflow separated(const Node& left, Node* right) {
    const std::uint64_t rank = right->ranks()[0];
    if (!right->leaf()) return {right, rank, std::exchange(right->separators()[0], nullptr)};
    if (left.ranks()[left.count() - 1] < rank) return {right, rank, nullptr};
    const T* first = right->items()[0];
    return {right, rank, Separator::make(first->key(), first->sort())};
  }

  // Null when there is no such item; then nodes were copied in vain, which hardly ever happens.
  static T* erase_from(Node*& node, const Position& position) {
    own(node);
    if (node->leaf()) {
      const auto found = node->find(position);
      if (!found.exact) return nullptr;
      T* erased = node->items()[found.index];
      node->close(found.index);
      return erased;
    }
    const unsigned index = node->child_at(position);
    Node*& child = node->children()[index];
    T* erased = erase_from(child, position);
    if (erased == nullptr) return nullptr;
    if (child->count() == 0) {
      Node::free_shell(child);
      release(node->separators()[index]);
      node->close(index);
    } else if (child->count() < child->entries_max() / 4) {
      join_small(node, index);
    }
    return erased;
  }

  // Joins a child with a neighbour if together they leave some room for what comes.
  static void join_small(Node* parent, unsigned index) {
    const unsigned left_index = index > 0 ? index - 1 : 0;
    const unsigned right_index = left_index + 1;
    if (right_index == parent->count()) return;
    Node*& left = parent->children()[left_index];
    Node*& right = parent->children()[right_index];
    const unsigned total = left->count() + right->count();
    if (total > left->entries_max() * 3 / 4) return;
    own(left);
    own(right);
    make_room(left, total);
    const unsigned joint = left->count();
    left->take(*right, 0, right->count());
    Node::free_shell(right);
    if (left->leaf()) {
      release(parent->separators()[right_index]);
    } else {
      release(left->separators()[joint]);
      left->ranks()[joint] = parent->ranks()[right_index];
      left->separators()[joint] = parent->separators()[right_index];
    }
    parent->close(right_index);
  }

  Ref<Node> root_;
};

// Walks over the items of a tree in order. The tree must stay as it is meanwhile: walk over a copy.
template <typename T>
class CowCursor {
 public:
  using Node = CowNode<T>;
  explicit CowCursor(const CowTree<T>& tree) : root_(tree.root()) {}

  // To the first item that does not lie before the position.
  void seek(const Position& position) {
    descend(position);
    if (depth_ > 0 && index() == node().count()) next_leaf();
  }
  // To the last item before the position.
  void seek_before(const Position& position) {
    descend(position);
    previous();
  }

  bool valid() const { return depth_ > 0; }
  std::uint64_t rank() const { return node().ranks()[index()]; }
  const T& item() const { return *node().items()[index()]; }

  void next() {
    if (++path_[depth_ - 1].index == node().count()) {
      next_leaf();
    } else if (index() + 2 < node().count()) {  // rows are far apart: have them fetched early
      __builtin_prefetch(node().items()[index() + 2]);
    }
  }
  void previous() {
    while (depth_ > 0 && index() == 0) --depth_;
    if (depth_ == 0) return;
    --path_[depth_ - 1].index;
    while (!node().leaf()) {
      const Node* child = node().children()[index()];
      push(child, child->count() - 1);
    }
  }

 private:
  struct Step {
    const Node* node;
    unsigned index;
  };
  const Node& node() const { return *path_[depth_ - 1].node; }
  unsigned index() const { return path_[depth_ - 1].index; }
  void push(const Node* node, unsigned index) { path_[depth_++] = {node, index}; }

  void descend(const Position& position) {
    depth_ = 0;
    const Node* node = root_;
    if (node == nullptr) return;
    while (!node->leaf()) {
      const unsigned index = node->child_at(position);
      push(node, index);
      node = node->children()[index];
    }
    push(node, node->find(position).index);
  }
  void next_leaf() {
    do {
      if (--depth_ == 0) return;
    } while (++path_[depth_ - 1].index == node().count());
    while (!node().leaf()) push(node().children()[index()], 0);
  }

  const Node* root_;
  unsigned depth_ = 0;  // 0: beyond either end
  std::array<Step, CowTree<T>::kLevelsMax> path_;
};

}  // namespace partita::memory
