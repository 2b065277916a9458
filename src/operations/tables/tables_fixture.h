// For tests of the table operations: a database of one's own, without executor work.
#pragma once

#include <memory>
#include <memory_resource>
#include <string>

#include <gtest/gtest.h>

#include "catalog/observed_engine.h"
#include "operations/tables/table_operations.h"
#include "storage/memory/memory_engine.h"

namespace partita {

class TablesTest : public testing::Test {
 protected:
  TablesTest() { reopen(); }

  void reopen() {
    auto opened = Catalog::open(engine_, options_, now_);
    ASSERT_TRUE(opened) << opened.error().message();
    catalog_ = *std::move(opened);
  }
  void delay_by(int milliseconds) {
    options_.table_delay = std::chrono::milliseconds(milliseconds);
    reopen();
  }
  void pass(int milliseconds) { now_ += std::chrono::milliseconds(milliseconds); }

  OperationContext context() {
    return {*catalog_, executor_, streams_, expressions_,
            random_,   options_,  now_,     std::pmr::get_default_resource(),
            ticket_};
  }

  // A request for a provisioned table with one S key "pk".
  static CreateTableRequest provisioned(std::string name) {
    CreateTableRequest request;
    request.table_name = std::move(name);
    request.attribute_definitions = {{"pk", ScalarType::S}};
    request.key_schema = {{"pk", KeyType::Hash}};
    request.provisioned_throughput = ProvisionedThroughput{5, 6};
    return request;
  }
  static CreateTableRequest on_demand(std::string name) {
    CreateTableRequest request = provisioned(std::move(name));
    request.billing_mode = BillingMode::PayPerRequest;
    request.provisioned_throughput.reset();
    return request;
  }
  static GlobalSecondaryIndex global_index(std::string name, std::string hash) {
    GlobalSecondaryIndex index;
    index.index_name = std::move(name);
    index.key_schema = {{std::move(hash), KeyType::Hash}};
    index.projection.type = ProjectionType::All;
    return index;
  }
  static LocalSecondaryIndex local_index(std::string name, std::string range) {
    LocalSecondaryIndex index;
    index.index_name = std::move(name);
    index.key_schema = {{"pk", KeyType::Hash}, {std::move(range), KeyType::Range}};
    index.projection.type = ProjectionType::All;
    return index;
  }

  TableDescription create(const CreateTableRequest& request) {
    auto answer = create_table(context(), request);
    EXPECT_TRUE(answer) << answer.error().message();
    return answer ? *std::move(answer) : TableDescription{};
  }
  TableDescription update(const UpdateTableRequest& request) {
    auto answer = update_table(context(), request);
    EXPECT_TRUE(answer) << answer.error().message();
    return answer ? *std::move(answer) : TableDescription{};
  }
  TableDescription describe_named(const std::string& name) {
    auto answer = describe_table(context(), {name});
    EXPECT_TRUE(answer) << answer.error().message();
    return answer ? *std::move(answer) : TableDescription{};
  }

  // What a failure says, after checking its code.
  template <typename T>
  static std::string failure(const Result<T>& answer, ErrorCode code = ErrorCode::Validation) {
    if (answer) return "no failure";
    EXPECT_EQ(static_cast<int>(answer.error().code()), static_cast<int>(code))
        << answer.error().message();
    return answer.error().message();
  }
  std::string refused(const CreateTableRequest& request, ErrorCode code = ErrorCode::Validation) {
    return failure(create_table(context(), request), code);
  }
  std::string refused(const UpdateTableRequest& request, ErrorCode code = ErrorCode::Validation) {
    return failure(update_table(context(), request), code);
  }

  ObservedEngine engine_{make_memory_engine()};
  Options options_;
  TimePoint now_{std::chrono::milliseconds(1'700'000'000'123)};  // 2023-11-14T22:13:20.123Z
  Executor executor_{engine_};
  StreamReader streams_{engine_};
  ExpressionCache expressions_;
  SystemRandom random_;
  DurabilityTicket ticket_;
  std::unique_ptr<Catalog> catalog_;
};

inline const std::string kInvalid = "One or more parameter values were invalid: ";

}  // namespace partita
