#include "plan/read_plan.h"

#include <algorithm>

#include "value/key_encoding.h"
#include "value/number.h"

namespace partita {

namespace {

__extension__ typedef unsigned __int128 Wide;

// The bound after every string that starts with `prefix`; none when there is no such bound.
std::optional<std::string> bound_after(Bytes prefix) {
  std::string bound = after_prefix(prefix);
  if (bound.empty()) return std::nullopt;
  return bound;
}

const KeyClause* find_clause(const KeyCondition& condition, std::string_view attribute) {
  for (const KeyClause& clause : condition.clauses()) {
    if (clause.attribute == attribute) return &clause;
  }
  return nullptr;
}

Result<void> check_clause_values(const KeyAttribute& attribute, const KeyClause& clause,
                                 bool partition) {
  if (clause.op == KeyOperator::NotIndexable) {
    return Error::validation("Attempted conditional constraint is not an indexable operation");
  }
  const auto check = [&](ValueView value) -> Result<void> {
    if (!has_type(value, attribute.type)) {
      return Error::validation(
          "One or more parameter values were invalid: Condition parameter type does not match "
          "schema type");
    }
    return check_key_value(attribute, value, partition);
  };
  PARTITA_CHECK(check(clause.value));
  if (clause.upper) PARTITA_CHECK(check(*clause.upper));
  return {};
}

Error missed(const KeyAttribute& attribute) {
  return Error::validation("Query condition missed key schema element: " + attribute.name);
}

constexpr const char* kNotSupported = "Query key condition not supported";

// An index whose key has several partition attributes is told of in terms of them.
Error partition_not_supported(const KeySchema& schema) {
  if (schema.partition.size() == 1) return Error::validation(kNotSupported);
  return Error::validation(std::string(kNotSupported) +
                           ": every HASH key attribute needs an equality condition");
}

// A sort attribute that has a condition comes after one that has none, or not one of equality.
Error sort_not_supported(const KeyAttribute& needed, const KeyAttribute& restricted) {
  return Error::validation(std::string(kNotSupported) + ": RANGE key attribute " + needed.name +
                           " needs an equality condition, because " + restricted.name +
                           " comes after it");
}

// The last of the sort attributes that have a condition; none if no one has.
const KeyAttribute* last_restricted(const KeySchema& schema, const KeyCondition& condition) {
  const auto last =
      std::find_if(schema.sort.rbegin(), schema.sort.rend(), [&](const KeyAttribute& attribute) {
        return find_clause(condition, attribute.name) != nullptr;
      });
  return last == schema.sort.rend() ? nullptr : &*last;
}

// Narrows `range`, whose lower bound is the encoded equal components so far, by the last condition.
void narrow(const KeyClause& clause, KeyRange& range) {
  const std::string prefix = range.lower;
  std::string value = prefix;
  if (clause.op == KeyOperator::BeginsWith) {
    append_key_prefix(clause.value, value);
  } else {
    append_key_component(clause.value, value);
  }
  range.upper = bound_after(prefix);
  switch (clause.op) {
    case KeyOperator::Less:
      range.upper = value;
      break;
    case KeyOperator::LessOrEqual:
      range.upper = bound_after(value);
      break;
    case KeyOperator::Greater:
      range.lower = after_prefix(value);
      break;
    case KeyOperator::GreaterOrEqual:
      range.lower = value;
      break;
    case KeyOperator::Between: {
      range.lower = value;
      std::string upper = prefix;
      append_key_component(*clause.upper, upper);
      range.upper = bound_after(upper);
      break;
    }
    case KeyOperator::Equal:
    case KeyOperator::NotIndexable:  // never comes as far
    case KeyOperator::BeginsWith:
      range.lower = value;
      range.upper = bound_after(value);
      break;
  }
}

bool covers(const KeyRange& range, Bytes sort) {
  return sort >= range.lower && (!range.upper || sort < *range.upper);
}

Error no_start(std::string_view why = {}) {
  std::string message = "The provided starting key is invalid";
  if (!why.empty()) message.append(": ").append(why);
  return Error::validation(std::move(message));
}

constexpr std::string_view kNotInSchema = "The provided key element does not match the schema";

// Which key an attribute of an ExclusiveStartKey belongs to decides how DynamoDB words it.
Result<void> check_start_attribute(const KeyAttribute& attribute, ItemView start, bool of_source) {
  const std::optional<ValueView> value = start.find(attribute.name);
  if (!value) return no_start(of_source ? std::string_view() : kNotInSchema);
  if (!has_type(*value, attribute.type)) {
    return of_source ? Error::validation(std::string(kNotInSchema)) : no_start(kNotInSchema);
  }
  return {};
}

Result<void> check_start_attributes(const KeySchema& schema, ItemView start, bool of_source) {
  for (const auto* part : {&schema.partition, &schema.sort}) {
    for (const KeyAttribute& attribute : *part) {
      PARTITA_CHECK(check_start_attribute(attribute, start, of_source));
    }
  }
  return {};
}

// Key attributes of the source and of the table, each counted once.
std::size_t start_key_attributes(const ReadSource& source) {
  const KeySchema& table_key = source.table->key;
  std::size_t count = table_key.partition.size() + table_key.sort.size();
  if (!source.index) return count;
  for (const auto* part : {&source.index->key.partition, &source.index->key.sort}) {
    count += static_cast<std::size_t>(std::count_if(
        part->begin(), part->end(),
        [&](const KeyAttribute& attribute) { return !table_key.names(attribute.name); }));
  }
  return count;
}

// There is one item under this key, and a start is exclusive.
Error nothing_after(ItemView start) {
  std::string shown;
  for (const Attribute attribute : start) {
    shown.append(shown.empty() ? "" : ", ").append(attribute.name).append("=AttributeValue: {");
    shown.append(type_name(attribute.value.type())).append(":");
    if (attribute.value.is(ValueType::S)) shown.append(attribute.value.string());
    if (attribute.value.is(ValueType::N)) print_number(attribute.value.ordered_number(), shown);
    shown.append("}");
  }
  return Error::validation("The provided exclusive start key is invalid: ExclusiveStartKey: {" +
                           shown + "}");
}

Result<EncodedKey> encode_start(const ReadSource& source, ItemView start) {
  PARTITA_CHECK(check_start_attributes(source.table->key, start, false));
  auto key = key_of_item(source.table->key, start);
  if (!key) return no_start(key.error().message());
  if (!source.index) return key;
  std::optional<EncodedKey> in_index = key_in_index(*source.table, *source.index, start);
  if (!in_index) return no_start();
  return *std::move(in_index);
}

}  // namespace

Result<ReadSource> find_source(TablePointer table, std::optional<std::string_view> index_name,
                               bool consistent_read) {
  ReadSource source{std::move(table), nullptr};
  if (!index_name) return source;
  source.index = source.table->find_index(*index_name);
  if (!source.index || source.index->phase == IndexPhase::Leaving) {
    return Error::validation("The table does not have the specified index: " +
                             std::string(*index_name));
  }
  if (source.index->global && consistent_read) {
    return Error::validation("Consistent reads are not supported on global secondary indexes");
  }
  if (source.index->phase != IndexPhase::Serving) {
    return Error::validation("Cannot read from backfilling global secondary index: " +
                             source.index->name);
  }
  return source;
}

Result<void> check_start_of_scan(const ReadSource& source, ItemView exclusive_start_key) {
  if (exclusive_start_key.count() != start_key_attributes(source)) {
    return no_start(source.index ? std::string_view() : kNotInSchema);
  }
  if (!source.index) return {};
  return check_start_attributes(source.key(), exclusive_start_key, true);
}

Result<KeySelection> select_keys(const ReadSource& source, const KeyCondition& condition,
                                 const std::optional<ItemView>& exclusive_start_key) {
  if (exclusive_start_key && exclusive_start_key->count() != start_key_attributes(source)) {
    return no_start();
  }
  const auto check_start = [&](const KeyAttribute& attribute) -> Result<void> {
    if (!exclusive_start_key) return {};
    return check_start_attribute(attribute, *exclusive_start_key, true);
  };
  const KeySchema& schema = source.key();
  KeySelection selection;
  selection.range.slot = source.slot();
  std::size_t used = 0;
  const bool too_many =
      schema.partition.size() == 1 && schema.sort.empty() && condition.clauses().size() > 1;

  for (const KeyAttribute& attribute : schema.partition) {
    PARTITA_CHECK(check_start(attribute));
    if (too_many) return partition_not_supported(schema);
    const KeyClause* clause = find_clause(condition, attribute.name);
    if (!clause) {
      return schema.partition.size() > 1 ? partition_not_supported(schema) : missed(attribute);
    }
    PARTITA_CHECK(check_clause_values(attribute, *clause, true));
    if (clause->op != KeyOperator::Equal) return partition_not_supported(schema);
    append_key_component(clause->value, selection.partition.partition);
    ++used;
  }
  selection.partition.hash = partition_hash(selection.partition.partition);

  const KeyAttribute* unequal = nullptr;  // after it no sort attribute may be restricted
  for (const KeyAttribute& attribute : schema.sort) {
    PARTITA_CHECK(check_start(attribute));
    if (used == condition.clauses().size()) continue;
    const KeyClause* clause = find_clause(condition, attribute.name);
    if (!clause) {
      const KeyAttribute* restricted = last_restricted(schema, condition);
      return restricted ? sort_not_supported(attribute, *restricted) : missed(attribute);
    }
    if (unequal) return sort_not_supported(*unequal, attribute);
    PARTITA_CHECK(check_clause_values(attribute, *clause, false));
    narrow(*clause, selection.range);
    if (clause->op != KeyOperator::Equal) unequal = &attribute;
    selection.has_sort_condition = true;
    ++used;
  }
  if (used != condition.clauses().size()) return Error::validation(kNotSupported);
  return selection;
}

Result<EncodedKey> start_of_query(const ReadSource& source, const KeySelection& selection,
                                  ItemView exclusive_start_key) {
  PARTITA_TRY(EncodedKey start, encode_start(source, exclusive_start_key));
  const bool same_partition = start.partition == selection.partition.partition;
  if (!selection.has_sort_condition) {
    if (!same_partition) {
      return Error::validation(
          "The provided starting key is outside query boundaries based on provided conditions");
    }
    if (!source.index && !source.table->has_sort_key()) return nothing_after(exclusive_start_key);
    return start;
  }
  if (!covers(selection.range, start.sort)) {
    return Error::validation("The provided starting key does not match the range key predicate");
  }
  if (!same_partition) {
    return Error::validation("The query can return at most one row and cannot be restarted");
  }
  return start;
}

Result<EncodedKey> start_of_scan(const ReadSource& source, ItemView exclusive_start_key,
                                 std::optional<ScanSegment> segment) {
  PARTITA_TRY(EncodedKey start, encode_start(source, exclusive_start_key));
  if (!segment) return start;
  const HashRange range = segment->range();
  if (start.hash < range.first || start.hash > range.last) {
    return no_start(
        "Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "
        "TotalSegments: " +
        std::to_string(segment->total) + " Segment: " + std::to_string(segment->number));
  }
  return start;
}

Result<void> check_query_filter(const ReadSource& source, const Condition& filter,
                                std::string_view parameter) {
  for (const auto* part : {&source.key().partition, &source.key().sort}) {
    for (const KeyAttribute& attribute : *part) {
      if (filter.names_top_level(attribute.name)) {
        return Error::validation(
            std::string(parameter) +
            " can only contain non-primary key attributes: Primary key attribute: " +
            attribute.name);
      }
    }
  }
  return {};
}

HashRange ScanSegment::range() const {
  // floor(i * 2^64 / n), so that neighbours meet exactly.
  const auto first = [&](std::int64_t i) {
    return (static_cast<Wide>(i) << 64) / static_cast<unsigned>(total);
  };
  return {static_cast<std::uint64_t>(first(number)),
          static_cast<std::uint64_t>(first(number + 1) - 1)};
}

}  // namespace partita
