#include "catalog/schema_codec.h"

#include <random>

#include <gtest/gtest.h>

#include "partita/item.h"

#include "catalog/key_space.h"
#include "catalog/sample_tables.h"

namespace partita {
namespace {

TimePoint at_millisecond(std::int64_t count) { return TimePoint(std::chrono::milliseconds(count)); }

// Every field set to something that is not its default.
TableSchema full_table() {
  TableSchema table = indexed_table("Music");
  SpaceId next = 41;
  EXPECT_TRUE(assign_places(table, next));
  table.status = TableStatus::Updating;
  table.status_since = at_millisecond(1'700'000'000'023);
  table.status_until = at_millisecond(1'700'000'000'123);
  table.created_at = at_millisecond(1'600'000'000'456);
  table.billing_mode = BillingMode::PayPerRequest;
  table.last_update_to_pay_per_request = at_millisecond(1'650'000'000'789);
  table.throughput = {5, 6, 2, 1'600'000'001.5, 1'600'000'002.25};
  table.on_demand_throughput = OnDemandThroughput{100, std::nullopt};
  table.warm_throughput = WarmThroughput{13'000, 5'000};
  table.stream = StreamSpecification{true, StreamViewType::NewAndOldImages};
  table.stream_label = "2026-10-08T23:07:31.275";
  table.stream_space = 77;
  table.sse = SseSpecification{true, "KMS", "arn:aws:kms:us-east-1:000000000000:key/k"};
  table.table_class = TableClass::StandardInfrequentAccess;
  table.deletion_protection = true;
  table.tags = {{"team", "blue"}, {"empty", ""}};
  table.resource_policy = "{}";
  table.global_indexes[1].phase = IndexPhase::Filling;
  table.global_indexes[1].backfilling = true;
  table.global_indexes[1].on_demand_throughput = OnDemandThroughput{std::nullopt, 50};
  table.global_indexes[1].warm_throughput = WarmThroughput{std::nullopt, 6'000};
  return table;
}

TEST(SchemaCodec, every_field_comes_back) {
  const TableSchema table = full_table();
  const auto decoded = decode_schema(encode_schema(table));
  ASSERT_TRUE(decoded) << decoded.error().message();
  EXPECT_EQ(encode_schema(*decoded), encode_schema(table));
  EXPECT_EQ(decoded->name, "Music");
  EXPECT_EQ(decoded->id, table.id);
  EXPECT_EQ(decoded->arn, table.arn);
  EXPECT_EQ(decoded->space, 41u);
  EXPECT_EQ(decoded->key.partition[0].name, "pk");
  EXPECT_EQ(decoded->key.sort[0].type, ScalarType::N);
  EXPECT_EQ(decoded->attribute_definitions, table.attribute_definitions);
  EXPECT_EQ(decoded->status, TableStatus::Updating);
  EXPECT_EQ(decoded->status_since, table.status_since);
  EXPECT_EQ(decoded->status_until, table.status_until);
  EXPECT_EQ(decoded->created_at, table.created_at);
  EXPECT_EQ(decoded->billing_mode, BillingMode::PayPerRequest);
  EXPECT_EQ(decoded->last_update_to_pay_per_request, table.last_update_to_pay_per_request);
  EXPECT_EQ(decoded->throughput.read_capacity_units, 5);
  EXPECT_EQ(decoded->throughput.write_capacity_units, 6);
  EXPECT_EQ(decoded->throughput.number_of_decreases_today, 2);
  EXPECT_EQ(decoded->throughput.last_increase, 1'600'000'001.5);
  EXPECT_EQ(decoded->throughput.last_decrease, 1'600'000'002.25);
  EXPECT_EQ(decoded->on_demand_throughput->max_read_request_units, 100);
  EXPECT_EQ(decoded->on_demand_throughput->max_write_request_units, std::nullopt);
  EXPECT_EQ(decoded->warm_throughput->write_units_per_second, 5'000);
  EXPECT_EQ(decoded->stream->stream_view_type, StreamViewType::NewAndOldImages);
  EXPECT_EQ(decoded->stream_label, table.stream_label);
  EXPECT_EQ(decoded->stream_space, table.stream_space);
  EXPECT_EQ(decoded->sse->kms_master_key_id, table.sse->kms_master_key_id);
  EXPECT_EQ(decoded->table_class, TableClass::StandardInfrequentAccess);
  EXPECT_TRUE(decoded->deletion_protection);
  ASSERT_EQ(decoded->tags.size(), 2u);
  EXPECT_EQ(decoded->tags[1].key, "empty");
  EXPECT_EQ(decoded->resource_policy, "{}");
}

TEST(SchemaCodec, indexes_come_back_with_their_places) {
  const auto decoded = decode_schema(encode_schema(full_table()));
  ASSERT_TRUE(decoded) << decoded.error().message();
  ASSERT_EQ(decoded->local_indexes.size(), 2u);
  EXPECT_FALSE(decoded->local_indexes[1].global);
  EXPECT_EQ(decoded->local_indexes[1].slot, Slot::Local2);
  EXPECT_EQ(decoded->local_indexes[1].space, 43u);
  EXPECT_EQ(decoded->local_indexes[1].key.sort[0].name, "b");
  ASSERT_EQ(decoded->global_indexes.size(), 2u);
  EXPECT_TRUE(decoded->global_indexes[0].global);
  EXPECT_EQ(decoded->global_indexes[0].key.partition.size(), 2u);
  const IndexSchema& some = decoded->global_indexes[1];
  EXPECT_EQ(some.space, 45u);
  EXPECT_EQ(some.projection, ProjectionType::Include);
  EXPECT_EQ(some.non_key_attributes, (std::vector<std::string>{"colour", "weight"}));
  EXPECT_EQ(some.phase, IndexPhase::Filling);
  EXPECT_TRUE(some.backfilling);
  EXPECT_EQ(some.throughput.write_capacity_units, 4);
  EXPECT_EQ(some.on_demand_throughput->max_write_request_units, 50);
  EXPECT_EQ(some.warm_throughput->write_units_per_second, 6'000);
}

TEST(SchemaCodec, expiry_comes_back_with_its_place) {
  TableSchema table = full_table();
  table.expiry = expiry_on("until");
  table.expiry->index.space = 46;
  table.expiry->index.phase = IndexPhase::Leaving;
  table.expiry_changed_at = at_millisecond(1'700'000'000'789);
  const auto decoded = decode_schema(encode_schema(table));
  ASSERT_TRUE(decoded) << decoded.error().message();
  ASSERT_TRUE(decoded->expiry);
  EXPECT_EQ(decoded->expiry->attribute(), "until");
  EXPECT_EQ(decoded->expiry->index.space, 46u);
  EXPECT_EQ(decoded->expiry->index.phase, IndexPhase::Leaving);
  EXPECT_TRUE(decoded->expiry->index.global && decoded->expiry->index.by_expiry);
  EXPECT_EQ(decoded->expiry_changed_at, table.expiry_changed_at);
  EXPECT_EQ(spaces_of(*decoded).spaces.back(), 46u);
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    constexpr char digits[] = "0123456789abcdef";
    text.push_back(digits[static_cast<unsigned char>(byte) >> 4]);
    text.push_back(digits[static_cast<unsigned char>(byte) & 15]);
  }
  return text;
}

// Stored bytes: tables written by one version are read by the next.
TEST(SchemaCodec, golden_bytes) {
  TableSchema table = simple_table("Music");
  SpaceId next = 1;
  ASSERT_TRUE(assign_places(table, next));
  table.created_at = at_millisecond(1'600'000'000'456);
  table.throughput = {5, 6, 0, {}, {}};
  EXPECT_EQ(hex(encode_schema(table)),
            "0163010000110000000361726e013361726e3a6177733a64796e616d6f64623a75732d656173742d"
            "313a3030303030303030303030303a7461626c652f4d757369630a61747472696275746573081a00"
            "000001000000071100000002000000046e616d650102706b04747970650101530c62696c6c696e67"
            "5f6d6f6465010b50524f564953494f4e45440a637265617465645f6174020a138e11010101012e3d"
            "001364656c6574696f6e5f70726f74656374696f6e0406666f726d6174020413820b000e676c6f62"
            "616c5f696e6465786573080000000000000000026964012430303030303030302d303030302d3430"
            "30302d383030302d3030303030303030303030310d6c6f63616c5f696e6465786573080000000000"
            "000000046e616d6501054d757369630d706172746974696f6e5f6b6579081a000000010000000711"
            "00000002000000046e616d650102706b047479706501015308736f72745f6b657908000000000000"
            "0000057370616365020413820b000673746174757301064143544956450c7374617475735f756e74"
            "696c02011204746167730800000000000000000a7468726f75676870757407240000000300000009"
            "6465637265617365730201120472656164020413823300057772697465020413823d00");
}

TEST(SchemaCodec, unknown_fields_are_ignored) {
  Item row = Item::from_encoded(encode_schema(full_table()));
  row.set("flavour", Value::string("sweet"));
  const auto decoded = decode_schema(row.view().bytes());
  ASSERT_TRUE(decoded) << decoded.error().message();
  EXPECT_EQ(encode_schema(*decoded), encode_schema(full_table()));
}

TEST(SchemaCodec, a_newer_format_is_refused_in_one_sentence) {
  Item row = Item::from_encoded(encode_schema(full_table()));
  row.set("format", Value::number(kSchemaFormat + 1));
  const auto decoded = decode_schema(row.view().bytes());
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code(), ErrorCode::CannotOpen);
  EXPECT_EQ(
      decoded.error().message(),
      "This database was made by a newer version of Partita: a table's row has format 5, this "
      "version knows formats up to 4.");
}

TEST(SchemaCodec, fields_that_make_no_sense_are_named) {
  const std::pair<std::string_view, Value> damages[] = {
      {"name", Value::number(1)},
      {"space", Value::number(0)},
      {"space", Value::number(std::int64_t{1} << 40)},
      {"space", *Value::number(std::string_view("1.5"))},
      {"partition_key", Value::list({})},
      {"partition_key", Value::list({Value::string("pk")})},
      {"status", Value::string("ASLEEP")},
      {"billing_mode", Value::string("FREE")},
      {"throughput", Value::null()},
      {"local_indexes", Value::map({})},
      {"tags", Value::list({Value::map({{"key", Value::string("k")}})})},
  };
  for (const auto& [field, value] : damages) {
    Item row = Item::from_encoded(encode_schema(full_table()));
    row.set(field, value);
    const auto decoded = decode_schema(row.view().bytes());
    ASSERT_FALSE(decoded) << field;
    EXPECT_EQ(decoded.error().code(), ErrorCode::CannotOpen);
    EXPECT_NE(decoded.error().message().find("damaged"), std::string::npos)
        << decoded.error().message();
  }
}

TEST(SchemaCodec, any_bytes_decode_or_fail) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string valid = encode_schema(full_table());
  int decoded_count = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = valid;
    switch (random() % 3) {
      case 0:
        bytes.resize(random() % bytes.size());
        break;
      case 1:
        for (auto changes = 1 + random() % 3; changes > 0; --changes) {
          bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        break;
      default:
        bytes.resize(random() % 100);
        for (char& byte : bytes) byte = static_cast<char>(random());
    }
    const auto decoded = decode_schema(bytes);
    if (decoded) {
      ++decoded_count;
      EXPECT_GE(decoded->space, 1u);
      EXPECT_EQ(decoded->key.partition.size(), 1u);
    }
  }
  EXPECT_GT(decoded_count, 0) << "a changed letter in a name is no damage";
}

}  // namespace
}  // namespace partita
