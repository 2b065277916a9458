#include "wire/dispatch.h"

#include <new>
#include <string>

#include <gtest/gtest.h>

#include "wire/wire_test_fixture_test.h"

namespace partita {
namespace {

class Dispatch : public WireTest {};

TEST_F(Dispatch, calls_each_operation_by_its_target) {
  const std::string_view table = R"({"TableName":"tab"})";
  const std::string_view key = R"({"TableName":"tab","Key":{"p":{"S":"x"}}})";
  const struct {
    std::string_view operation;
    std::string_view body;
  } requests[] = {
      {"PutItem", R"({"TableName":"tab","Item":{"p":{"S":"x"}}})"},
      {"GetItem", key},
      {"UpdateItem", key},
      {"DeleteItem", key},
      {"Query", table},
      {"Scan", table},
      {"DescribeTable", table},
      {"DeleteTable", table},
      {"UpdateTable", table},
      {"ListTables", "{}"},
      {"CreateTable", R"({"TableName":"tab","KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],)"
                      R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}]})"},
  };
  for (const auto& request : requests) {
    const int calls = api.calls;
    const std::string body = send(request.operation, request.body);
    EXPECT_EQ(answer.status, 200) << request.operation << body;
    EXPECT_EQ(answer.ticket.version, 7U);
    EXPECT_EQ(api.calls, calls + 1);
  }
}

TEST_F(Dispatch, answers_unknown_targets) {
  const std::string expected = R"({"__type":"com.amazon.coral.service#UnknownOperationException"})";
  for (std::string_view operation :
       {"", "ListTable", "listTables", "ListTables ", "PutItemX", "BatchExecuteStatement"}) {
    EXPECT_EQ(send(operation, "{}"), expected) << operation;
    EXPECT_EQ(answer.status, 400);
  }
  TextBuffer out;
  for (std::string_view target :
       {"", "PutItem", "DynamoDB_20111205.PutItem", "DynamoDB_20120810", "x.PutItem"}) {
    out.clear();
    EXPECT_EQ(dispatch(api, {target, ""}, std::pmr::get_default_resource(), out).status, 400);
    EXPECT_EQ(out.view(), expected) << target;
  }
  EXPECT_EQ(api.calls, 0);
}

TEST_F(Dispatch, hands_on_errors_and_their_tickets) {
  api.on_get_item = [](const GetItemRequest&) -> Result<GetItemResponse> {
    return Error::resource_not_found("Requested resource not found");
  };
  EXPECT_EQ(send("GetItem", R"({"TableName":"tab","Key":{}})"),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
            R"("message":"Requested resource not found"})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.ticket.version, 7U);
}

TEST_F(Dispatch, answers_what_a_library_throws) {
  api.on_scan = [](const ScanRequest&) -> Result<ScanResponse> { throw std::bad_alloc(); };
  EXPECT_EQ(send("Scan", R"({"TableName":"tab"})"),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
            R"("message":"The request could not be carried out"})");
  EXPECT_EQ(answer.status, 500);
}

TEST_F(Dispatch, appends_to_what_the_server_has_written) {
  api.on_scan = [](const ScanRequest&) -> Result<ScanResponse> { throw std::bad_alloc(); };
  const PaddedBody body(R"({"TableName":"tab"})");
  TextBuffer out;
  out.append("head");
  dispatch(api, {"DynamoDB_20120810.Scan", body.view()}, std::pmr::get_default_resource(), out);
  EXPECT_TRUE(out.view().starts_with("head{\"__type\"")) << out.view();
}

TEST_F(Dispatch, refuses_malformed_bodies_of_every_operation) {
  for (std::string_view operation :
       {"PutItem", "GetItem", "UpdateItem", "DeleteItem", "Query", "Scan", "CreateTable",
        "DescribeTable", "UpdateTable", "DeleteTable", "ListTables"}) {
    for (std::string_view body :
         {"", " ", "hi", "[]", "\"x\"", "null", "1", "{", "{\"TableName\":\"tab\"", "{} {}",
          "{\"TableName\":\"tab\"}}", "{\"TableName\":\"\xFF\"}", "{\"TableName\":\"\\ud800\"}",
          "{\"Unknown\":[1 2]}", "{\"Unknown\":tru}"}) {
      expect_serialization(operation, body, "");
    }
    expect_serialization(operation, std::string(100'000, '['), "");
    expect_serialization(operation, "{\"Unknown\":" + std::string(100'000, '[') + "}", "");
    expect_serialization(
        operation, "{\"Unknown\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
        "");
  }
}

}  // namespace
}  // namespace partita
