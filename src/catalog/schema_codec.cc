#include "catalog/schema_codec.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "catalog/schema_fields.h"

namespace partita {
namespace {

constexpr Word<ProjectionType> kProjectionTypes[] = {{ProjectionType::All, "ALL"},
                                                     {ProjectionType::KeysOnly, "KEYS_ONLY"},
                                                     {ProjectionType::Include, "INCLUDE"}};
constexpr Word<BillingMode> kBillingModes[] = {{BillingMode::Provisioned, "PROVISIONED"},
                                               {BillingMode::PayPerRequest, "PAY_PER_REQUEST"}};
constexpr Word<TableStatus> kTableStatuses[] = {{TableStatus::Creating, "CREATING"},
                                                {TableStatus::Active, "ACTIVE"},
                                                {TableStatus::Updating, "UPDATING"},
                                                {TableStatus::Deleting, "DELETING"}};
constexpr Word<IndexPhase> kIndexPhases[] = {{IndexPhase::Serving, "ACTIVE"},
                                             {IndexPhase::Joining, "JOINING"},
                                             {IndexPhase::Filling, "FILLING"},
                                             {IndexPhase::Leaving, "LEAVING"}};
constexpr Word<TableClass> kTableClasses[] = {
    {TableClass::Standard, "STANDARD"},
    {TableClass::StandardInfrequentAccess, "STANDARD_INFREQUENT_ACCESS"}};

// ---- Writing ----

std::optional<std::int64_t> seconds_as_milliseconds(const std::optional<double>& seconds) {
  if (!seconds) return std::nullopt;
  return std::llround(*seconds * 1000);
}

void write_throughput(ItemWriter& writer, const ProvisionedThroughputDescription& throughput) {
  writer.name("throughput");
  begin_map(writer);
  write_field(writer, "read", throughput.read_capacity_units);
  write_field(writer, "write", throughput.write_capacity_units);
  write_field(writer, "decreases", throughput.number_of_decreases_today);
  write_field(writer, "last_increase", seconds_as_milliseconds(throughput.last_increase));
  write_field(writer, "last_decrease", seconds_as_milliseconds(throughput.last_decrease));
  writer.end_map();
}

void write_ceilings(ItemWriter& writer, const std::optional<OnDemandThroughput>& on_demand,
                    const std::optional<WarmThroughput>& warm) {
  if (on_demand) {
    writer.name("on_demand");
    begin_map(writer);
    write_field(writer, "max_read", on_demand->max_read_request_units);
    write_field(writer, "max_write", on_demand->max_write_request_units);
    writer.end_map();
  }
  if (warm) {
    writer.name("warm");
    begin_map(writer);
    write_field(writer, "read", warm->read_units_per_second);
    write_field(writer, "write", warm->write_units_per_second);
    writer.end_map();
  }
}

void write_index(ItemWriter& writer, const IndexSchema& index) {
  begin_map(writer);
  write_field(writer, "name", index.name);
  write_key(writer, index.key);
  write_field(writer, "projection", text_of(kProjectionTypes, index.projection));
  begin_list(writer, "non_key_attributes");
  for (const std::string& attribute : index.non_key_attributes) writer.string(attribute);
  writer.end_list();
  write_field(writer, "space", std::int64_t{index.space});
  if (index.global) {
    write_field(writer, "status", text_of(kIndexPhases, index.phase));
    write_flag(writer, "backfilling", index.backfilling);
    write_throughput(writer, index.throughput);
    write_ceilings(writer, index.on_demand_throughput, index.warm_throughput);
  } else {
    write_field(writer, "slot", static_cast<std::int64_t>(index.slot));
  }
  writer.end_map();
}

void write_indexes(ItemWriter& writer, std::string_view name,
                   const std::vector<IndexSchema>& indexes) {
  begin_list(writer, name);
  for (const IndexSchema& index : indexes) write_index(writer, index);
  writer.end_list();
}

void write_expiry(ItemWriter& writer, const TableSchema& table) {
  if (table.expiry) {
    writer.name("expiry");
    begin_map(writer);
    write_field(writer, "attribute", table.expiry->attribute());
    write_field(writer, "space", std::int64_t{table.expiry->index.space});
    write_field(writer, "status", text_of(kIndexPhases, table.expiry->index.phase));
    writer.end_map();
  }
  if (table.expiry_changed_at) {
    write_field(writer, "expiry_changed_at", milliseconds(*table.expiry_changed_at));
  }
}

void write_settings(ItemWriter& writer, const TableSchema& table) {
  if (table.stream) {
    assert(table.stream->stream_view_type);
    write_field(writer, "stream_view", text_of(kStreamViewTypes, *table.stream->stream_view_type));
  }
  if (!table.stream_label.empty()) write_field(writer, "stream_label", table.stream_label);
  if (table.stream_space != 0) {
    write_field(writer, "stream_space", std::int64_t{table.stream_space});
  }
  if (table.sse) write_field(writer, "kms_key", table.sse->kms_master_key_id);
  if (table.table_class) {
    write_field(writer, "table_class", text_of(kTableClasses, *table.table_class));
  }
  write_flag(writer, "deletion_protection", table.deletion_protection);
  write_field(writer, "resource_policy", table.resource_policy);
  begin_list(writer, "tags");
  for (const Tag& tag : table.tags) {
    begin_map(writer);
    write_field(writer, "key", tag.key);
    write_field(writer, "value", tag.value);
    writer.end_map();
  }
  writer.end_list();
}

// ---- Reading ----

std::optional<double> milliseconds_as_seconds(const std::optional<std::int64_t>& count) {
  if (!count) return std::nullopt;
  return static_cast<double>(*count) / 1000;
}

ProvisionedThroughputDescription read_throughput(const RowFields& fields) {
  ProvisionedThroughputDescription throughput;
  const auto map = fields.find_map("throughput");
  if (!map) {
    fields.reject("throughput");
    return throughput;
  }
  throughput.read_capacity_units = map->integer("read");
  throughput.write_capacity_units = map->integer("write");
  throughput.number_of_decreases_today = map->integer("decreases");
  throughput.last_increase = milliseconds_as_seconds(map->find_integer("last_increase"));
  throughput.last_decrease = milliseconds_as_seconds(map->find_integer("last_decrease"));
  return throughput;
}

// Of a table or an index: both have these members.
template <typename Schema>
void read_ceilings(const RowFields& fields, Schema& schema) {
  if (const auto map = fields.find_map("on_demand")) {
    schema.on_demand_throughput =
        OnDemandThroughput{map->find_integer("max_read"), map->find_integer("max_write")};
  }
  if (const auto map = fields.find_map("warm")) {
    schema.warm_throughput = WarmThroughput{map->find_integer("read"), map->find_integer("write")};
  }
}

IndexSchema read_index(const RowFields& fields, bool global) {
  IndexSchema index;
  index.name = fields.string("name");
  index.key = read_key(fields, global ? 4 : 1);
  index.projection = read_word(kProjectionTypes, fields, "projection");
  fields.for_each_string("non_key_attributes", [&](std::string_view attribute) {
    index.non_key_attributes.emplace_back(attribute);
  });
  index.global = global;
  index.space = read_space(fields);
  if (global) {
    index.phase = read_word(kIndexPhases, fields, "status");
    index.backfilling = fields.boolean("backfilling");
    index.throughput = read_throughput(fields);
    read_ceilings(fields, index);
    return index;
  }
  const std::int64_t slot = fields.integer("slot");
  if (slot < static_cast<std::int64_t>(Slot::Local1) ||
      slot > static_cast<std::int64_t>(Slot::Local5)) {
    fields.reject("slot");
  }
  index.slot = static_cast<Slot>(slot);
  return index;
}

void read_expiry(const RowFields& fields, TableSchema& table) {
  if (const auto map = fields.find_map("expiry")) {
    table.expiry = expiry_on(map->string("attribute"));
    if (table.expiry->attribute().empty()) map->reject("attribute");
    table.expiry->index.space = read_space(*map);
    table.expiry->index.phase = read_word(kIndexPhases, *map, "status");
  }
  if (const auto time = fields.find_integer("expiry_changed_at")) {
    table.expiry_changed_at = time_from(*time);
  }
}

void read_settings(const RowFields& fields, TableSchema& table) {
  if (fields.find_string("stream_view")) {
    table.stream = StreamSpecification{true, read_word(kStreamViewTypes, fields, "stream_view")};
  }
  table.stream_label = fields.find_string("stream_label").value_or("");
  table.stream_space = static_cast<SpaceId>(fields.find_integer("stream_space").value_or(0));
  if (auto key = fields.find_string("kms_key")) {
    table.sse = SseSpecification{true, "KMS", *std::move(key)};
  }
  if (fields.find_string("table_class")) {
    table.table_class = read_word(kTableClasses, fields, "table_class");
  }
  table.deletion_protection = fields.boolean("deletion_protection");
  table.resource_policy = fields.find_string("resource_policy");
  fields.for_each_map("tags", [&](const RowFields& tag) {
    table.tags.push_back({tag.string("key"), tag.string("value")});
  });
}

}  // namespace

std::string encode_schema(const TableSchema& table) {
  ItemWriter writer;
  writer.begin_item();
  // Programs that know format 1 alone would write to an unsettled index as to any other, those that
  // know 2 would not keep the index that expiry goes by, those that know 3 would leave a stream
  // without records.
  write_field(writer, "format",
              table.stream_space != 0   ? kSchemaFormat
              : table.expiry            ? kExpirySchemaFormat
              : table.unsettled_index() ? kUnsettledSchemaFormat
                                        : kSettledSchemaFormat);
  write_field(writer, "name", table.name);
  write_field(writer, "id", table.id);
  write_field(writer, "arn", table.arn);
  write_field(writer, "space", std::int64_t{table.space});
  write_key(writer, table.key);
  write_attributes(writer, "attributes", table.attribute_definitions);
  write_indexes(writer, "local_indexes", table.local_indexes);
  write_indexes(writer, "global_indexes", table.global_indexes);
  write_expiry(writer, table);
  write_field(writer, "status", text_of(kTableStatuses, table.status));
  if (table.status_since != TimePoint()) {
    write_field(writer, "status_since", milliseconds(table.status_since));
  }
  write_field(writer, "status_until", milliseconds(table.status_until));
  write_field(writer, "created_at", milliseconds(table.created_at));
  write_field(writer, "billing_mode", text_of(kBillingModes, table.billing_mode));
  if (table.last_update_to_pay_per_request) {
    write_field(writer, "on_demand_since", milliseconds(*table.last_update_to_pay_per_request));
  }
  write_throughput(writer, table.throughput);
  write_ceilings(writer, table.on_demand_throughput, table.warm_throughput);
  write_settings(writer, table);
  writer.end_item();
  return std::string(writer.bytes());
}

Result<TableSchema> decode_schema(Bytes row) {
  PARTITA_TRY(const ItemView item, check_row(row, kSchemaFormat, "a table's row"));
  std::string problem;
  const RowFields fields(item.attributes(), problem);
  TableSchema table;
  table.name = fields.string("name");
  table.id = fields.string("id");
  table.arn = fields.string("arn");
  table.space = read_space(fields);
  table.key = read_key(fields, 1);
  read_attributes(fields, "attributes", table.attribute_definitions);
  fields.for_each_map("local_indexes", [&](const RowFields& index) {
    table.local_indexes.push_back(read_index(index, false));
  });
  fields.for_each_map("global_indexes", [&](const RowFields& index) {
    table.global_indexes.push_back(read_index(index, true));
  });
  read_expiry(fields, table);
  table.status = read_word(kTableStatuses, fields, "status");
  table.status_since = time_from(fields.find_integer("status_since").value_or(0));
  table.status_until = time_from(fields.integer("status_until"));
  table.created_at = time_from(fields.integer("created_at"));
  table.billing_mode = read_word(kBillingModes, fields, "billing_mode");
  if (const auto since = fields.find_integer("on_demand_since")) {
    table.last_update_to_pay_per_request = time_from(*since);
  }
  table.throughput = read_throughput(fields);
  read_ceilings(fields, table);
  read_settings(fields, table);
  if (!problem.empty()) return damaged_row("the row of table '" + table.name + "'", problem);
  return table;
}

}  // namespace partita
