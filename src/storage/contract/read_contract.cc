// Reading: get, range and scan, on a quiet engine.

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "storage/contract/contract_fixture.h"

namespace partita {

TEST_P(EngineContract, get_shows_existing_rows_in_the_order_asked) {
  using namespace contract;
  const Place place(1, "p");
  const Version version = driver().commit(Batch(place).put("a", "A").put("b", "B").put("c", "C"));

  auto rows = driver().get(place, {{Slot::Item, "c"}, {Slot::Item, "missing"}, {Slot::Item, "a"}});
  ASSERT_EQ(values_of(rows), (Strings{"C", "A"}));
  EXPECT_EQ(rows[0].version, version);
  EXPECT_EQ(rows[0].key, place.key);
  EXPECT_EQ(rows[0].hash, place.hash);
  EXPECT_EQ(rows[0].sort, "c");
}

TEST_P(EngineContract, get_shows_nothing_of_partitions_and_spaces_that_are_not_there) {
  using namespace contract;
  driver().commit(Batch(Place(1, "p")).put("a", "A"));
  EXPECT_FALSE(driver().get_one(Place(1, "q"), "a"));
  EXPECT_FALSE(driver().get_one(Place(2, "p"), "a"));
  EXPECT_FALSE(driver().get_one(Place(1, "p"), "a", nullptr, Slot::Local1));
  EXPECT_TRUE(driver().get(Place(1, "p"), {}).empty());
}

TEST_P(EngineContract, get_stops_when_the_sink_says_so) {
  using namespace contract;
  const Place place(1, "p");
  driver().commit(Batch(place).put("a", "A").put("b", "B"));
  const std::vector<RowKey> keys{{Slot::Item, "a"}, {Slot::Item, "b"}};
  int calls = 0;
  ASSERT_TRUE(engine().get(place.partition(), keys, nullptr, [&](const RowView&) {
    ++calls;
    return false;
  }));
  EXPECT_EQ(calls, 1);
}

TEST_P(EngineContract, rows_hold_any_bytes) {
  using namespace contract;
  const std::string zeros("\0\0\xff\0", 4);
  const Place place(1, zeros);
  const std::string big(400 * 1024, 'x');
  driver().commit(
      Batch(place).put("", "empty sort key").put(zeros, zeros).put("none", "").put("big", big));
  EXPECT_EQ(driver().get_one(place, "")->value, "empty sort key");
  EXPECT_EQ(driver().get_one(place, zeros)->value, zeros);
  EXPECT_EQ(driver().get_one(place, "none")->value, "");
  EXPECT_EQ(driver().get_one(place, "big")->value, big);
  EXPECT_EQ(sorts_of(driver().range(place)), (Strings{"", zeros, "big", "none"}));
  auto rows = driver().scan(1);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1].key, place.key);
  EXPECT_EQ(rows[1].sort, zeros);
}

TEST_P(EngineContract, range_follows_byte_order_in_both_directions) {
  using namespace contract;
  const Place place(1, "p");
  const std::string high("\xff\xff", 2);
  driver().commit(
      Batch(place).put("b", "2").put("", "0").put(high, "4").put("a", "1").put("ba", "3"));
  EXPECT_EQ(sorts_of(driver().range(place)), (Strings{"", "a", "b", "ba", high}));
  EXPECT_EQ(sorts_of(driver().range(place, {}, Direction::Backward)),
            (Strings{high, "ba", "b", "a", ""}));
}

TEST_P(EngineContract, range_keeps_to_its_bounds_in_both_directions) {
  using namespace contract;
  const Place place(1, "p");
  driver().commit(Batch(place).put("a", "").put("b", "").put("c", "").put("d", "").put("e", ""));
  auto both = [&](KeyRange range) {
    Strings forward = sorts_of(driver().range(place, range));
    Strings backward = sorts_of(driver().range(place, range, Direction::Backward));
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(forward, backward);
    return forward;
  };
  EXPECT_EQ(both({.lower = "b"}), (Strings{"b", "c", "d", "e"}));
  EXPECT_EQ(both({.lower = "bb"}), (Strings{"c", "d", "e"}));
  EXPECT_EQ(both({.upper = "d"}), (Strings{"a", "b", "c"}));
  EXPECT_EQ(both({.upper = "dd"}), (Strings{"a", "b", "c", "d"}));
  EXPECT_EQ(both({.lower = "b", .upper = "d"}), (Strings{"b", "c"}));
  EXPECT_EQ(both({.lower = "b", .upper = "b"}), Strings{});
  EXPECT_EQ(both({.lower = "d", .upper = "b"}), Strings{});
  EXPECT_EQ(both({.upper = ""}), Strings{});
  EXPECT_EQ(both({.lower = "x"}), Strings{});
}

TEST_P(EngineContract, range_goes_on_after_a_row_whether_or_not_it_exists) {
  using namespace contract;
  const Place place(1, "p");
  driver().commit(Batch(place).put("a", "").put("b", "").put("c", "").put("d", ""));
  auto forward = [&](KeyRange range) { return sorts_of(driver().range(place, range)); };
  auto backward = [&](KeyRange range) {
    return sorts_of(driver().range(place, range, Direction::Backward));
  };
  EXPECT_EQ(forward({.after = "b"}), (Strings{"c", "d"}));
  EXPECT_EQ(forward({.after = "bb"}), (Strings{"c", "d"}));
  EXPECT_EQ(forward({.after = "d"}), Strings{});
  EXPECT_EQ(backward({.after = "c"}), (Strings{"b", "a"}));
  EXPECT_EQ(backward({.after = "bb"}), (Strings{"b", "a"}));
  EXPECT_EQ(backward({.after = "a"}), Strings{});
  // A position outside the bounds does not widen them.
  EXPECT_EQ(forward({.lower = "c", .after = "a"}), (Strings{"c", "d"}));
  EXPECT_EQ(backward({.upper = "c", .after = "d"}), (Strings{"b", "a"}));
  EXPECT_EQ(forward({.upper = "c", .after = "c"}), Strings{});
  EXPECT_EQ(backward({.lower = "c", .after = "c"}), Strings{});
  EXPECT_EQ(backward({.after = ""}), Strings{});
}

TEST_P(EngineContract, range_shows_no_row_of_another_slot_partition_or_space) {
  using namespace contract;
  const Place place(1, "p");
  driver().commit(Batch(place)
                      .put("a", "item")
                      .put("a", "local1", Slot::Local1)
                      .put("a", "local5", Slot::Local5)
                      .put("a", "history", Slot::History),
                  Batch(Place(1, "o")).put("a", "before"), Batch(Place(1, "q")).put("a", "behind"),
                  Batch(Place(2, "p")).put("a", "other space"));
  for (Direction direction : {Direction::Forward, Direction::Backward}) {
    EXPECT_EQ(values_of(driver().range(place, {}, direction)), (Strings{"item"}));
    EXPECT_EQ(values_of(driver().range(place, {.slot = Slot::Local1}, direction)),
              (Strings{"local1"}));
    EXPECT_EQ(values_of(driver().range(place, {.slot = Slot::Local2}, direction)), Strings{});
    EXPECT_EQ(values_of(driver().range(place, {.slot = Slot::Local5}, direction)),
              (Strings{"local5"}));
    EXPECT_EQ(values_of(driver().range(place, {.slot = Slot::History}, direction)),
              (Strings{"history"}));
  }
}

TEST_P(EngineContract, range_stops_when_the_sink_says_so) {
  using namespace contract;
  const Place place(1, "p");
  driver().commit(Batch(place).put("a", "").put("b", "").put("c", ""));
  EXPECT_EQ(sorts_of(driver().range(place, {}, Direction::Forward, 2)), (Strings{"a", "b"}));
  EXPECT_EQ(sorts_of(driver().range(place, {}, Direction::Backward, 2)), (Strings{"c", "b"}));
}

TEST_P(EngineContract, large_partition_is_read_whole_in_order) {
  using namespace contract;
  const Place place(1, "p");
  constexpr int kRows = 3000;
  auto sort_of = [](int i) { return std::to_string(100000 + i); };
  for (int i = 0; i < kRows; i += 100) {  // every row once, in an order that is not ascending
    Batch batch(place);
    for (int j = 0; j < 100; ++j) {
      const int row = (i + j) * 7 % kRows;
      batch.put(sort_of(row), std::to_string(row));
    }
    driver().commit(batch);
  }
  auto rows = driver().range(place);
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(kRows));
  for (int i = 0; i < kRows; ++i) ASSERT_EQ(rows[static_cast<std::size_t>(i)].sort, sort_of(i));

  auto backward =
      driver().range(place, {.lower = sort_of(1000), .upper = sort_of(2000)}, Direction::Backward);
  ASSERT_EQ(backward.size(), 1000u);
  EXPECT_EQ(backward.front().sort, sort_of(1999));
  EXPECT_EQ(backward.back().sort, sort_of(1000));
}

TEST_P(EngineContract, scan_goes_by_hash_then_key_then_sort) {
  using namespace contract;
  const Place low(1, "z", 5), high(1, "a", 0xfedcba9876543210), other(1, "m", 5);
  driver().commit(Batch(high).put("1", "high"), Batch(low).put("2", "z2").put("1", "z1"),
                  Batch(other).put("9", "m9"), Batch(Place(2, "x", 6)).put("", "no"),
                  Batch(Place(1, "y", 7)).put("", "index row", Slot::Local1));
  EXPECT_EQ(values_of(driver().scan(1)), (Strings{"m9", "z1", "z2", "high"}));
  EXPECT_EQ(values_of(driver().scan(1, {}, {}, SIZE_MAX, nullptr, Slot::Local1)),
            (Strings{"index row"}));
  EXPECT_EQ(values_of(driver().scan(1, {}, {}, 2)), (Strings{"m9", "z1"}));
  EXPECT_EQ(values_of(driver().scan(7)), Strings{});
}

TEST_P(EngineContract, keys_of_equal_hash_are_different_partitions) {
  using namespace contract;
  const Place one(1, "one", 42), two(1, "two", 42);
  driver().commit(Batch(one).put("a", "1a").put("b", "1b").grow(2, 20));
  driver().commit(Batch(two).put("a", "2a").grow(1, 7));
  EXPECT_EQ(driver().get_one(one, "a")->value, "1a");
  EXPECT_EQ(driver().get_one(two, "a")->value, "2a");
  EXPECT_FALSE(driver().get_one(two, "b"));
  EXPECT_EQ(values_of(driver().range(one)), (Strings{"1a", "1b"}));
  EXPECT_EQ(values_of(driver().range(two, {}, Direction::Backward)), (Strings{"2a"}));
  EXPECT_EQ(values_of(driver().scan(1)), (Strings{"1a", "1b", "2a"}));
  EXPECT_EQ(driver().size(one), (Size{2, 20}));
  EXPECT_EQ(driver().size(two), (Size{1, 7}));
}

TEST_P(EngineContract, scan_starts_beyond_a_row_whether_or_not_it_exists) {
  using namespace contract;
  const Place p(1, "p", 10), q(1, "q", 10), r(1, "r", 20);
  driver().commit(Batch(p).put("a", "pa").put("b", "pb"), Batch(q).put("a", "qa"),
                  Batch(r).put("a", "ra"));
  auto from = [&](std::uint64_t hash, std::string_view key, std::string_view sort) {
    return values_of(driver().scan(1, {}, ScanStart{hash, key, sort}));
  };
  EXPECT_EQ(from(10, p.key, "a"), (Strings{"pb", "qa", "ra"}));
  EXPECT_EQ(from(10, p.key, "aa"), (Strings{"pb", "qa", "ra"}));
  EXPECT_EQ(from(10, p.key, "z"), (Strings{"qa", "ra"}));
  EXPECT_EQ(from(10, partition_key("pp"), ""), (Strings{"qa", "ra"}));
  EXPECT_EQ(from(10, q.key, "a"), (Strings{"ra"}));
  EXPECT_EQ(from(15, p.key, "a"), (Strings{"ra"}));
  EXPECT_EQ(from(9, r.key, "z"), (Strings{"pa", "pb", "qa", "ra"}));
  EXPECT_EQ(from(20, r.key, "a"), Strings{});
  EXPECT_EQ(from(UINT64_MAX, r.key, "a"), Strings{});
  // A start outside the hash range does not widen it.
  EXPECT_EQ(values_of(driver().scan(1, {11, 30}, ScanStart{10, p.key, "a"})), (Strings{"ra"}));
  EXPECT_EQ(values_of(driver().scan(1, {0, 15}, ScanStart{20, p.key, "a"})), Strings{});
}

TEST_P(EngineContract, hash_ranges_include_both_ends) {
  using namespace contract;
  driver().commit(Batch(Place(1, "a", 0)).put("", "first"),
                  Batch(Place(1, "b", 100)).put("", "middle"),
                  Batch(Place(1, "c", UINT64_MAX)).put("", "last"));
  EXPECT_EQ(values_of(driver().scan(1, {0, 100})), (Strings{"first", "middle"}));
  EXPECT_EQ(values_of(driver().scan(1, {0, 99})), (Strings{"first"}));
  EXPECT_EQ(values_of(driver().scan(1, {100, 100})), (Strings{"middle"}));
  EXPECT_EQ(values_of(driver().scan(1, {101, UINT64_MAX})), (Strings{"last"}));
  EXPECT_EQ(values_of(driver().scan(1, {UINT64_MAX, UINT64_MAX})), (Strings{"last"}));
  EXPECT_EQ(values_of(driver().scan(1, {5, 4})), Strings{});
}

TEST_P(EngineContract, segments_partition_the_space_exactly) {
  using namespace contract;
  constexpr int kRows = 500;
  for (int i = 0; i < kRows; ++i) {
    const std::string name = "item" + std::to_string(i);
    driver().commit(Batch(Place(1, name)).put("", name));
  }
  for (std::uint64_t segments : {1u, 2u, 3u, 7u, 64u, 1000u}) {
    std::multiset<std::string> seen;
    std::uint64_t first = 0;
    for (std::uint64_t i = 0; i < segments; ++i) {
      const std::uint64_t last = i + 1 == segments ? UINT64_MAX : first + UINT64_MAX / segments - 1;
      for (const SeenRow& row : driver().scan(1, {first, last})) seen.insert(row.value);
      first = last + 1;
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kRows)) << segments;
    EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(),
              static_cast<std::size_t>(kRows))
        << segments;
  }
}

TEST_P(EngineContract, pages_of_a_scan_join_without_gap_or_overlap) {
  using namespace contract;
  for (int i = 0; i < 300; ++i) {
    const std::string name = std::to_string(i);
    driver().commit(Batch(Place(1, name)).put("a", name).put("b", name));
  }
  std::vector<SeenRow> whole = driver().scan(1);
  ASSERT_EQ(whole.size(), 600u);
  EXPECT_TRUE(std::is_sorted(whole.begin(), whole.end(), [](const SeenRow& a, const SeenRow& b) {
    return std::tie(a.hash, a.key, a.sort) < std::tie(b.hash, b.key, b.sort);
  }));
  std::vector<SeenRow> paged;
  std::optional<SeenRow> last;
  while (true) {
    std::optional<ScanStart> start;
    if (last) start = ScanStart{last->hash, last->key, last->sort};
    auto page = driver().scan(1, {}, start, 7);
    if (page.empty()) break;
    paged.insert(paged.end(), page.begin(), page.end());
    last = page.back();
  }
  ASSERT_EQ(paged.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(paged[i].key, whole[i].key);
    EXPECT_EQ(paged[i].sort, whole[i].sort);
  }
}

}  // namespace partita
