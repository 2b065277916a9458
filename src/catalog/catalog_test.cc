#include "catalog/catalog.h"

#include <algorithm>
#include <barrier>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "catalog/key_space.h"
#include "catalog/observed_engine.h"
#include "catalog/sample_tables.h"
#include "catalog/table_lifecycle.h"
#include "storage/memory/memory_engine.h"

namespace partita {
namespace {

using std::chrono::milliseconds;

class CatalogTest : public testing::Test {
 protected:
  CatalogTest() { reopen(); }

  void reopen() {
    catalog_.reset();
    auto opened = Catalog::open(engine_, options_, now_);
    ASSERT_TRUE(opened) << opened.error().message();
    catalog_ = *std::move(opened);
  }
  void delay_by(int count) {
    options_.table_delay = milliseconds(count);
    reopen();
  }
  TablePointer create(TableSchema table) {
    enter_status(table, TableStatus::Creating, options_.table_delay, now_);
    auto change = catalog_->create(std::move(table), now_);
    EXPECT_TRUE(change) << change.error().message();
    return change ? change->table : nullptr;
  }
  TablePointer create(const std::string& name) { return create(simple_table(name)); }
  void remove(const std::string& name) {
    const auto removed = catalog_->remove(catalog_->find_any(name, now_), now_);
    ASSERT_TRUE(removed) << removed.error().message();
  }
  bool finds(std::string_view name) { return catalog_->find(name, now_).has_value(); }
  ErrorCode failure(std::string_view name) { return catalog_->find(name, now_).error().code(); }
  // A row as an item operation would write it.
  void write_row(SpaceId space) {
    const Edit edit{{Slot::Item, ""}, Bytes("row")};
    const PartitionBatch batch{{space, 1, "key"}, {}, {&edit, 1}, {}, {1, 3}};
    ASSERT_TRUE(engine_.commit({&batch, 1}, now_));
  }

  ObservedEngine engine_{make_memory_engine()};
  Options options_;
  TimePoint now_{milliseconds(1'700'000'000'000)};
  std::unique_ptr<Catalog> catalog_;
};

// ---- Finding ----

TEST_F(CatalogTest, a_created_table_is_found_by_name_and_by_arn) {
  const TablePointer table = create("Music");
  EXPECT_EQ(*catalog_->find("Music", now_), table);
  EXPECT_EQ(*catalog_->find("arn:aws:dynamodb:us-east-1:000000000000:table/Music", now_), table);
  EXPECT_EQ(catalog_->find_any("Music", now_), table);
}

TEST_F(CatalogTest, what_is_not_there_is_not_found_and_what_cannot_be_is_invalid) {
  create("Music");
  EXPECT_EQ(failure("music"), ErrorCode::ResourceNotFound) << "names are case sensitive";
  EXPECT_EQ(catalog_->find("Nothing", now_).error().message(), "Requested resource not found");
  EXPECT_EQ(failure("arn:aws:dynamodb:us-east-1:000000000000:table/Nothing"),
            ErrorCode::ResourceNotFound);
  EXPECT_EQ(failure(""), ErrorCode::Validation);
  EXPECT_EQ(failure("no such name"), ErrorCode::Validation);
  EXPECT_EQ(failure("arn:aws:dynamodb:us-east-1:000000000000:table/Music/index/i"),
            ErrorCode::Validation);
  EXPECT_EQ(catalog_->find_any("Nothing", now_), nullptr);
}

TEST_F(CatalogTest, names_are_listed_in_byte_order_beyond_a_name_that_need_not_exist) {
  for (const char* name : {"bbb", "AAA", "aaa", "aaa.b", "ccc"}) create(name);
  using Names = std::vector<std::string>;
  EXPECT_EQ(catalog_->names("", 100, now_), (Names{"AAA", "aaa", "aaa.b", "bbb", "ccc"}));
  EXPECT_EQ(catalog_->names("", 2, now_), (Names{"AAA", "aaa"}));
  EXPECT_EQ(catalog_->names("aaa", 2, now_), (Names{"aaa.b", "bbb"}));
  EXPECT_EQ(catalog_->names("aab", 9, now_), (Names{"bbb", "ccc"}));
  EXPECT_EQ(catalog_->names("ccc", 9, now_), Names{});
}

// ---- Creating ----

TEST_F(CatalogTest, a_second_table_of_the_same_name_is_refused) {
  create("Music");
  const auto again = catalog_->create(simple_table("Music"), now_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::ResourceInUse);
  EXPECT_EQ(again.error().message(), "Table already exists: Music");
}

TEST_F(CatalogTest, tables_survive_reopening) {
  const TablePointer before = create(indexed_table("Music"));
  reopen();
  const auto after = catalog_->find("Music", now_);
  ASSERT_TRUE(after);
  EXPECT_EQ((*after)->space, before->space);
  EXPECT_EQ((*after)->version, before->version);
  EXPECT_EQ((*after)->global_indexes[1].space, before->global_indexes[1].space);
}

TEST_F(CatalogTest, space_ids_are_never_given_out_twice) {
  std::set<SpaceId> seen{kCatalogSpace};
  for (int round = 0; round < 5; ++round) {
    const TablePointer table = create(indexed_table("Music"));
    for (const SpaceId space : spaces_of(*table).spaces) {
      EXPECT_TRUE(seen.insert(space).second) << space;
    }
    remove("Music");
    reopen();
  }
}

TEST_F(CatalogTest, of_two_catalogs_over_one_engine_only_one_creates_a_table) {
  auto other = *Catalog::open(engine_, options_, now_);
  const TablePointer mine = create("Music");
  const auto theirs = other->create(simple_table("Music"), now_);
  ASSERT_FALSE(theirs);
  EXPECT_EQ(theirs.error().code(), ErrorCode::ResourceInUse);

  const auto another = other->create(simple_table("Films"), now_);
  ASSERT_TRUE(another) << another.error().message();
  EXPECT_NE(another->table->space, mine->space);
}

TEST_F(CatalogTest, guards_that_fail_for_no_reason_are_tried_again) {
  engine_.conflicts_to_come = 7;
  const TablePointer table = create("Music");
  engine_.conflicts_to_come = 7;
  TableSchema changed = *table;
  changed.deletion_protection = true;
  ASSERT_TRUE(catalog_->update(table, changed, now_));
  engine_.conflicts_to_come = 7;
  remove("Music");
  EXPECT_FALSE(finds("Music"));
  EXPECT_EQ(engine_.conflicts_to_come, 0);
}

TEST_F(CatalogTest, a_failed_commit_changes_nothing) {
  create("Music");
  engine_.commits_fail = true;
  EXPECT_EQ(catalog_->create(simple_table("Films"), now_).error().code(),
            ErrorCode::InternalServerError);
  EXPECT_FALSE(catalog_->remove(catalog_->find_any("Music", now_), now_));
  EXPECT_TRUE(finds("Music"));
  EXPECT_FALSE(finds("Films"));
  engine_.commits_fail = false;
  create("Films");
}

// ---- Changing ----

TEST_F(CatalogTest, an_update_of_a_schema_that_is_no_longer_the_tables_is_a_conflict) {
  const TablePointer first = create("Music");
  TableSchema changed = *first;
  changed.deletion_protection = true;
  ASSERT_TRUE(catalog_->update(first, changed, now_));
  EXPECT_TRUE((*catalog_->find("Music", now_))->deletion_protection);
  EXPECT_EQ(catalog_->update(first, changed, now_).error().code(), ErrorCode::Conflict);
  EXPECT_EQ(catalog_->remove(first, now_).error().code(), ErrorCode::Conflict);
  reopen();
  EXPECT_TRUE((*catalog_->find("Music", now_))->deletion_protection);
}

TEST_F(CatalogTest, latest_is_the_version_of_the_last_change) {
  const TablePointer table = create("Music");
  EXPECT_EQ(catalog_->latest(), table->version);
  const Version created = catalog_->latest();
  remove("Music");
  EXPECT_GT(catalog_->latest(), created);
}

// ---- Deleting ----

TEST_F(CatalogTest, a_deleted_table_is_gone_and_its_rows_are_dropped) {
  const TablePointer table = create(indexed_table("Music"));
  for (const SpaceId space : spaces_of(*table).spaces) write_row(space);
  remove("Music");
  EXPECT_FALSE(finds("Music"));
  EXPECT_EQ(catalog_->find_any("Music", now_), nullptr);
  EXPECT_EQ(engine_.dropped(), spaces_of(*table).spaces);
  EXPECT_EQ(*catalog_->table_size(*table), Size{});
}

TEST_F(CatalogTest, a_recreated_table_never_shows_old_rows) {
  const TablePointer old = create("Music");
  write_row(old->space);
  remove("Music");
  const TablePointer fresh = create("Music");
  EXPECT_NE(fresh->space, old->space);
  EXPECT_EQ(catalog_->table_size(*fresh)->items, 0);
}

TEST_F(CatalogTest, rows_are_dropped_only_once_the_deletion_is_durable) {
  const TablePointer table = create("Music");
  engine_.durable_lags = true;
  remove("Music");
  EXPECT_FALSE(finds("Music"));
  EXPECT_TRUE(engine_.dropped().empty());
  ASSERT_TRUE(catalog_->finish_due_deletions(now_));
  EXPECT_TRUE(engine_.dropped().empty());
  engine_.durable_lags = false;
  ASSERT_TRUE(catalog_->finish_due_deletions(now_));
  EXPECT_EQ(engine_.dropped(), std::vector<SpaceId>{table->space});
  ASSERT_TRUE(catalog_->finish_due_deletions(now_));
  EXPECT_EQ(engine_.dropped().size(), 1u) << "once is enough";
}

TEST_F(CatalogTest, a_crash_between_deletion_and_drop_is_made_good_at_opening) {
  const TablePointer table = create(indexed_table("Music"));
  engine_.durable_lags = true;  // so that remove leaves the dropping to later, which never comes
  remove("Music");
  engine_.durable_lags = false;
  reopen();
  EXPECT_FALSE(finds("Music"));
  EXPECT_EQ(engine_.dropped(), spaces_of(*table).spaces);
  reopen();
  EXPECT_EQ(engine_.dropped().size(), 5u) << "the second opening has nothing left to drop";
}

TEST_F(CatalogTest, a_drop_that_fails_is_tried_again_and_does_not_fail_the_deletion) {
  const TablePointer table = create("Music");
  engine_.drops_fail = true;
  remove("Music");
  EXPECT_FALSE(finds("Music"));
  engine_.drops_fail = false;
  create("Films");
  EXPECT_EQ(engine_.dropped(), std::vector<SpaceId>{table->space});
}

// ---- With a delay ----

TEST_F(CatalogTest, a_new_table_serves_items_once_the_delay_is_over) {
  delay_by(100);
  const TablePointer table = create("Music");
  EXPECT_EQ(status_at(*table, now_), TableStatus::Creating);
  EXPECT_EQ(failure("Music"), ErrorCode::ResourceNotFound);
  EXPECT_EQ(catalog_->find_any("Music", now_), table);
  const auto again = catalog_->create(simple_table("Music"), now_);
  EXPECT_EQ(again.error().message(),
            "Attempt to change a resource which is still in use: Table is being created: Music");
  now_ += milliseconds(99);
  EXPECT_FALSE(finds("Music"));
  reopen();
  now_ += milliseconds(1);
  EXPECT_TRUE(finds("Music"));
  EXPECT_EQ(status_at(*table, now_), TableStatus::Active);
}

TEST_F(CatalogTest, an_updating_table_serves_items) {
  delay_by(100);
  const TablePointer table = create("Music");
  now_ += milliseconds(100);
  TableSchema changed = *table;
  enter_status(changed, TableStatus::Updating, options_.table_delay, now_);
  const auto change = catalog_->update(table, changed, now_);
  ASSERT_TRUE(change);
  EXPECT_EQ(status_at(*change->table, now_), TableStatus::Updating);
  EXPECT_TRUE(finds("Music"));
}

TEST_F(CatalogTest, a_deleted_table_is_shown_until_the_delay_is_over) {
  delay_by(100);
  const TablePointer table = create("Music");
  now_ += milliseconds(100);
  remove("Music");
  EXPECT_EQ(failure("Music"), ErrorCode::ResourceNotFound);
  EXPECT_EQ(status_at(*catalog_->find_any("Music", now_), now_), TableStatus::Deleting);
  EXPECT_EQ(catalog_->names("", 9, now_), std::vector<std::string>{"Music"});
  EXPECT_EQ(catalog_->create(simple_table("Music"), now_).error().message(),
            "Table already exists: Music");
  EXPECT_TRUE(engine_.dropped().empty());

  now_ += milliseconds(100);
  EXPECT_EQ(catalog_->find_any("Music", now_), nullptr);
  EXPECT_TRUE(catalog_->names("", 9, now_).empty());
  ASSERT_TRUE(catalog_->finish_due_deletions(now_));
  EXPECT_EQ(engine_.dropped(), std::vector<SpaceId>{table->space});
}

TEST_F(CatalogTest, the_name_is_free_when_the_delay_is_over_whether_or_not_anybody_cleaned_up) {
  delay_by(100);
  const TablePointer old = create("Music");
  now_ += milliseconds(100);
  remove("Music");
  now_ += milliseconds(100);
  const TablePointer fresh = create("Music");
  ASSERT_NE(fresh, nullptr);
  EXPECT_NE(fresh->space, old->space);
  EXPECT_EQ(engine_.dropped(), std::vector<SpaceId>{old->space});
}

TEST_F(CatalogTest, a_deletion_that_became_due_while_closed_is_finished_at_opening) {
  delay_by(100);
  const TablePointer table = create("Music");
  now_ += milliseconds(100);
  remove("Music");
  catalog_.reset();
  now_ += milliseconds(100);
  reopen();
  EXPECT_EQ(engine_.dropped(), std::vector<SpaceId>{table->space});
  EXPECT_EQ(catalog_->find_any("Music", now_), nullptr);
}

TEST_F(CatalogTest, without_a_delay_a_clock_set_back_hides_nothing) {
  create("Music");
  now_ -= std::chrono::hours(1);
  EXPECT_TRUE(finds("Music"));
}

// ---- Damage ----

class DamagedCatalogTest : public CatalogTest {
 protected:
  std::string opening_with(const std::string& row, const std::string& value) {
    const Edit edit{{Slot::Item, row}, Bytes(value)};
    const PartitionBatch batch{catalog_partition(), {}, {&edit, 1}, {}, {}};
    EXPECT_TRUE(engine_.commit({&batch, 1}, now_));
    const auto opened = Catalog::open(engine_, options_, now_);
    return opened ? "" : opened.error().message();
  }
};

TEST_F(DamagedCatalogTest, a_damaged_row_is_an_error_that_names_it) {
  const std::string message = opening_with(table_row_key("Music"), "rubbish");
  EXPECT_NE(message.find("damaged"), std::string::npos) << message;
}

TEST_F(DamagedCatalogTest, a_row_of_a_kind_unknown_is_left_alone) {
  create("Music");
  const std::string unknown(
      "\x21"
      "future\0\x01",
      9);
  EXPECT_EQ(opening_with(unknown, "whatever"), "");
}

TEST_F(DamagedCatalogTest, a_table_in_a_space_not_given_out_is_an_error) {
  create("Music");
  const std::string message = opening_with(spaces_row_key(), encode_next_space(1));
  EXPECT_NE(message.find("never given out"), std::string::npos) << message;
}

// ---- Many at once ----

TEST_F(CatalogTest, of_many_creators_of_one_name_exactly_one_succeeds) {
  constexpr int kThreads = 16;
  for (int round = 0; round < 20; ++round) {
    const std::string name = "table-" + std::to_string(round);
    std::atomic<int> created = 0, refused = 0;
    std::barrier start(kThreads);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        const auto result = catalog_->create(simple_table(name), now_);
        if (result) {
          ++created;
        } else if (result.error().code() == ErrorCode::ResourceInUse) {
          ++refused;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(created, 1);
    EXPECT_EQ(refused, kThreads - 1);
  }
}

TEST_F(CatalogTest, creating_deleting_and_finding_at_once_gives_every_table_its_own_space) {
  constexpr int kThreads = 16, kRounds = 200;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mutex mutex;
  std::set<SpaceId> spaces;
  std::atomic<int> created = 0, removed = 0, found = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      std::mt19937 random(seed + i);
      for (int round = 0; round < kRounds; ++round) {
        const std::string name = "table-" + std::to_string(random() % 5);
        switch (random() % 4) {
          case 0: {
            const auto change = catalog_->create(indexed_table(name), now_);
            if (!change) break;
            ++created;
            const std::lock_guard lock(mutex);
            for (const SpaceId space : spaces_of(*change->table).spaces) {
              EXPECT_TRUE(spaces.insert(space).second) << space;
            }
            break;
          }
          case 1:
            if (const TablePointer table = catalog_->find_any(name, now_)) {
              if (catalog_->remove(table, now_)) ++removed;
            }
            break;
          case 2:
            catalog_->names("", 3, now_);
            break;
          default:
            if (const auto table = catalog_->find(name, now_)) {
              ++found;
              EXPECT_EQ((*table)->name, name);
            }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::size_t left = catalog_->names("", 100, now_).size();
  EXPECT_EQ(static_cast<std::size_t>(created - removed), left);
  EXPECT_EQ(engine_.dropped().size(), static_cast<std::size_t>(removed) * 5);
  EXPECT_GT(created, 5);
  const auto names = catalog_->names("", 100, now_);
  reopen();
  EXPECT_EQ(catalog_->names("", 100, now_), names);
}

}  // namespace
}  // namespace partita
