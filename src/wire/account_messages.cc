#include "wire/account_messages.h"

#include "formats/json_reader.h"
#include "wire/table_members.h"

namespace partita {

namespace {

Result<void> read_no_members(std::string_view body, std::pmr::memory_resource* memory) {
  JsonReader json(memory);
  table_members::read_request(json, body, [&](std::string_view) { json.skip_value(); });
  return json.finish();
}

}  // namespace

template <>
Result<void> TableMessage<DescribeLimitsRequest>::decode(std::string_view body) {
  return read_no_members(body, memory_);
}

template <>
Result<void> TableMessage<DescribeEndpointsRequest>::decode(std::string_view body) {
  return read_no_members(body, memory_);
}

void encode(JsonWriter& json, const DescribeLimitsResponse& response) {
  json.begin_object();
  json.integer_member("AccountMaxReadCapacityUnits", response.account_max_read_capacity_units);
  json.integer_member("AccountMaxWriteCapacityUnits", response.account_max_write_capacity_units);
  json.integer_member("TableMaxReadCapacityUnits", response.table_max_read_capacity_units);
  json.integer_member("TableMaxWriteCapacityUnits", response.table_max_write_capacity_units);
  json.end_object();
}

void encode(JsonWriter& json, const DescribeEndpointsResponse& response) {
  json.begin_object();
  json.member("Endpoints");
  json.begin_array();
  for (const Endpoint& endpoint : response.endpoints) {
    json.element();
    json.begin_object();
    json.member("Address");
    json.string(endpoint.address);
    json.integer_member("CachePeriodInMinutes", endpoint.cache_period_in_minutes);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace partita
