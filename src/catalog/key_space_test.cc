#include "catalog/key_space.h"

#include <limits>

#include <gtest/gtest.h>

#include "catalog/sample_tables.h"

namespace partita {
namespace {

using namespace std::literals;

TEST(KeySpace, a_table_and_each_of_its_indexes_get_the_next_ids) {
  TableSchema table = indexed_table("Music");
  SpaceId next = 7;
  ASSERT_TRUE(assign_places(table, next));
  EXPECT_EQ(table.space, 7u);
  EXPECT_EQ(table.local_indexes[0].space, 8u);
  EXPECT_EQ(table.local_indexes[1].space, 9u);
  EXPECT_EQ(table.global_indexes[0].space, 10u);
  EXPECT_EQ(table.global_indexes[1].space, 11u);
  EXPECT_EQ(next, 12u);
  EXPECT_EQ(spaces_of(table).spaces, (std::vector<SpaceId>{7, 8, 9, 10, 11}));
}

TEST(KeySpace, local_indexes_get_slots_in_order_and_global_ones_the_item_slot) {
  TableSchema table = indexed_table("Music");
  SpaceId next = 1;
  ASSERT_TRUE(assign_places(table, next));
  EXPECT_EQ(table.local_indexes[0].slot, Slot::Local1);
  EXPECT_EQ(table.local_indexes[1].slot, Slot::Local2);
  EXPECT_EQ(table.global_indexes[0].slot, Slot::Item);
}

TEST(KeySpace, ids_that_ran_out_are_an_error_and_none_is_given_twice) {
  TableSchema table = indexed_table("Music");
  SpaceId next = std::numeric_limits<SpaceId>::max() - 4;
  const auto assigned = assign_places(table, next);
  ASSERT_FALSE(assigned);
  EXPECT_EQ(assigned.error().code(), ErrorCode::LimitExceeded);
  EXPECT_EQ(next, std::numeric_limits<SpaceId>::max() - 4);
}

TEST(KeySpace, catalog_rows_are_told_apart_by_their_keys) {
  EXPECT_EQ(catalog_row_kind(table_row_key("Music")), CatalogRow::Table);
  EXPECT_EQ(catalog_row_kind(spaces_row_key()), CatalogRow::Spaces);
  EXPECT_EQ(catalog_row_kind(dropping_row_key(3)), CatalogRow::Dropping);
  EXPECT_EQ(catalog_row_kind(""), CatalogRow::Unknown);
  EXPECT_EQ(catalog_row_kind("\x05nonsense"), CatalogRow::Unknown);
}

// Stored bytes: these never change.
TEST(KeySpace, golden_keys) {
  EXPECT_EQ(catalog_partition().space, 0u);
  EXPECT_EQ(catalog_partition().hash, 11281531489293128017u);
  EXPECT_EQ(catalog_partition().key,
            "\x21"
            "catalog\0\x01"sv);
  EXPECT_EQ(table_row_key("Music"),
            "\x21"
            "table\0\x01\x21"
            "Music\0\x01"sv);
  EXPECT_EQ(spaces_row_key(),
            "\x21"
            "spaces\0\x01"sv);
  EXPECT_EQ(dropping_row_key(3),
            "\x21"
            "dropping\0\x01\x13\x82\x1f\0"sv);
}

TEST(KeySpace, golden_values_and_back) {
  const std::string next = encode_next_space(258);
  EXPECT_EQ(next,
            "\x01\x0f\0\0\0\x02\0\0\0"
            "\x06"
            "format\x02\x04\x13\x82\x0b\0"
            "\x04next\x02\x05\x13\x84\x1a\x51\0"sv);
  EXPECT_EQ(*decode_next_space(next), 258u);

  const std::string dropped = encode_dropped_spaces({"Music", {12, 300}});
  const auto decoded = decode_dropped_spaces(dropped);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->table_name, "Music");
  EXPECT_EQ(decoded->spaces, (std::vector<SpaceId>{12, 300}));
}

TEST(KeySpace, damaged_rows_are_refused) {
  EXPECT_FALSE(decode_next_space(""));
  EXPECT_FALSE(decode_next_space("rubbish"));
  EXPECT_FALSE(decode_next_space(encode_dropped_spaces({"Music", {12}})));
  EXPECT_FALSE(decode_dropped_spaces(encode_next_space(5)));
  const Item zero{{"format", Value::number(1)}, {"next", Value::number(0)}};
  EXPECT_FALSE(decode_next_space(zero.view().bytes())) << "space 0 is the catalog's";
  const Item newer{{"format", Value::number(2)}, {"next", Value::number(5)}};
  const auto refused = decode_next_space(newer.view().bytes());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("newer version"), std::string::npos);
}

}  // namespace
}  // namespace partita
