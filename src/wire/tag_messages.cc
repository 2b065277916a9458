#include "wire/tag_messages.h"

#include "formats/json_reader.h"
#include "formats/typed_json.h"
#include "wire/shape_rules.h"
#include "wire/table_members.h"

namespace partita {

namespace {

using namespace table_members;

// AWS says so of a missing ResourceArn before it looks at anything else (recorded by dynalite's
// tests).
Result<std::string> required_arn(const Text& arn) {
  if (!arn) return Error::validation("Invalid TableArn");
  return std::string(*arn);
}

Result<void> check_present(std::string_view path, bool present) {
  ShapeRules rules;
  rules.not_null(path, present);
  return rules.check();
}

}  // namespace

template <>
Result<void> TableMessage<TagResourceRequest>::decode(std::string_view body) {
  Text arn;
  std::optional<std::vector<RawTag>> tags;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "ResourceArn") {
      arn = read_text(json);
    } else if (name == "Tags") {
      tags = read_tags(json);
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  PARTITA_TRY(request.resource_arn, required_arn(arn));
  PARTITA_CHECK(check_present("tags", tags.has_value()));
  PARTITA_TRY(request.tags, checked_tags(*tags));
  return {};
}

template <>
Result<void> TableMessage<UntagResourceRequest>::decode(std::string_view body) {
  Text arn;
  std::optional<std::vector<Text>> keys;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "ResourceArn") {
      arn = read_text(json);
    } else if (name == "TagKeys") {
      keys = read_tag_keys(json);
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  PARTITA_TRY(request.resource_arn, required_arn(arn));
  PARTITA_CHECK(check_present("tagKeys", keys.has_value()));
  PARTITA_TRY(request.tag_keys, checked_tag_keys(*keys));
  return {};
}

template <>
Result<void> TableMessage<ListTagsOfResourceRequest>::decode(std::string_view body) {
  Text arn;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "ResourceArn") {
      arn = read_text(json);
    } else if (name == "NextToken") {
      request.next_token = std::string(read_text(json));
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  PARTITA_TRY(request.resource_arn, required_arn(arn));
  return {};
}

void encode(JsonWriter& json, const ListTagsOfResourceResponse& response) {
  json.begin_object();
  if (response.next_token) {
    json.member("NextToken");
    json.string(*response.next_token);
  }
  json.member("Tags");
  json.begin_array();
  for (const Tag& tag : response.tags) {
    json.element();
    json.begin_object();
    json.member("Key");
    json.string(tag.key);
    json.member("Value");
    json.string(tag.value);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace partita
