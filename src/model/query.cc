#include "partita/model/query.h"

#include <algorithm>
#include <chrono>

namespace partita::model::detail {
namespace {

constexpr std::string_view kLastText = "\xF4\x8F\xBF\xBF";  // U+10FFFF: no text sorts behind it
constexpr std::size_t kTimeUnitsMax = 10000;

Error bad_key(const QuerySpec& spec, KeyProblem problem, const KeyTemplate& key) {
  return Error(KeyIncomplete, std::string(spec.plan->name) + ": " + describe(problem, key));
}

Value text_value(std::string_view text) { return Value::string(text); }

// The value of a key attribute that is a member.
Result<Value> native_value(const QuerySpec& spec, const KeyPart& part, const KeyInput& input) {
  if (part.type == ScalarType::N) {
    ItemSink sink;
    if (input.kind == KeyInput::Kind::Natural) {
      sink.natural(static_cast<std::uint64_t>(input.number));
    } else {
      sink.integer(input.number);
    }
    return Value(sink.value());
  }
  KeyText text;
  const KeyProblem problem = write_key(*part.key, &input, 1, text);
  if (problem != KeyProblem::None) return bad_key(spec, problem, *part.key);
  return text_value(text.view());
}

Result<PartitionKey> native_partition(const QuerySpec& spec, const GatheredInputs& inputs) {
  PartitionKey key;
  for (std::size_t i = 0; i < spec.pattern->partition.count; ++i) {
    PARTITA_TRY(Value value, native_value(spec, spec.pattern->partition.all[i], inputs.all[i]));
    key.push_back(std::move(value));
  }
  return key;
}

// The partition key for each bucket, or the only one.
Result<std::vector<PartitionKey>> partitions_of(const GatheredInputs& inputs,
                                                const QuerySpec& spec) {
  const KeyTemplate& key = *spec.pattern->partition.all[0].key;
  std::vector<PartitionKey> partitions;
  if (key.native) {
    PARTITA_TRY(PartitionKey only, native_partition(spec, inputs));
    partitions.push_back(std::move(only));
    return partitions;
  }
  const unsigned buckets = std::max(1u, key.buckets());
  GatheredInputs each = inputs;
  for (unsigned bucket = 0; bucket < buckets; ++bucket) {
    for (std::size_t i = 0; i < key.count; ++i) {
      if (key.pieces[i].buckets != 0) {
        each.all[i] = {.kind = KeyInput::Kind::Bucket, .number = static_cast<int>(bucket)};
      }
    }
    KeyText text;
    const KeyProblem problem = write_key(key, each.all.data(), key.count, text);
    if (problem != KeyProblem::None) return bad_key(spec, problem, key);
    partitions.push_back({text_value(text.view())});
  }
  return partitions;
}

std::chrono::sys_seconds next_unit(std::chrono::sys_seconds time, TimeUnit unit) {
  using namespace std::chrono;
  const year_month_day date(floor<days>(time));
  switch (unit) {
    case TimeUnit::Year:
      return sys_days((date.year() + years(1)) / January / 1);
    case TimeUnit::Month:
      return sys_days((date.year() / date.month() + months(1)) / 1);
    case TimeUnit::Day:
      return floor<days>(time) + days(1);
    case TimeUnit::Hour:
      return floor<hours>(time) + hours(1);
    default:
      return floor<minutes>(time) + minutes(1);
  }
}

// ---- Ranges of the sort key

// The same bound in the order of the stored keys, when the last member given is reversed.
Bound reversed(Bound bound) {
  switch (bound) {
    case Bound::Before:
      return Bound::After;
    case Bound::After:
      return Bound::Before;
    case Bound::UpTo:
      return Bound::From;
    case Bound::From:
      return Bound::UpTo;
    default:
      return bound;
  }
}

SortRange::Kind native_kind(Bound bound) {
  switch (bound) {
    case Bound::BeginsWith:
      return SortRange::Kind::BeginsWith;
    case Bound::Before:
      return SortRange::Kind::Below;
    case Bound::UpTo:
      return SortRange::Kind::AtMost;
    case Bound::After:
      return SortRange::Kind::Above;
    case Bound::From:
      return SortRange::Kind::AtLeast;
    default:
      return SortRange::Kind::Equal;
  }
}

// Key attributes that are members: all given but the last are equal, the last is compared.
Result<void> set_native_range(const SortBound& bound, QuerySpec& spec) {
  spec.sort = {};
  for (std::size_t i = 0; i < bound.given; ++i) {
    PARTITA_TRY(Value value, native_value(spec, spec.pattern->sort.all[i], bound.inputs.all[i]));
    if (i + 1 < bound.given) {
      spec.sort.leading.push_back(std::move(value));
    } else {
      spec.sort.kind = native_kind(bound.bound);
      spec.sort.low = std::move(value);
    }
  }
  return {};
}

// What a bound says of a text key made by a template.
struct TextBound {
  Bound bound;
  std::string prefix;     // made of the members given
  std::string following;  // the text of the template behind them
  bool complete;          // all members given
};

Result<TextBound> text_bound(const SortBound& bound, const QuerySpec& spec) {
  const KeyTemplate& key = *spec.pattern->sort.all[0].key;
  KeyText text;
  const KeyProblem problem = write_key(key, bound.inputs.all.data(), bound.given, text);
  if (problem != KeyProblem::None && problem != KeyProblem::Empty) {
    return bad_key(spec, problem, key);
  }
  const bool turned = bound.given > 0 && key.pieces[bound.given - 1].reversed;
  const bool complete = bound.given == key.count;
  return TextBound{turned ? reversed(bound.bound) : bound.bound, std::string(text.view()),
                   complete ? std::string() : std::string(key.pieces[bound.given].literal),
                   complete};
}

void set_range(SortRange::Kind kind, std::string_view low, QuerySpec& spec) {
  spec.sort = {};
  spec.sort.kind = kind;
  spec.sort.low = text_value(low);
}

void set_between(std::string_view low, std::string_view high, QuerySpec& spec) {
  set_range(SortRange::Kind::Between, low, spec);
  spec.sort.high = text_value(high);
}

std::string lower_end(const TextBound& bound) {
  return bound.bound == Bound::After && !bound.complete
             ? bound.prefix + bound.following + std::string(kLastText)
             : bound.prefix;
}
std::string upper_end(const TextBound& bound) {
  return bound.bound == Bound::UpTo && !bound.complete
             ? bound.prefix + bound.following + std::string(kLastText)
             : bound.prefix;
}

}  // namespace

Result<void> add_partitions(const GatheredInputs& inputs, QuerySpec& spec) {
  PARTITA_TRY(auto partitions, partitions_of(inputs, spec));
  spec.groups.push_back(std::move(partitions));
  return {};
}

Result<void> add_time_partitions(const GatheredInputs& inputs, std::int64_t first_millisecond,
                                 std::int64_t last_millisecond, QuerySpec& spec) {
  using namespace std::chrono;
  const KeyTemplate& key = *spec.pattern->partition.all[0].key;
  GatheredInputs each = inputs;
  TimeUnit unit = TimeUnit::Day;
  for (const KeyPiece& piece : key.pieces) {
    if (piece.unit != TimeUnit::Whole) unit = piece.unit;
  }
  const sys_seconds last = floor<seconds>(sys_time<milliseconds>(milliseconds(last_millisecond)));
  sys_seconds at = floor<seconds>(sys_time<milliseconds>(milliseconds(first_millisecond)));
  for (; at <= last; at = next_unit(at, unit)) {
    if (spec.groups.size() == kTimeUnitsMax) {
      return Error::validation("a query within two times would read more than 10000 partitions");
    }
    for (std::size_t i = 0; i < key.count; ++i) {
      if (key.pieces[i].unit != TimeUnit::Whole) {
        each.all[i].number = duration_cast<milliseconds>(at.time_since_epoch()).count();
      }
    }
    PARTITA_CHECK(add_partitions(each, spec));
  }
  return {};
}

Result<void> set_sort_range(const SortBound& bound, QuerySpec& spec) {
  const KeyTemplate& key = *spec.pattern->sort.all[0].key;
  if (key.native) return set_native_range(bound, spec);
  PARTITA_TRY(const TextBound text, text_bound(bound, spec));
  const std::string start(key.fixed_start());
  switch (text.bound) {
    case Bound::Equal:
      set_range(SortRange::Kind::Equal, text.prefix, spec);
      break;
    case Bound::Under:
      if (bound.given == 0) break;  // nothing is asked of the sort key
      if (text.complete) {
        set_range(SortRange::Kind::Equal, text.prefix, spec);
      } else {
        set_range(SortRange::Kind::BeginsWith, text.prefix + text.following, spec);
      }
      break;
    case Bound::BeginsWith:
      set_range(SortRange::Kind::BeginsWith, text.prefix, spec);
      break;
    case Bound::Before:
    case Bound::UpTo:
      if (start.empty()) {
        const bool below = text.bound == Bound::Before;
        set_range(below ? SortRange::Kind::Below : SortRange::Kind::AtMost, upper_end(text), spec);
      } else {
        set_between(start, upper_end(text), spec);
      }
      break;
    case Bound::After:
    case Bound::From:
      if (start.empty()) {
        const bool above = text.bound == Bound::After;
        set_range(above ? SortRange::Kind::Above : SortRange::Kind::AtLeast, lower_end(text), spec);
      } else {
        set_between(lower_end(text), start + std::string(kLastText), spec);
      }
      break;
  }
  const bool excludes = text.bound == Bound::Before || text.bound == Bound::After;
  if (excludes && text.complete && spec.sort.kind == SortRange::Kind::Between) {
    spec.sort.excluded = text_value(text.prefix);
  }
  return {};
}

Result<void> set_sort_range(const SortBound& low, const SortBound& high, QuerySpec& spec) {
  if (spec.pattern->sort.all[0].key->native) {
    PARTITA_CHECK(set_native_range(high, spec));
    std::optional<Value> upper = std::move(spec.sort.low);
    PARTITA_CHECK(set_native_range(low, spec));
    spec.sort.kind = SortRange::Kind::Between;
    spec.sort.high = std::move(upper);
    return {};
  }
  PARTITA_TRY(const TextBound first, text_bound(low, spec));
  PARTITA_TRY(const TextBound second, text_bound(high, spec));
  const bool turned = first.bound != low.bound;
  const TextBound& lower = turned ? second : first;
  const TextBound& upper = turned ? first : second;
  set_between(lower_end(lower), upper_end(upper), spec);
  return {};
}

void set_default_range(QuerySpec& spec) {
  if (!spec.forward) std::reverse(spec.groups.begin(), spec.groups.end());
  if (spec.sort.kind != SortRange::Kind::All || spec.sort.leading.size() != 0) return;
  if (spec.pattern->sort.count == 0 || spec.whole_partition) return;
  const KeyTemplate& key = *spec.pattern->sort.all[0].key;
  if (!key.native && !key.fixed_start().empty()) {
    set_range(SortRange::Kind::BeginsWith, key.fixed_start(), spec);
  }
}

std::vector<std::string_view> add_keys_to_projection(QuerySpec& spec) {
  ExpressionSet& set = spec.expressions;
  std::vector<std::string_view> names{spec.plan->table->partition_key.name};
  if (spec.pattern->local || is_kept(spec, spec.plan->table->type_attribute)) {
    names.push_back(spec.plan->table->type_attribute);
  }
  if (!spec.plan->table->sort_key.name.empty()) names.push_back(spec.plan->table->sort_key.name);
  for (const KeyParts* parts : {&spec.pattern->partition, &spec.pattern->sort}) {
    for (std::size_t i = 0; i < parts->count; ++i) names.push_back(parts->all[i].attribute);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string_view name : names) {
    if (!set.projection.empty()) set.projection += ", ";
    set.name(set.projection, name);
  }
  return names;
}

}  // namespace partita::model::detail
