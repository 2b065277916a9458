// Random updates of random documents against a model of nested std::map and std::vector.
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "expression/test_request.h"
#include "expression/update.h"
#include "value/item_encoding.h"

namespace partita {
namespace {

using namespace testing;

struct Document {
  enum class Kind { Number, Map, List } kind = Kind::Number;
  std::int64_t number = 0;
  std::map<std::string, Document> map;
  std::vector<Document> list;
};

using Random = std::mt19937_64;

std::size_t pick(Random& random, std::size_t below) { return random() % below; }
std::string random_name(Random& random) {
  return std::string(1, static_cast<char>('a' + pick(random, 4)));
}

Document random_document(Random& random, int depth) {
  Document document;
  const std::size_t kind = depth == 0 ? 0 : pick(random, 4);
  document.number = static_cast<std::int64_t>(pick(random, 1000)) - 500;
  if (kind >= 2) {
    document.kind = Document::Kind::Map;
    for (std::size_t i = pick(random, 4); i > 0; --i) {
      document.map[random_name(random)] = random_document(random, depth - 1);
    }
  } else if (kind == 1) {
    document.kind = Document::Kind::List;
    for (std::size_t i = pick(random, 5); i > 0; --i) {
      document.list.push_back(random_document(random, depth - 1));
    }
  }
  return document;
}

Value encode(const Document& document) {
  switch (document.kind) {
    case Document::Kind::Number:
      return Value::number(document.number);
    case Document::Kind::List: {
      std::vector<Value> elements;
      for (const Document& element : document.list) elements.push_back(encode(element));
      return Value::list(elements);
    }
    case Document::Kind::Map: {
      ItemWriter writer;
      EXPECT_TRUE(writer.begin_map());
      for (const auto& [name, entry] : document.map) {
        writer.name(name);
        writer.value(encode(entry));
      }
      writer.end_map();
      return Value(writer.value());
    }
  }
  __builtin_unreachable();
}

Item encode_item(const Document& document) {
  Item item;
  for (const auto& [name, entry] : document.map) item.set(name, encode(entry));
  return item;
}

struct ModelStep {
  bool is_index;
  std::string name;
  std::size_t index;
};
struct ModelAction {
  bool removes;
  std::vector<ModelStep> path;
  std::string value;  // ":v0"
  Document document;
};

// A path that mostly leads somewhere in the document.
std::vector<ModelStep> random_path(Random& random, const Document& root) {
  std::vector<ModelStep> path;
  const Document* at = &root;
  for (std::size_t length = 1 + pick(random, 3); path.size() < length;) {
    const bool index = !path.empty() && (at != nullptr && at->kind != Document::Kind::Number
                                             ? at->kind == Document::Kind::List
                                             : pick(random, 2) == 0);
    if (pick(random, 40) == 0) at = nullptr;
    ModelStep step{index, index ? "" : random_name(random), index ? pick(random, 6) : 0};
    const Document* next = nullptr;
    if (at != nullptr && index && step.index < at->list.size()) next = &at->list[step.index];
    if (at != nullptr && !index && at->map.contains(step.name)) next = &at->map.at(step.name);
    path.push_back(step);
    at = next;
  }
  return path;
}

std::string path_text(const std::vector<ModelStep>& path) {
  std::string text;
  for (const ModelStep& step : path) {
    if (step.is_index) {
      text += "[" + std::to_string(step.index) + "]";
    } else {
      text += (text.empty() ? "" : ".") + step.name;
    }
  }
  return text;
}

// The container that holds the path's last step, or null.
Document* find_parent(Document& root, const std::vector<ModelStep>& path) {
  Document* at = &root;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if ((at->kind == Document::Kind::List) != path[i].is_index) return nullptr;
    if (at->kind == Document::Kind::Number) return nullptr;
    if (i + 1 == path.size()) return at;
    if (path[i].is_index) {
      if (path[i].index >= at->list.size()) return nullptr;
      at = &at->list[path[i].index];
    } else {
      if (!at->map.contains(path[i].name)) return nullptr;
      at = &at->map.at(path[i].name);
    }
  }
  return nullptr;
}

// Marks instead of erasing, so that indexes keep their meaning; then sweeps.
constexpr std::int64_t kRemoved = INT64_MIN;
void sweep(Document& document) {
  std::erase_if(document.list, [](const Document& element) { return element.number == kRemoved; });
  for (Document& element : document.list) sweep(element);
  for (auto& [name, entry] : document.map) sweep(entry);
}

// Room to append, so that pointers into a list stay good while it grows.
void leave_room(Document& document) {
  document.list.reserve(document.list.size() + 8);
  for (Document& element : document.list) leave_room(element);
  for (auto& [name, entry] : document.map) leave_room(entry);
}

// False: some path cannot be written to.
bool apply_model(Document& root, const std::vector<ModelAction>& actions) {
  leave_room(root);
  std::map<Document*, std::map<std::size_t, Document>> appended;
  for (const ModelAction& action : actions) {
    if (find_parent(root, action.path) == nullptr) return false;
  }
  for (const ModelAction& action : actions) {
    Document& parent = *find_parent(root, action.path);
    const ModelStep& last = action.path.back();
    if (!last.is_index) {
      if (action.removes) {
        parent.map.erase(last.name);
      } else {
        parent.map[last.name] = action.document;
      }
    } else if (last.index < parent.list.size()) {
      if (action.removes) {
        parent.list[last.index] = Document{};
        parent.list[last.index].number = kRemoved;
      } else {
        parent.list[last.index] = action.document;
      }
    } else if (!action.removes) {
      appended[&parent][last.index] = action.document;
    }
  }
  for (auto& [list, elements] : appended) {
    for (auto& [index, element] : elements) list->list.push_back(element);
  }
  sweep(root);
  return true;
}

TEST(UpdateModel, random_updates_do_what_the_model_does) {
  const std::uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  int applied = 0;
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    Document root = random_document(random, 4);
    root.kind = Document::Kind::Map;
    const Item before = encode_item(root);

    std::vector<ModelAction> actions;
    std::string sets;
    std::string removes;
    for (std::size_t i = 0; i < 1 + pick(random, 3); ++i) {
      ModelAction action{pick(random, 3) == 0, random_path(random, root), ":v" + std::to_string(i),
                         random_document(random, 2)};
      std::string& section = action.removes ? removes : sets;
      section += (section.empty() ? (action.removes ? " REMOVE " : "SET ") : ", ") +
                 path_text(action.path) + (action.removes ? "" : " = " + action.value);
      actions.push_back(std::move(action));
    }
    std::vector<Value> owned;
    std::vector<ExpressionAttributeValue> values;
    for (const ModelAction& action : actions) owned.push_back(encode(action.document));
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (!actions[i].removes) values.push_back({actions[i].value, owned[i]});
    }
    ExpressionAttributes attributes;
    if (!values.empty()) attributes.values = values;
    ExpressionCache cache;
    Binder binder(cache, attributes, std::pmr::get_default_resource());
    auto update = binder.update(sets + removes);
    if (!update) continue;  // overlapping paths
    const Result<Item> after = update->apply(before);
    const bool possible = apply_model(root, actions);
    ASSERT_EQ(after.has_value(), possible) << sets + removes << " of " << text(before);
    if (!possible) {
      ++refused;
      continue;
    }
    ++applied;
    ASSERT_TRUE(check_item(after->view().bytes()));
    ASSERT_EQ(text(*after), text(encode_item(root))) << sets + removes << " of " << text(before);
    ASSERT_EQ(after->view(), encode_item(root).view());
  }
  EXPECT_GT(applied, 2000);
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace partita
