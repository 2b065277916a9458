#include "plan/item_rules.h"

#include <algorithm>

#include "expression/update.h"
#include "value/key_encoding.h"

namespace partita {

namespace {

std::size_t key_value_bytes(ValueView value) {
  if (value.bytes()[0] == encoding::kString) return value.string().size();
  if (value.bytes()[0] == encoding::kBinary) return value.binary().size();
  return 0;  // numbers are always short enough
}

std::string_view scalar_name(ScalarType type) {
  return type == ScalarType::S ? "S" : type == ScalarType::N ? "N" : "B";
}

ValueType value_type(ScalarType type) {
  constexpr ValueType types[] = {ValueType::S, ValueType::N, ValueType::B};
  return types[static_cast<int>(type)];
}

Error index_key_mismatch(const IndexSchema& index, const KeyAttribute& attribute,
                         ValueType actual) {
  return Error::validation(
      "One or more parameter values were invalid: Type mismatch for Index Key " + attribute.name +
      " Expected: " + std::string(scalar_name(attribute.type)) +
      " Actual: " + std::string(type_name(actual)) + " IndexName: " + index.name);
}

bool is_empty(ValueView value) { return !value.is(ValueType::N) && key_value_bytes(value) == 0; }

std::string_view kind_of_empty(ValueView value) {
  return value.is(ValueType::S) ? "string" : "binary";
}

Error updated_to_empty(ValueView value) {
  return Error::validation(
      "One or more parameter values are not valid. The update expression attempted to update a "
      "secondary index key to a value that is not supported. The AttributeValue for a key "
      "attribute cannot contain an empty " +
      std::string(kind_of_empty(value)) + " value.");
}

// AWS leaves out the space before the number of the first message.
Result<void> check_key_size(std::size_t bytes, bool partition) {
  if (partition && bytes > kPartitionKeyBytesMax) {
    return Error::validation(
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
        "limit of2048 bytes");
  }
  if (!partition && bytes > kSortKeyBytesMax) {
    return Error::validation(
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded "
        "the size limit of 1024 bytes");
  }
  return {};
}

// Calls visit(attribute, in partition part) for each key attribute until one fails.
template <typename Visit>
Result<void> for_each_key_attribute(const KeySchema& schema, Visit visit) {
  for (const KeyAttribute& attribute : schema.partition) PARTITA_CHECK(visit(attribute, true));
  for (const KeyAttribute& attribute : schema.sort) PARTITA_CHECK(visit(attribute, false));
  return {};
}

// Calls visit(index) for each index that writes still keep up, until one fails.
template <typename Visit>
Result<void> for_each_kept_index(const TableSchema& table, Visit visit) {
  for (const IndexSchema& index : table.global_indexes) {
    if (index.phase != IndexPhase::Leaving) PARTITA_CHECK(visit(index));
  }
  for (const IndexSchema& index : table.local_indexes) PARTITA_CHECK(visit(index));
  return {};
}

// Encodes after every attribute has been found valid by `check(attribute, value or none,
// partition)`.
template <typename Check>
Result<EncodedKey> encode_checked(const KeySchema& schema, ItemView item, Check check) {
  EncodedKey key;
  PARTITA_CHECK(for_each_key_attribute(
      schema, [&](const KeyAttribute& attribute, bool partition) -> Result<void> {
        const std::optional<ValueView> value = item.find(attribute.name);
        PARTITA_CHECK(check(attribute, value));
        PARTITA_CHECK(check_key_value(attribute, *value, partition));
        append_key_component(*value, partition ? key.partition : key.sort);
        return {};
      }));
  key.hash = partition_hash(key.partition);
  return key;
}

}  // namespace

bool has_type(ValueView value, ScalarType type) {
  constexpr char kinds[] = {encoding::kString, encoding::kNumber, encoding::kBinary};
  return value.bytes()[0] == kinds[static_cast<int>(type)];
}

Result<void> check_key_attributes(const TableSchema& table,
                                  FunctionRef<bool(std::string_view)> leads_inside) {
  const auto check = [&](const KeySchema& key, std::string_view kind) {
    return for_each_key_attribute(key, [&](const KeyAttribute& attribute, bool) -> Result<void> {
      if (!leads_inside(attribute.name)) return {};
      return Error::validation(std::string("Key attributes must be scalars; list random "
                                           "access '[]' and map lookup '.' are not "
                                           "allowed: ")
                                   .append(kind) +
                               attribute.name);
    });
  };
  PARTITA_CHECK(check(table.key, "Key: "));
  for (const auto* indexes : {&table.global_indexes, &table.local_indexes}) {
    for (const IndexSchema& index : *indexes) PARTITA_CHECK(check(index.key, "IndexKey: "));
  }
  return {};
}

Result<void> check_key_value(const KeyAttribute& attribute, ValueView value, bool partition) {
  if (is_empty(value)) [[unlikely]] {
    return Error::validation(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
        "contain an empty " +
        std::string(kind_of_empty(value)) + " value. Key: " + attribute.name);
  }
  return check_key_size(key_value_bytes(value), partition);
}

Result<EncodedKey> key_of_item(const KeySchema& schema, ItemView item) {
  return encode_checked(
      schema, item,
      [](const KeyAttribute& attribute, const std::optional<ValueView>& value) -> Result<void> {
        if (!value) [[unlikely]] {
          return Error::validation("One or more parameter values were invalid: Missing the key " +
                                   attribute.name + " in the item");
        }
        if (!has_type(*value, attribute.type)) [[unlikely]] {
          return Error::validation(
              "One or more parameter values were invalid: Type mismatch for key " + attribute.name +
              " expected: " + std::string(scalar_name(attribute.type)) +
              " actual: " + std::string(type_name(value->type())));
        }
        return {};
      });
}

Result<EncodedKey> key_of_request(const KeySchema& schema, ItemView key) {
  const auto mismatch = [] {
    return Error::validation("The provided key element does not match the schema");
  };
  if (key.count() != schema.partition.size() + schema.sort.size()) return mismatch();
  return encode_checked(
      schema, key,
      [&](const KeyAttribute& attribute, const std::optional<ValueView>& value) -> Result<void> {
        if (!value || !has_type(*value, attribute.type)) return mismatch();
        return {};
      });
}

std::string expiry_partition(unsigned part) {
  std::string key;
  append_key_component(Value::number(std::int64_t{part}), key);
  return key;
}

std::optional<IndexKeyValues> index_key_values(const IndexSchema& index, AttributeFinder& item) {
  std::optional<IndexKeyValues> values(std::in_place);
  const auto find_all = [&](const std::vector<KeyAttribute>& attributes, std::size_t bytes_max) {
    for (const KeyAttribute& attribute : attributes) {
      const std::optional<ValueView> value = item.find(attribute.name);
      // An index built later meets items that were written before it could refuse them.
      if (!value || !has_type(*value, attribute.type)) return false;
      if (attribute.type != ScalarType::N) {
        const std::size_t bytes = key_value_bytes(*value);
        if (bytes == 0 || bytes > bytes_max) return false;
      }
      values->encoded[values->count++] = value->bytes();
    }
    return true;
  };
  if (!find_all(index.key.partition, kPartitionKeyBytesMax) ||
      !find_all(index.key.sort, kSortKeyBytesMax)) {
    values.reset();
  }
  return values;
}

EncodedKey place_in_index(const IndexSchema& index, const IndexKeyValues& values,
                          const EncodedKey& item_key) {
  EncodedKey key;
  if (index.by_expiry) key.partition = expiry_partition(expiry_part_of(item_key.hash));
  for (std::size_t i = 0; i < values.count; ++i) {
    append_key_component(ValueView(values.encoded[i]),
                         i < index.key.partition.size() ? key.partition : key.sort);
  }
  if (index.global) key.sort += item_key.partition;
  key.sort += item_key.sort;
  key.hash = partition_hash(key.partition);
  return key;
}

std::optional<EncodedKey> key_in_index(const TableSchema& table, const IndexSchema& index,
                                       ItemView item) {
  AttributeFinder attributes(item);
  const auto values = index_key_values(index, attributes);
  if (!values) return std::nullopt;
  const auto item_key = key_of_item(table.key, item);
  if (!item_key) return std::nullopt;
  return place_in_index(index, *values, *item_key);
}

bool index_keeps(const TableSchema& table, const IndexSchema& index, std::string_view attribute) {
  return index.projection == ProjectionType::All || index.key.names(attribute) ||
         table.key.names(attribute) ||
         std::find(index.non_key_attributes.begin(), index.non_key_attributes.end(), attribute) !=
             index.non_key_attributes.end();
}

namespace {

Result<void> check_index_key(const IndexSchema& index, const KeyAttribute& attribute,
                             bool partition, ValueView value, WrittenBy by) {
  if (!has_type(value, attribute.type)) {
    if (by == WrittenBy::Put) return index_key_mismatch(index, attribute, value.type());
    return Error::validation(
        "The update expression attempted to update the secondary index key to unsupported type");
  }
  if (is_empty(value)) {
    if (by == WrittenBy::Update) return updated_to_empty(value);
    return Error::validation(
        "One or more parameter values are not valid. A value specified for a secondary index key "
        "is not supported. The AttributeValue for a key attribute cannot contain an empty " +
        std::string(kind_of_empty(value)) + " value. IndexName: " + index.name +
        ", IndexKey: " + attribute.name);
  }
  return check_key_size(key_value_bytes(value), partition);
}

// What is wrong with several indexes is told of the one whose name comes first, as on AWS.
template <typename Check>
Result<void> check_each_index(const TableSchema& table, Check check) {
  const IndexSchema* worst = nullptr;
  Result<void> fault;
  PARTITA_CHECK(for_each_kept_index(table, [&](const IndexSchema& index) -> Result<void> {
    Result<void> checked = check(index);
    if (!checked && (!worst || index.name < worst->name)) {
      worst = &index;
      fault = std::move(checked);
    }
    return {};
  }));
  return fault;
}

}  // namespace

Result<void> check_index_keys(const TableSchema& table, ItemView item, WrittenBy by,
                              std::optional<ItemView> previous) {
  if (table.global_indexes.empty() && table.local_indexes.empty()) return {};
  AttributeFinder attributes(item);
  return check_each_index(table, [&](const IndexSchema& index) {
    return for_each_key_attribute(
        index.key, [&](const KeyAttribute& attribute, bool partition) -> Result<void> {
          const std::optional<ValueView> value = attributes.find(attribute.name);
          if (!value) return {};
          Result<void> checked = check_index_key(index, attribute, partition, *value, by);
          if (!checked && previous && previous->find(attribute.name) == value) return {};
          return checked;
        });
  });
}

Result<void> check_index_key_types(const TableSchema& table, const Update& update) {
  return check_each_index(table, [&](const IndexSchema& index) {
    return for_each_key_attribute(index.key,
                                  [&](const KeyAttribute& attribute, bool) -> Result<void> {
                                    const auto given = update.given_to(attribute.name);
                                    if (!given) return {};
                                    if (given->type != value_type(attribute.type)) {
                                      return index_key_mismatch(index, attribute, given->type);
                                    }
                                    if (given->value && is_empty(*given->value))
                                      return updated_to_empty(*given->value);
                                    return {};
                                  });
  });
}

}  // namespace partita
