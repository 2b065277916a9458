#include "plan/read_plan.h"

#include <algorithm>

#include "value/key_encoding.h"

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
Result<void> check_start_attributes(const KeySchema& schema, ItemView start, bool of_source) {
  for (const auto* part : {&schema.partition, &schema.sort}) {
    for (const KeyAttribute& attribute : *part) {
      const std::optional<ValueView> value = start.find(attribute.name);
      if (!value) return no_start(of_source ? std::string_view() : kNotInSchema);
      if (!has_type(*value, attribute.type)) {
        return of_source ? Error::validation(std::string(kNotInSchema)) : no_start(kNotInSchema);
      }
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

Result<EncodedKey> encode_start(const ReadSource& source, ItemView start, bool query) {
  const bool knows_source = query || source.index != nullptr;
  if (start.count() != start_key_attributes(source)) {
    return no_start(knows_source ? std::string_view() : kNotInSchema);
  }
  if (knows_source) PARTITA_CHECK(check_start_attributes(source.key(), start, true));
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

Result<KeySelection> select_keys(const ReadSource& source, const KeyCondition& condition) {
  const KeySchema& schema = source.key();
  KeySelection selection;
  selection.range.slot = source.slot();
  std::size_t used = 0;

  for (const KeyAttribute& attribute : schema.partition) {
    const KeyClause* clause = find_clause(condition, attribute.name);
    if (!clause) return missed(attribute);
    PARTITA_CHECK(check_clause_values(attribute, *clause, true));
    if (clause->op != KeyOperator::Equal) {
      return Error::validation("Query key condition not supported");
    }
    append_key_component(clause->value, selection.partition.partition);
    ++used;
  }
  selection.partition.hash = partition_hash(selection.partition.partition);

  bool open = true;  // equal so far: the next sort attribute may be restricted too
  for (const KeyAttribute& attribute : schema.sort) {
    if (used == condition.clauses().size()) break;
    const KeyClause* clause = find_clause(condition, attribute.name);
    if (!clause) return missed(attribute);
    if (!open) return Error::validation("Query key condition not supported");
    PARTITA_CHECK(check_clause_values(attribute, *clause, false));
    narrow(*clause, selection.range);
    open = clause->op == KeyOperator::Equal;
    selection.has_sort_condition = true;
    ++used;
  }
  if (used != condition.clauses().size()) {
    return Error::validation("Query key condition not supported");
  }
  return selection;
}

Result<EncodedKey> start_of_query(const ReadSource& source, const KeySelection& selection,
                                  ItemView exclusive_start_key) {
  PARTITA_TRY(EncodedKey start, encode_start(source, exclusive_start_key, true));
  const bool same_partition = start.partition == selection.partition.partition;
  if (!selection.has_sort_condition) {
    if (!same_partition) {
      return Error::validation(
          "The provided starting key is outside query boundaries based on provided conditions");
    }
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
  PARTITA_TRY(EncodedKey start, encode_start(source, exclusive_start_key, false));
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
