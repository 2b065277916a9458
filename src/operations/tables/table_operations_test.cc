// DescribeTable, DeleteTable and ListTables, and how a table's status shows with a delay.
#include "operations/tables/table_operations.h"

#include "operations/tables/tables_fixture.h"

namespace partita {
namespace {

class DescribeTable : public TablesTest {};
class DeleteTable : public TablesTest {};
class ListTables : public TablesTest {};

const std::string kArn = "arn:aws:dynamodb:us-east-1:314159265358:table/";

TEST_F(DescribeTable, finds_by_arn_and_names_what_it_did_not_find) {
  create(provisioned("Music"));
  EXPECT_EQ(describe_named(kArn + "Music").table_name, "Music");
  const std::string missing = "Requested resource not found: Table: Nothing not found";
  EXPECT_EQ(failure(describe_table(context(), {"Nothing"}), ErrorCode::ResourceNotFound), missing);
  EXPECT_EQ(failure(describe_table(context(), {kArn + "Nothing"}), ErrorCode::ResourceNotFound),
            missing);
  EXPECT_NE(failure(describe_table(context(), {""})).find("at 'tableName'"), std::string::npos);
}

TEST_F(DescribeTable, counts_are_those_of_the_engine) {
  CreateTableRequest request = on_demand("Music");
  request.attribute_definitions.push_back({"a", ScalarType::S});
  request.global_secondary_indexes = {global_index("global", "a")};
  create(request);
  const TablePointer table = catalog_->find_any("Music", now_);
  const PartitionBatch rows[] = {{{table->space, 1, "k"}, {}, {}, {}, {3, 120}},
                                 {{table->global_indexes[0].space, 1, "k"}, {}, {}, {}, {2, 50}}};
  ASSERT_TRUE(engine_.commit(rows, now_));
  const TableDescription described = describe_named("Music");
  EXPECT_EQ(described.item_count, 3);
  EXPECT_EQ(described.table_size_bytes, 120);
  EXPECT_EQ(described.global_secondary_indexes[0].item_count, 2);
  EXPECT_EQ(described.global_secondary_indexes[0].index_size_bytes, 50);
}

TEST_F(DescribeTable, even_an_absence_waits_for_what_it_tells_of) {
  create(provisioned("Music"));
  ASSERT_TRUE(delete_table(context(), {"Music"}));
  ticket_ = {};
  failure(describe_table(context(), {"Music"}), ErrorCode::ResourceNotFound);
  EXPECT_EQ(ticket_.version, catalog_->latest());
}

TEST_F(DescribeTable, shows_creating_until_the_delay_is_over) {
  delay_by(50);
  CreateTableRequest request = on_demand("Music");
  request.attribute_definitions.push_back({"a", ScalarType::S});
  request.global_secondary_indexes = {global_index("global", "a")};
  create(request);
  EXPECT_EQ(describe_named("Music").table_status, TableStatus::Creating);
  EXPECT_EQ(describe_named("Music").global_secondary_indexes[0].index_status,
            IndexStatus::Creating);
  pass(50);
  EXPECT_EQ(describe_named("Music").table_status, TableStatus::Active);
  EXPECT_EQ(describe_named("Music").global_secondary_indexes[0].index_status, IndexStatus::Active);
}

TEST_F(DeleteTable, answers_deleting_and_the_table_is_gone) {
  create(provisioned("Music"));
  const auto answer = delete_table(context(), {kArn + "Music"});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->table_status, TableStatus::Deleting);
  EXPECT_EQ(answer->table_name, "Music");
  EXPECT_EQ(ticket_.version, catalog_->latest());
  const std::string missing = "Requested resource not found: Table: Music not found";
  EXPECT_EQ(failure(describe_table(context(), {"Music"}), ErrorCode::ResourceNotFound), missing);
  EXPECT_EQ(failure(delete_table(context(), {"Music"}), ErrorCode::ResourceNotFound), missing);
  create(provisioned("Music"));
}

TEST_F(DeleteTable, a_protected_table_stays) {
  CreateTableRequest request = provisioned("Music");
  request.deletion_protection_enabled = true;
  create(request);
  EXPECT_EQ(failure(delete_table(context(), {"Music"})),
            "Resource cannot be deleted as it is currently protected against deletion. Disable "
            "deletion protection first.");
  UpdateTableRequest unprotect;
  unprotect.table_name = "Music";
  unprotect.deletion_protection_enabled = false;
  EXPECT_EQ(update(unprotect).table_status, TableStatus::Active);
  EXPECT_TRUE(delete_table(context(), {"Music"}));
}

TEST_F(DeleteTable, a_table_on_its_way_is_in_use) {
  delay_by(50);
  create(provisioned("Music"));
  const std::string in_use = "Attempt to change a resource which is still in use: Table is being ";
  EXPECT_EQ(failure(delete_table(context(), {"Music"}), ErrorCode::ResourceInUse),
            in_use + "created: Music");
  pass(50);
  UpdateTableRequest change;
  change.table_name = "Music";
  change.provisioned_throughput = ProvisionedThroughput{9, 9};
  update(change);
  EXPECT_EQ(failure(delete_table(context(), {"Music"}), ErrorCode::ResourceInUse),
            in_use + "updated: Music");
  pass(50);
  ASSERT_TRUE(delete_table(context(), {"Music"}));
  EXPECT_EQ(describe_named("Music").table_status, TableStatus::Deleting);
  EXPECT_EQ(failure(delete_table(context(), {"Music"}), ErrorCode::ResourceInUse),
            in_use + "deleted: Music");
  pass(50);
  failure(describe_table(context(), {"Music"}), ErrorCode::ResourceNotFound);
}

TEST_F(ListTables, pages_through_the_names_in_order) {
  for (const char* name : {"ccc", "aaa", "bbb", "Zzz"}) create(on_demand(name));
  const auto all = list_tables(context(), {});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->table_names, (std::vector<std::string>{"Zzz", "aaa", "bbb", "ccc"}));
  EXPECT_FALSE(all->last_evaluated_table_name);
  EXPECT_EQ(ticket_.version, catalog_->latest());

  const auto first = list_tables(context(), {std::nullopt, 2});
  EXPECT_EQ(first->table_names, (std::vector<std::string>{"Zzz", "aaa"}));
  EXPECT_EQ(first->last_evaluated_table_name, "aaa");
  const auto second = list_tables(context(), {first->last_evaluated_table_name, 2});
  EXPECT_EQ(second->table_names, (std::vector<std::string>{"bbb", "ccc"}));
  EXPECT_FALSE(second->last_evaluated_table_name) << "the last page is full but the last";
  EXPECT_TRUE(list_tables(context(), {"zzzz", 1})->table_names.empty());
}

TEST_F(ListTables, a_page_has_at_most_a_hundred_names) {
  for (int i = 0; i < 101; ++i) create(on_demand("table-" + std::to_string(1000 + i)));
  const auto page = list_tables(context(), {});
  EXPECT_EQ(page->table_names.size(), 100u);
  EXPECT_EQ(page->last_evaluated_table_name, "table-1099");
}

TEST_F(ListTables, limit_and_start_are_checked) {
  EXPECT_EQ(
      failure(list_tables(context(), {std::nullopt, 0})),
      "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member "
      "must have value greater than or equal to 1");
  EXPECT_EQ(failure(list_tables(context(), {std::nullopt, 101})),
            "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: "
            "Member must have value less than or equal to 100");
  EXPECT_EQ(failure(list_tables(context(), {"a;b", 1})),
            "1 validation error detected: Value 'a;b' at 'exclusiveStartTableName' failed to "
            "satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
}

}  // namespace
}  // namespace partita
