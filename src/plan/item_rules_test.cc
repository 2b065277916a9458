#include "plan/item_rules.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

const KeySchema kComposite{{{"pk", ScalarType::S}}, {{"sk", ScalarType::N}}};

std::string error_of(const Result<EncodedKey>& result) {
  return result ? "no error" : result.error().message();
}
std::string error_of(const Result<void>& result) {
  return result ? "no error" : result.error().message();
}

TEST(ItemRules, key_of_an_item_ignores_other_attributes) {
  const Item item{{"pk", Value::string("a")}, {"sk", Value::number(1)}, {"x", Value::null()}};
  const Item key{{"pk", Value::string("a")}, {"sk", Value::number(1)}};
  const auto of_item = key_of_item(kComposite, item);
  const auto of_request = key_of_request(kComposite, key);
  ASSERT_TRUE(of_item && of_request);
  EXPECT_EQ(of_item->partition, of_request->partition);
  EXPECT_EQ(of_item->sort, of_request->sort);
  EXPECT_EQ(of_item->hash, of_request->hash);
}

TEST(ItemRules, missing_and_mistyped_keys_of_an_item_are_named) {
  EXPECT_EQ(error_of(key_of_item(kComposite, Item{{"pk", Value::string("a")}})),
            "One or more parameter values were invalid: Missing the key sk in the item");
  EXPECT_EQ(error_of(key_of_item(kComposite,
                                 Item{{"pk", Value::string("a")}, {"sk", Value::string("1")}})),
            "One or more parameter values were invalid: Type mismatch for key sk expected: N "
            "actual: S");
}

TEST(ItemRules, a_key_alone_must_be_exactly_the_key) {
  const std::string mismatch = "The provided key element does not match the schema";
  EXPECT_EQ(error_of(key_of_request(kComposite, Item{{"pk", Value::string("a")}})), mismatch);
  EXPECT_EQ(error_of(key_of_request(kComposite,
                                    Item{{"pk", Value::string("a")}, {"sk", Value::string("1")}})),
            mismatch);
  EXPECT_EQ(error_of(key_of_request(
                kComposite,
                Item{{"pk", Value::string("a")}, {"sk", Value::number(1)}, {"x", Value::null()}})),
            mismatch);
}

TEST(ItemRules, key_values_are_neither_empty_nor_too_long) {
  const KeySchema schema{{{"pk", ScalarType::S}}, {{"sk", ScalarType::B}}};
  const auto key = [&](std::size_t partition_bytes, std::size_t sort_bytes) {
    return error_of(
        key_of_request(schema, Item{{"pk", Value::string(std::string(partition_bytes, 'p'))},
                                    {"sk", Value::binary(std::string(sort_bytes, 's'))}}));
  };
  EXPECT_EQ(key(0, 1),
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty string value. Key: pk");
  EXPECT_EQ(key(1, 0),
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty binary value. Key: sk");
  EXPECT_EQ(key(2048, 1024), "no error");
  EXPECT_EQ(key(2049, 1),
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum "
            "size limit of2048 bytes");
  EXPECT_EQ(key(1, 1025),
            "One or more parameter values were invalid: Aggregated size of all range keys has "
            "exceeded the size limit of 1024 bytes");
}

TableSchema table_with_indexes() {
  TableSchema table;
  table.key = kComposite;
  IndexSchema global;
  global.name = "by_mail";
  global.global = true;
  global.key = {{{"mail", ScalarType::S}}, {}};
  table.global_indexes = {global};
  IndexSchema local;
  local.name = "by_date";
  local.key = {{{"pk", ScalarType::S}}, {{"date", ScalarType::N}}};
  local.slot = Slot::Local1;
  table.local_indexes = {local};
  return table;
}

TEST(ItemRules, an_item_without_the_index_key_is_not_in_the_index) {
  const TableSchema table = table_with_indexes();
  const Item plain{{"pk", Value::string("a")}, {"sk", Value::number(1)}};
  EXPECT_FALSE(key_in_index(table, table.global_indexes[0], plain));
  Item with_mail = plain;
  with_mail.set("mail", Value::string("a@b"));
  const auto key = key_in_index(table, table.global_indexes[0], with_mail);
  ASSERT_TRUE(key);
  Item twin = with_mail;
  twin.set("sk", Value::number(2));
  const auto other = key_in_index(table, table.global_indexes[0], twin);
  EXPECT_EQ(key->partition, other->partition);
  EXPECT_LT(key->sort, other->sort) << "ties are ordered by the table key";
}

TEST(ItemRules, index_keys_of_the_wrong_type_or_empty_are_refused) {
  const TableSchema table = table_with_indexes();
  const Item mistyped{{"mail", Value::number(1)}};
  EXPECT_EQ(error_of(check_index_keys(table, mistyped, WrittenBy::Put)),
            "One or more parameter values were invalid: Type mismatch for Index Key mail Expected: "
            "S Actual: N IndexName: by_mail");
  EXPECT_EQ(error_of(check_index_keys(table, mistyped, WrittenBy::Update)),
            "The update expression attempted to update the secondary index key to unsupported "
            "type");
  const Item empty{{"mail", Value::string("")}};
  EXPECT_EQ(error_of(check_index_keys(table, empty, WrittenBy::Put)),
            "One or more parameter values are not valid. A value specified for a secondary index "
            "key is not supported. The AttributeValue for a key attribute cannot contain an empty "
            "string value. IndexName: by_mail, IndexKey: mail");
}

TEST(ItemRules, an_update_may_leave_an_index_key_as_unusable_as_it_was) {
  const TableSchema table = table_with_indexes();
  const Item mistyped{{"mail", Value::number(1)}};
  const Item other{{"mail", Value::number(2)}};
  EXPECT_TRUE(check_index_keys(table, mistyped, WrittenBy::Update, mistyped));
  EXPECT_FALSE(check_index_keys(table, mistyped, WrittenBy::Update, other));
  EXPECT_FALSE(check_index_keys(table, mistyped, WrittenBy::Put, Item{}));
}

}  // namespace
}  // namespace partita
