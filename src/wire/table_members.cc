#include "wire/table_members.h"

#include <limits>

#include "formats/typed_json.h"
#include "wire/enum_names.h"
#include "wire/kept_elements.h"

namespace partita::table_members {

namespace {

constexpr std::int64_t kLongMax = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kAttributeNameLengthMax = 255;
constexpr std::size_t kNonKeyAttributesMax = 20;

std::string model_class(std::string_view name) {
  return std::string("com.amazonaws.dynamodb.v20120810.").append(name);
}

// Calls read(name) for each member of the structure just entered that is not null.
template <typename Read>
void for_each_member(JsonReader& json, Read read) {
  for (std::string_view name; json.next_member(name);) {
    if (!json.read_null()) read(name);
  }
}

// A list of structures of this class; read() reads the members of one.
template <typename Element, typename Read>
std::vector<Element> read_list(JsonReader& json, std::string_view structure_class, Read read) {
  std::vector<Element> elements;
  const std::string element_class = model_class(structure_class);
  enter_list(json);
  while (json.next_element()) {
    Element& element = next_place(elements);
    if (json.read_null()) continue;
    enter_element_structure(json, element_class);
    for_each_member(json, [&](std::string_view name) { read(name, element); });
  }
  return elements;
}

template <typename Structure, typename Read>
Structure read_structure(JsonReader& json, std::string_view structure_class, Read read) {
  Structure structure;
  enter_member_structure(json, model_class(structure_class));
  for_each_member(json, [&](std::string_view name) { read(name, structure); });
  return structure;
}

std::vector<RawAttribute> read_attributes(JsonReader& json, std::string_view structure_class,
                                          std::string_view type_member) {
  return read_list<RawAttribute>(json, structure_class,
                                 [&](std::string_view name, RawAttribute& attribute) {
                                   if (name == "AttributeName") {
                                     attribute.name = read_text(json);
                                   } else if (name == type_member) {
                                     attribute.type = read_text(json);
                                   } else {
                                     json.skip_value();
                                   }
                                 });
}

std::vector<std::string_view> read_texts(JsonReader& json) {
  std::vector<std::string_view> texts;
  enter_list(json);
  while (json.next_element()) next_place(texts) = json.read_null() ? "" : read_text(json);
  return texts;
}

RawProjection read_projection(JsonReader& json) {
  return read_structure<RawProjection>(json, "Projection",
                                       [&](std::string_view name, RawProjection& projection) {
                                         if (name == "ProjectionType") {
                                           projection.type = read_text(json);
                                         } else if (name == "NonKeyAttributes") {
                                           projection.non_key_attributes = read_texts(json);
                                         } else {
                                           json.skip_value();
                                         }
                                       });
}

void read_index_member(JsonReader& json, std::string_view name, RawIndex& index) {
  if (name == "IndexName") {
    index.name = read_text(json);
  } else if (name == "KeySchema") {
    index.key_schema = read_key_schema(json);
  } else if (name == "Projection") {
    index.projection = read_projection(json);
  } else if (name == "ProvisionedThroughput") {
    index.provisioned_throughput = read_provisioned_throughput(json);
  } else if (name == "OnDemandThroughput") {
    index.on_demand_throughput = read_on_demand_throughput(json);
  } else if (name == "WarmThroughput") {
    index.warm_throughput = read_warm_throughput(json);
  } else {
    json.skip_value();
  }
}

// Both kinds of throughput: two Longs with names of their own.
template <typename Units>
Units read_units(JsonReader& json, std::string_view structure_class, std::string_view read_member,
                 std::optional<std::int64_t> Units::*read_units, std::string_view write_member,
                 std::optional<std::int64_t> Units::*write_units) {
  return read_structure<Units>(json, structure_class, [&](std::string_view name, Units& units) {
    if (name == read_member) {
      units.*read_units = read_long(json);
    } else if (name == write_member) {
      units.*write_units = read_long(json);
    } else {
      json.skip_value();
    }
  });
}

// A structure's required name of an attribute.
std::string checked_attribute_name(ShapeRules& rules, const std::string& path, const Text& name) {
  rules.not_null(path, name.has_value());
  if (!name) return {};
  rules.length(path, *name, 1, kAttributeNameLengthMax);
  return std::string(*name);
}

// As Java shows a list of key schema elements.
std::string shown(const std::vector<RawAttribute>& key_schema) {
  std::string list = "[";
  for (const RawAttribute& element : key_schema) {
    if (list.size() > 1) list.append(", ");
    list.append("KeySchemaElement(attributeName=").append(element.name.value_or("null"));
    list.append(", keyType=").append(element.type.value_or("null")).append(")");
  }
  return list + "]";
}

std::string shown(const std::vector<std::string_view>& texts) {
  std::string list = "[";
  for (std::string_view text : texts) list.append(list.size() > 1 ? ", " : "").append(text);
  return list + "]";
}

Projection checked_projection(ShapeRules& rules, const std::string& path,
                              const std::optional<RawProjection>& raw) {
  Projection projection;
  rules.not_null(path, raw.has_value());
  if (!raw) return projection;
  projection.type = rules.word(path + ".projectionType", raw->type, kProjectionType);
  if (!raw->non_key_attributes) return projection;
  const std::string names_path = path + ".nonKeyAttributes";
  rules.list_length(names_path, raw->non_key_attributes->size(), 1, kNonKeyAttributesMax,
                    shown(*raw->non_key_attributes));
  for (std::size_t i = 0; i < raw->non_key_attributes->size(); ++i) {
    projection.non_key_attributes.push_back(
        checked_attribute_name(rules, member_path(names_path, i), (*raw->non_key_attributes)[i]));
  }
  projection.has_non_key_attributes = true;
  return projection;
}

}  // namespace

std::string member_path(std::string_view path, std::size_t index) {
  return std::string(path).append(".").append(std::to_string(index + 1)).append(".member");
}

// ---- Reading

std::vector<RawAttribute> read_attribute_definitions(JsonReader& json) {
  return read_attributes(json, "AttributeDefinition", "AttributeType");
}

std::vector<RawAttribute> read_key_schema(JsonReader& json) {
  return read_attributes(json, "KeySchemaElement", "KeyType");
}

std::vector<RawIndex> read_indexes(JsonReader& json, std::string_view structure_class) {
  return read_list<RawIndex>(json, structure_class, [&](std::string_view name, RawIndex& index) {
    read_index_member(json, name, index);
  });
}

RawIndex read_index_members(JsonReader& json) {
  RawIndex index;
  for_each_member(json, [&](std::string_view name) { read_index_member(json, name, index); });
  return index;
}

RawThroughput read_provisioned_throughput(JsonReader& json) {
  return read_units(json, "ProvisionedThroughput", "ReadCapacityUnits", &RawThroughput::read_units,
                    "WriteCapacityUnits", &RawThroughput::write_units);
}

OnDemandThroughput read_on_demand_throughput(JsonReader& json) {
  return read_units(json, "OnDemandThroughput", "MaxReadRequestUnits",
                    &OnDemandThroughput::max_read_request_units, "MaxWriteRequestUnits",
                    &OnDemandThroughput::max_write_request_units);
}

WarmThroughput read_warm_throughput(JsonReader& json) {
  return read_units(json, "WarmThroughput", "ReadUnitsPerSecond",
                    &WarmThroughput::read_units_per_second, "WriteUnitsPerSecond",
                    &WarmThroughput::write_units_per_second);
}

RawStream read_stream(JsonReader& json) {
  return read_structure<RawStream>(json, "StreamSpecification",
                                   [&](std::string_view name, RawStream& stream) {
                                     if (name == "StreamEnabled") {
                                       stream.enabled = read_truth(json);
                                     } else if (name == "StreamViewType") {
                                       stream.view_type = read_text(json);
                                     } else {
                                       json.skip_value();
                                     }
                                   });
}

RawTimeToLive read_time_to_live(JsonReader& json) {
  return read_structure<RawTimeToLive>(json, "TimeToLiveSpecification",
                                       [&](std::string_view name, RawTimeToLive& raw) {
                                         if (name == "Enabled") {
                                           raw.enabled = read_truth(json);
                                         } else if (name == "AttributeName") {
                                           raw.attribute_name = read_text(json);
                                         } else {
                                           json.skip_value();
                                         }
                                       });
}

RawSse read_sse(JsonReader& json) {
  return read_structure<RawSse>(json, "SSESpecification", [&](std::string_view name, RawSse& sse) {
    if (name == "Enabled") {
      sse.enabled = read_truth(json);
    } else if (name == "SSEType") {
      sse.type = read_text(json);
    } else if (name == "KMSMasterKeyId") {
      sse.key_id = read_text(json);
    } else {
      json.skip_value();
    }
  });
}

std::vector<RawTag> read_tags(JsonReader& json) {
  return read_list<RawTag>(json, "Tag", [&](std::string_view name, RawTag& tag) {
    if (name == "Key") {
      tag.key = read_text(json);
    } else if (name == "Value") {
      tag.value = read_text(json);
    } else {
      json.skip_value();
    }
  });
}

std::vector<Text> read_tag_keys(JsonReader& json) {
  std::vector<Text> keys;
  enter_list(json);
  while (json.next_element()) next_place(keys) = json.read_null() ? Text() : Text(read_text(json));
  return keys;
}

// ---- Checking

namespace {

Error missing_tag_key() { return Error::validation("The Tag Key provided is invalid, Key: null"); }

}  // namespace

std::vector<AttributeDefinition> checked_definitions(ShapeRules& rules,
                                                     const std::vector<RawAttribute>& raw) {
  std::vector<AttributeDefinition> definitions;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const std::string path = member_path("attributeDefinitions", i);
    AttributeDefinition& definition = definitions.emplace_back();
    definition.name = checked_attribute_name(rules, path + ".attributeName", raw[i].name);
    rules.not_null(path + ".attributeType", raw[i].type.has_value());
    definition.type =
        rules.word(path + ".attributeType", raw[i].type, kScalarType).value_or(ScalarType::S);
  }
  return definitions;
}

std::vector<KeySchemaElement> checked_key_schema(
    ShapeRules& rules, const std::string& path, const std::optional<std::vector<RawAttribute>>& raw,
    std::size_t elements_max) {
  std::vector<KeySchemaElement> key_schema;
  rules.not_null(path, raw.has_value());
  if (!raw) return key_schema;
  rules.list_length(path, raw->size(), 1, elements_max, shown(*raw));
  for (std::size_t i = 0; i < raw->size(); ++i) {
    const std::string element_path = member_path(path, i);
    const RawAttribute& given = (*raw)[i];
    KeySchemaElement& element = key_schema.emplace_back();
    element.name = checked_attribute_name(rules, element_path + ".attributeName", given.name);
    rules.not_null(element_path + ".keyType", given.type.has_value());
    element.type =
        rules.word(element_path + ".keyType", given.type, kKeyType).value_or(KeyType::Hash);
  }
  return key_schema;
}

std::optional<ProvisionedThroughput> checked_throughput(ShapeRules& rules, const std::string& path,
                                                        const std::optional<RawThroughput>& raw) {
  if (!raw) return std::nullopt;
  const auto units = [&](const std::string& member, std::optional<std::int64_t> given) {
    rules.not_null(member, given.has_value());
    if (given) rules.range(member, *given, 1, kLongMax);
    return given.value_or(0);
  };
  ProvisionedThroughput throughput;
  throughput.write_capacity_units = units(path + ".writeCapacityUnits", raw->write_units);
  throughput.read_capacity_units = units(path + ".readCapacityUnits", raw->read_units);
  return throughput;
}

std::string checked_index_name(ShapeRules& rules, const std::string& path, const Text& name) {
  rules.not_null(path, name.has_value());
  if (!name) return {};
  rules.resource_name(path, *name);
  return std::string(*name);
}

LocalSecondaryIndex checked_local_index(ShapeRules& rules, const std::string& path,
                                        const RawIndex& raw) {
  LocalSecondaryIndex index;
  index.index_name = checked_index_name(rules, path + ".indexName", raw.name);
  index.key_schema =
      checked_key_schema(rules, path + ".keySchema", raw.key_schema, kTableKeyElementsMax);
  index.projection = checked_projection(rules, path + ".projection", raw.projection);
  return index;
}

GlobalSecondaryIndex checked_global_index(ShapeRules& rules, const std::string& path,
                                          const RawIndex& raw) {
  GlobalSecondaryIndex index;
  index.index_name = checked_index_name(rules, path + ".indexName", raw.name);
  index.key_schema =
      checked_key_schema(rules, path + ".keySchema", raw.key_schema, kGlobalIndexKeyElementsMax);
  index.projection = checked_projection(rules, path + ".projection", raw.projection);
  index.provisioned_throughput =
      checked_throughput(rules, path + ".provisionedThroughput", raw.provisioned_throughput);
  index.on_demand_throughput = raw.on_demand_throughput;
  index.warm_throughput = raw.warm_throughput;
  return index;
}

std::optional<StreamSpecification> checked_stream(ShapeRules& rules,
                                                  const std::optional<RawStream>& raw) {
  if (!raw) return std::nullopt;
  StreamSpecification stream;
  rules.not_null("streamSpecification.streamEnabled", raw->enabled.has_value());
  stream.stream_enabled = raw->enabled.value_or(false);
  stream.stream_view_type =
      rules.word("streamSpecification.streamViewType", raw->view_type, kStreamViewType);
  return stream;
}

std::optional<SseSpecification> checked_sse(ShapeRules& rules, const std::optional<RawSse>& raw) {
  if (!raw) return std::nullopt;
  enum class SseType : std::uint8_t { Aes256, Kms };
  constexpr std::array<EnumName<SseType>, 2> kSseType = {
      {{"AES256", SseType::Aes256}, {"KMS", SseType::Kms}}};
  SseSpecification sse;
  sse.enabled = raw->enabled;
  rules.word("sSESpecification.sSEType", raw->type, kSseType);
  if (raw->type) sse.sse_type = std::string(*raw->type);
  if (raw->key_id) {
    constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();
    rules.length("sSESpecification.kMSMasterKeyId", *raw->key_id, 1, kAnyLength);
    sse.kms_master_key_id = std::string(*raw->key_id);
  }
  return sse;
}

Result<std::vector<Tag>> checked_tags(const std::vector<RawTag>& raw) {
  std::vector<Tag> tags;
  for (const RawTag& given : raw) {
    if (!given.key) return missing_tag_key();
    if (!given.value) return Error::validation("The Tag Value provided is invalid, Value: null");
    tags.push_back({std::string(*given.key), std::string(*given.value)});
  }
  return tags;
}

Result<std::vector<std::string>> checked_tag_keys(const std::vector<Text>& raw) {
  std::vector<std::string> keys;
  for (const Text& given : raw) {
    if (!given) return missing_tag_key();
    keys.emplace_back(*given);
  }
  return keys;
}

}  // namespace partita::table_members
