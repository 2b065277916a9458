#include "storage/rocksdb/row_layout.h"

#include <string>

#include <gtest/gtest.h>

#include "storage/rocksdb/size_sum.h"

namespace partita::rocksdb_layout {

namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out.push_back(static_cast<char>(value));
  return out;
}

const Partition kPartition{0x01020304, 0x1122334455667788, "pk"};

}  // namespace

TEST(RowLayout, rows_have_these_bytes) {
  const RowKeyBytes key(kPartition, {Slot::Local2, "so"});
  EXPECT_EQ(key.bytes(), bytes({1, 2, 3, 4, 2, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 'p',
                                'k', 's', 'o'}));
  const RowHeader header = row_header(0x0102030405060708, 2);
  EXPECT_EQ(Bytes(header.bytes, sizeof header.bytes), bytes({1, 8, 7, 6, 5, 4, 3, 2, 1, 2, 0}));
}

TEST(RowLayout, other_keys_have_these_bytes) {
  EXPECT_EQ(change_key(1, 3, 0x0203, 4),
            bytes({0, 0, 0, 1, 0x43, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 4}));
  EXPECT_EQ(partition_size_key(kPartition),
            bytes({1, 2, 3, 4, 0x80, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 'p', 'k'}));
  EXPECT_EQ(kind_prefix(5, kSpaceStateKind), bytes({0, 0, 0, 5, 0x81}));
  EXPECT_EQ(kind_prefix(kOwnSpace, kEpochKind), bytes({255, 255, 255, 255, 0x90}));
  EXPECT_EQ(commit_time_key(1), bytes({255, 255, 255, 255, 0x91, 0x80, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(dropped_space_key(7), bytes({255, 255, 255, 255, 0x92, 0, 0, 0, 7}));
}

TEST(RowLayout, sizes_and_states_have_these_bytes) {
  const std::string size = bytes({1, 0, 0, 0, 0, 0, 0, 0, 254, 255, 255, 255, 255, 255, 255, 255});
  EXPECT_EQ(encode_size({1, -2}), size);
  EXPECT_EQ(encode_space_state({{1, -2}, 3, 4}),
            size + bytes({3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(RowLayout, what_is_encoded_is_decoded) {
  const RowHeader header = row_header(77, 5);
  const std::string stored_row = std::string(header.bytes, sizeof header.bytes) + "value";
  const auto row = decode_row(stored_row);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->version, 77u);
  EXPECT_EQ(row->partition_key_bytes, 5u);
  EXPECT_EQ(row->value, "value");
  const std::string long_sort(5000, 's');
  const RowKeyBytes key(kPartition, {Slot::Item, long_sort});
  EXPECT_EQ(hash_of_row_key(key.bytes()), kPartition.hash);
  EXPECT_EQ(space_of_key(key.bytes()), kPartition.space);
  EXPECT_TRUE(key.bytes().ends_with("pk" + long_sort));

  const std::string stored_change = change_key(1, 2, 99, 3);
  const ChangeView change = decode_change(stored_change, "record");
  EXPECT_EQ(change.version, 99u);
  EXPECT_EQ(change.ordinal, 3u);
  const auto state = decode_space_state(encode_space_state({{-1, 2}, 3, -4}));
  ASSERT_TRUE(state);
  EXPECT_EQ(state->size, (Size{-1, 2}));
  EXPECT_EQ(state->version, 3u);
  EXPECT_EQ(state->time_ms, -4);
  for (const std::int64_t time : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
    EXPECT_EQ(time_of_commit_time_key(commit_time_key(time)), time);
  }
  EXPECT_EQ(space_of_dropped_key(dropped_space_key(123456)), 123456u);
}

TEST(RowLayout, bytes_of_another_form_are_refused) {
  const RowHeader header = row_header(77, 5);
  std::string row(header.bytes, sizeof header.bytes);
  EXPECT_FALSE(decode_row(row.substr(0, row.size() - 1)));
  EXPECT_FALSE(decode_row(""));
  row[0] = 2;
  EXPECT_FALSE(decode_row(row));
  EXPECT_FALSE(decode_size("short"));
  EXPECT_FALSE(decode_space_state(encode_size({})));
  EXPECT_FALSE(decode_u64("1234567"));
}

TEST(RowLayout, key_after_prefix_is_behind_all_that_start_with_it) {
  EXPECT_EQ(key_after_prefix("ab"), "ac");
  EXPECT_EQ(key_after_prefix("a\xff\xff"), "b");
  EXPECT_LT(commit_time_key(-5), commit_time_key(-4));
  EXPECT_LT(commit_time_key(-1), commit_time_key(0));
}

TEST(SizeSum, adds_what_it_knows_and_refuses_the_rest) {
  const auto sum = size_sum_operator();
  const auto merged = [&](const std::string* before, const std::string& delta) {
    const rocksdb::Slice existing = before == nullptr ? rocksdb::Slice() : rocksdb::Slice(*before);
    const std::vector<rocksdb::Slice> operands{delta};
    const rocksdb::MergeOperator::MergeOperationInput input(
        "key", before == nullptr ? nullptr : &existing, operands, nullptr);
    std::string result;
    rocksdb::Slice existing_operand;
    rocksdb::MergeOperator::MergeOperationOutput output(result, existing_operand);
    if (!sum->FullMergeV2(input, &output)) return std::string("refused");
    return existing_operand.empty() ? result : existing_operand.ToString();
  };
  const std::string three = encode_size({1, 3}), minus = encode_size({-1, -3}), bad = "bad";
  EXPECT_EQ(merged(nullptr, three), three);
  EXPECT_EQ(merged(&three, three), encode_size({2, 6}));
  EXPECT_EQ(merged(&three, minus), encode_size({}));
  EXPECT_EQ(merged(&bad, three), "refused");
  EXPECT_EQ(merged(&three, bad), "refused");
}

TEST(SizeSum, filter_forgets_zero_sizes_and_nothing_else) {
  const auto* filter = zero_size_filter();
  const auto forgotten = [&](const std::string& key, const std::string& value) {
    std::string new_value;
    bool changed = false;
    return filter->Filter(0, key, value, &new_value, &changed);
  };
  const std::string zero = encode_size({});
  EXPECT_TRUE(forgotten(partition_size_key(kPartition), zero));
  EXPECT_FALSE(forgotten(partition_size_key(kPartition), encode_size({0, 1})));
  EXPECT_FALSE(forgotten(std::string(RowKeyBytes(kPartition, {}).bytes()), zero));
  EXPECT_FALSE(forgotten(change_key(1, 0, 1, 0), zero));
  EXPECT_FALSE(forgotten(space_key(1), zero));
}

}  // namespace partita::rocksdb_layout
