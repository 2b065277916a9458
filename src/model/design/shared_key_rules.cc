// Rules about keys that several entities share: prefixes that are missing or collide.
#include "model/design/key_overlap.h"
#include "model/design/lint_context.h"

namespace partita::model {
namespace {

struct User {
  const EntityPlan* plan;
  const AccessPattern* pattern;
};

const KeyTemplate& partition_of(const User& user) { return *user.pattern->partition.all[0].key; }
const KeyTemplate* sort_of(const User& user) {
  return user.pattern->sort.count == 0 ? nullptr : user.pattern->sort.all[0].key;
}

bool one_starts_with_the_other(std::string_view one, std::string_view other) {
  return one.starts_with(other) || other.starts_with(one);
}
// "ORDER#{id}" and "ORDER#{id}#ITEM#{line}": a parent and what is below it, read together.
bool is_hierarchy(std::string_view one, std::string_view other) {
  return one.size() != other.size() && one_starts_with_the_other(one, other);
}

void lint_prefix(const User& user, std::string_view place, LintContext& context) {
  const KeyTemplate& key = partition_of(user);
  if (key.count == 0 || !key.fixed_start().empty()) return;
  context.report(
      LintRule::MissingPrefix, where(*user.plan, *user.pattern),
      "the partition key " + quoted(key) + " has no prefix, but " + std::string(place) +
          " holds several entities: equal values of two of them meet",
      "begin it with the entity's name, \"" + std::string(user.plan->name) + "#" +
          std::string(key.native ? "{" + std::string(key.text) + "}" : std::string(key.text)) +
          "\"");
}

// In the table two items with one key replace each other; in an index they are mixed up by every
// query that does not name a longer prefix.
bool collide(const User& one, const User& other) {
  if (!keys_can_be_equal(partition_of(one), partition_of(other))) return false;
  const KeyTemplate *sort = sort_of(one), *other_sort = sort_of(other);
  if (sort == nullptr || other_sort == nullptr) return true;
  if (one.pattern->index.empty()) return keys_can_be_equal(*sort, *other_sort);
  return one_starts_with_the_other(sort->fixed_start(), other_sort->fixed_start()) &&
         !is_hierarchy(sort->text, other_sort->text);
}

void lint_pair(const User& one, const User& other, LintContext& context) {
  if (one.plan == other.plan || !collide(one, other)) return;
  const KeyTemplate* sort = sort_of(one);
  const KeyTemplate* other_sort = sort_of(other);
  const auto both = [](const KeyTemplate& partition, const KeyTemplate* sort_key) {
    return quoted(partition) + (sort_key == nullptr ? "" : ", " + quoted(*sort_key));
  };
  context.report(LintRule::CollidingPrefixes, where(*one.plan, *one.pattern),
                 "its keys (" + both(partition_of(one), sort) + ") cannot be told from those of " +
                     where(*other.plan, *other.pattern) + " (" +
                     both(partition_of(other), other_sort) + ")" +
                     (one.pattern->index.empty() ? ": one item can replace another" : ""),
                 "give each entity a prefix of its own in the partition key, or in the sort key "
                 "when they are to be read together");
}

}  // namespace

void lint_shared_keys(LintContext& context) {
  // Every table, and every index of it, with those who write its keys.
  for (std::size_t e = 0; e < context.entities.size(); ++e) {
    const TableShape& table = *context.entities[e].plan->table;
    bool first_of_table = true;
    for (std::size_t other = 0; other < e; ++other) {
      first_of_table = first_of_table && context.entities[other].plan->table != &table;
    }
    if (!first_of_table) continue;
    for (std::size_t place = 0; place <= table.index_count; ++place) {
      const std::string_view index =
          place == 0 ? std::string_view() : table.indexes[place - 1].name;
      if (place > 0 && table.indexes[place - 1].local) continue;
      std::vector<User> users;
      for (const LintedEntity& entity : context.entities) {
        if (entity.plan->table != &table) continue;
        for (const AccessPattern& pattern : entity.plan->patterns) {
          if (pattern.index == index) users.push_back({entity.plan, &pattern});
        }
      }
      if (users.size() < 2) continue;
      const std::string name = index.empty() ? "the table " + std::string(table.name)
                                             : "the index " + std::string(index);
      for (std::size_t i = 0; i < users.size(); ++i) {
        lint_prefix(users[i], name, context);
        for (std::size_t j = i + 1; j < users.size(); ++j) lint_pair(users[i], users[j], context);
      }
    }
  }
}

}  // namespace partita::model
