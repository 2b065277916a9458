// Rules about partition keys: one for all, times, numbers in sequence, too fine, unevenly used.
#include <algorithm>
#include <charconv>
#include <set>

#include "partita/model/key_distribution.h"

#include "model/design/lint_context.h"
#include "model/design/text_shape.h"

namespace partita::model {
namespace {

constexpr std::size_t kSampleItemsMin = 10;
constexpr std::size_t kDistributionItemsMin = 50;
constexpr double kPartitionWritesPerSecondMax = 1000;

struct Subject {
  LintContext& context;
  const LintedEntity& entity;
  const AccessPattern& pattern;

  std::string where() const { return model::where(*entity.plan, pattern); }
  bool is_primary() const { return &pattern == &entity.plan->primary(); }
};

std::size_t members_of(const KeyParts& parts) {
  std::size_t members = 0;
  for (std::size_t i = 0; i < parts.count; ++i) members += parts.all[i].key->count;
  return members;
}
unsigned buckets_of(const KeyParts& parts) {
  unsigned buckets = 0;
  for (std::size_t i = 0; i < parts.count; ++i) {
    buckets = std::max(buckets, parts.all[i].key->buckets());
  }
  return buckets;
}

// Every piece of a key.
template <typename Visit>
void each_piece(const KeyParts& parts, Visit visit) {
  for (std::size_t i = 0; i < parts.count; ++i) {
    for (std::size_t j = 0; j < parts.all[i].key->count; ++j) visit(parts.all[i].key->pieces[j]);
  }
}

bool lint_constant(const Subject& subject) {
  const AccessPattern& pattern = subject.pattern;
  if (members_of(pattern.partition) != 0) return false;
  const bool one_item = members_of(pattern.sort) == 0;  // a singleton
  if (one_item && subject.is_primary()) return true;
  if (is_sparse(pattern) || subject.entity.is_small()) return true;
  subject.context.report(
      LintRule::ConstantPartitionKey, subject.where(),
      "every " + std::string(subject.entity.plan->name) + " has the partition key " +
          quoted(*pattern.partition.all[0].key) +
          ": one partition takes all reads and writes (at most 3000 and 1000 units a second)",
      "put a member with many values into it, or spread it over buckets such as \"" +
          std::string(pattern.partition.all[0].key->text) +
          "#{id|shard:10}\"; a small set says so with items_per_partition");
  return true;
}

double writes_per_second(const Subject& subject) {
  double writes = 0;
  for (const LintedAccess& access : subject.context.accesses) {
    if (access.entity == &subject.entity && access.declared->kind == AccessKind::Write) {
      writes += access.declared->per_second;
    }
  }
  return writes;
}

bool lint_timestamp(const Subject& subject) {
  const KeyParts& partition = subject.pattern.partition;
  if (buckets_of(partition) != 0) return false;
  bool only_times = true, whole = false;
  each_piece(partition, [&](const KeyPiece& piece) {
    only_times = only_times && piece.kind == KeyInput::Kind::Time;
    whole = whole || piece.unit == TimeUnit::Whole;
  });
  if (!only_times && members_of(partition) == 1 && partition.all[0].key->count == 1) {
    std::vector<std::string> values;
    for (const ItemView item : subject.entity.items) {
      const auto text = text_at(item, partition.all[0].key->pieces[0].path);
      if (text) values.push_back(*text);
    }
    only_times =
        values.size() >= kSampleItemsMin && std::all_of(values.begin(), values.end(), is_moment);
    whole = true;
  }
  if (!only_times) return false;
  const double writes = writes_per_second(subject);
  if (!whole && writes <= kPartitionWritesPerSecondMax) return false;
  subject.context.report(
      LintRule::TimestampPartitionKey, subject.where(),
      "the partition key " + quoted(*partition.all[0].key) + " is a time and nothing else: " +
          (whole ? "no query can name it, and what belongs together is scattered"
                 : "all " + std::to_string(static_cast<std::int64_t>(writes)) +
                       " writes a second go to the partition of the current period"),
      "make the partition key of who or what the item belongs to and put the time into the sort "
      "key; a timeline takes a period and buckets, \"TIMELINE#{at:day}#{id|shard:10}\"");
  return true;
}

void lint_sequential(const Subject& subject) {
  const KeyParts& partition = subject.pattern.partition;
  if (!subject.is_primary() || members_of(partition) != 1 || buckets_of(partition) != 0) return;
  std::set<std::uint64_t> numbers;
  for (const ItemView item : subject.entity.items) {
    const auto text = text_at(item, partition.all[0].key->pieces[0].path);
    std::uint64_t number = 0;
    if (!text || !is_digits(*text) || text->size() > 18) return;
    std::from_chars(text->data(), text->data() + text->size(), number);
    numbers.insert(number);
  }
  if (numbers.size() < kSampleItemsMin) return;
  if (*numbers.rbegin() - *numbers.begin() >= 2 * numbers.size()) return;
  subject.context.report(
      LintRule::SequentialPartitionKey, subject.where(),
      "the partition key " + quoted(*partition.all[0].key) + " counts up (the sample has " +
          std::to_string(*numbers.begin()) + " to " + std::to_string(*numbers.rbegin()) +
          "): a counter is one hot item, and whoever knows one key knows the next",
      "use ids that need no counter: ulid<&T::id>, ksuid<…> or uuid7<…>; keep the number as an "
      "attribute, or in the sort key below its owner");
}

// A query can return several items only if several share the key.
bool wants_several(const Subject& subject) {
  for (const LintedAccess& access : subject.context.accesses) {
    if (access.pattern == &subject.pattern && access.declared->kind == AccessKind::Query &&
        access.declared->results != 1) {
      return true;
    }
  }
  return false;
}

void lint_over_granular(const Subject& subject) {
  const KeyParts& partition = subject.pattern.partition;
  if (subject.pattern.sort.count == 0 || buckets_of(partition) != 0) return;
  bool moment = false, other = false;
  each_piece(partition, [&](const KeyPiece& piece) {
    const bool time = piece.kind == KeyInput::Kind::Time;
    moment = moment || (time && piece.unit == TimeUnit::Whole);
    other = other || !time;
  });
  std::string why;
  if (moment && other) {
    why = " holds a whole time, so hardly two items share a partition";
  } else if (wants_several(subject)) {
    const KeyDistribution found = key_distribution(key_texts(subject.entity, partition));
    if (found.items >= kSampleItemsMin && found.items == found.partitions) {
      why = " is different for every item of the sample, though a query wants several at once";
    }
  }
  if (why.empty()) return;
  subject.context.report(LintRule::OverGranularPartitionKey, subject.where(),
                         "the partition key " + quoted(*partition.all[0].key) + why,
                         "keep the owner in the partition key and move the rest to the sort key, "
                         "where it can be a range");
}

void lint_uneven(const Subject& subject) {
  if (is_sparse(subject.pattern) || subject.entity.is_small()) return;
  const KeyDistribution found =
      key_distribution(key_texts(subject.entity, subject.pattern.partition));
  using Verdict = KeyDistribution::Verdict;
  if (found.items < kDistributionItemsMin) return;
  if (found.verdict != Verdict::Hot && found.verdict != Verdict::OnePartition) return;
  subject.context.report(
      LintRule::UnevenPartitionKey, subject.where(),
      "'" + found.largest + "' has " + std::to_string(found.largest_items) + " of " +
          std::to_string(found.items) + " sampled items (" + std::to_string(found.partitions) +
          " partitions)",
      "choose a member with more values, add a second one, or spread the large ones over buckets "
      "with {id|shard:10}");
}

}  // namespace

void lint_partition_keys(LintContext& context) {
  for (const LintedEntity& entity : context.entities) {
    for (const AccessPattern& pattern : entity.plan->patterns) {
      if (pattern.local) continue;  // the primary key has been judged
      const Subject subject{context, entity, pattern};
      if (lint_constant(subject) || lint_timestamp(subject)) continue;
      lint_sequential(subject);
      lint_over_granular(subject);
      lint_uneven(subject);
    }
  }
}

}  // namespace partita::model
