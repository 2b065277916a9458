// The parts of table requests: read as they come, then checked and converted in the order in which
// AWS names them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partita/requests/tables.h"

#include "formats/json_reader.h"
#include "wire/shape_rules.h"

namespace partita::table_members {

using Text = std::optional<std::string_view>;

// AttributeDefinition and KeySchemaElement: a name and a word.
struct RawAttribute {
  Text name;
  Text type;
};

struct RawThroughput {
  std::optional<std::int64_t> read_units;
  std::optional<std::int64_t> write_units;
};

struct RawProjection {
  Text type;
  std::optional<std::vector<std::string_view>> non_key_attributes;
};

struct RawIndex {
  Text name;
  std::optional<std::vector<RawAttribute>> key_schema;
  std::optional<RawProjection> projection;
  std::optional<RawThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};

struct RawStream {
  std::optional<bool> enabled;
  Text view_type;
};

struct RawSse {
  std::optional<bool> enabled;
  Text type;
  Text key_id;
};

struct RawTimeToLive {
  std::optional<bool> enabled;
  Text attribute_name;
};

struct RawTag {
  Text key;
  Text value;
};

// Reads the members of the request's top-level object: read(name) reads each value that is not
// null.
template <typename Read>
void read_request(JsonReader& json, std::string_view body, Read read) {
  json.open(body);
  json.enter_object();
  for (std::string_view name; json.next_member(name);) {
    if (!json.read_null()) read(name);
  }
}

// Each reads the value that comes next, which is not null.
std::vector<RawAttribute> read_attribute_definitions(JsonReader& json);
std::vector<RawIndex> read_indexes(JsonReader& json, std::string_view structure_class);
std::vector<RawAttribute> read_key_schema(JsonReader& json);
RawThroughput read_provisioned_throughput(JsonReader& json);
OnDemandThroughput read_on_demand_throughput(JsonReader& json);
WarmThroughput read_warm_throughput(JsonReader& json);
RawStream read_stream(JsonReader& json);
RawSse read_sse(JsonReader& json);
RawTimeToLive read_time_to_live(JsonReader& json);
std::vector<RawTag> read_tags(JsonReader& json);
std::vector<Text> read_tag_keys(JsonReader& json);
// A structure that describes an index: Create of an index update, Update, or a list's element.
RawIndex read_index_members(JsonReader& json);

// Each tells `rules` what violates the model; the result is of use only if nothing does.
std::vector<AttributeDefinition> checked_definitions(ShapeRules& rules,
                                                     const std::vector<RawAttribute>& raw);
std::string checked_index_name(ShapeRules& rules, const std::string& path, const Text& name);
std::vector<KeySchemaElement> checked_key_schema(
    ShapeRules& rules, const std::string& path, const std::optional<std::vector<RawAttribute>>& raw,
    std::size_t elements_max);
std::optional<ProvisionedThroughput> checked_throughput(ShapeRules& rules, const std::string& path,
                                                        const std::optional<RawThroughput>& raw);
LocalSecondaryIndex checked_local_index(ShapeRules& rules, const std::string& path,
                                        const RawIndex& raw);
GlobalSecondaryIndex checked_global_index(ShapeRules& rules, const std::string& path,
                                          const RawIndex& raw);
std::optional<StreamSpecification> checked_stream(ShapeRules& rules,
                                                  const std::optional<RawStream>& raw);
std::optional<SseSpecification> checked_sse(ShapeRules& rules, const std::optional<RawSse>& raw);
// Tags are no part of the model: what a missing member is told as is theirs alone.
Result<std::vector<Tag>> checked_tags(const std::vector<RawTag>& raw);
Result<std::vector<std::string>> checked_tag_keys(const std::vector<Text>& raw);

inline constexpr std::size_t kTableKeyElementsMax = 2;
inline constexpr std::size_t kGlobalIndexKeyElementsMax = 8;  // four HASH and four RANGE

// "path.3.member": AWS counts from one.
std::string member_path(std::string_view path, std::size_t index);

}  // namespace partita::table_members
