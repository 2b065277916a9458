// GET /health, /ready and /metrics over real sockets, and what the log says of requests.
#include "server/operator_pages.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/log.h"
#include "server/test_api.h"
#include "server/test_client.h"

namespace partita {
namespace {

class OperatorPagesTest : public testing::Test {
 protected:
  OperatorPagesTest() { EXPECT_EQ(::pipe(log_ends_.data()), 0); }
  ~OperatorPagesTest() override {
    server_.reset();
    for (const int end : log_ends_) ::close(end);
  }

  void start(LogLevel level = LogLevel::Off, std::chrono::milliseconds slow = {}) {
    log_.emplace(level, log_ends_[1]);
    ServerOptions options;
    options.port = 0;
    options.threads = 2;
    options.find_database = [this](const RequestHead&) { return &api_; };
    options.log = &*log_;
    options.slow_request = slow;
    options.version = "1.2.3";
    options.figures = [] {
      DatabaseFigures figures;
      figures.commits = 17;
      figures.tables = {{"My.Table", 3, 90}};
      figures.engine = {{"store_bytes", "Bytes.", 4096}};
      return figures;
    };
    options.accepts_writes = [this]() -> Result<void> {
      if (disk_is_full_)
        return Error(ErrorCode::ServiceUnavailable, "The disk is full; make room.");
      return {};
    };
    auto server = Server::start(std::move(options));
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
  }
  TestClient connect() { return TestClient(server_->port()); }
  static TestAnswer get(TestClient& client, const std::string& path) {
    client.send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
    return client.receive();
  }
  std::string metrics() {
    TestClient client = connect();
    return get(client, "/metrics").body;
  }
  std::string log_line() {
    std::string line;
    char c = 0;
    while (c != '\n' && ::read(log_ends_[0], &c, 1) == 1) line += c;
    return line;
  }

  TestApi api_;
  std::atomic<bool> disk_is_full_ = false;
  std::array<int, 2> log_ends_{};
  std::optional<Log> log_;
  std::unique_ptr<Server> server_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(OperatorPagesTest, health_is_being_alive_and_readiness_is_taking_writes) {
  start();
  TestClient client = connect();
  EXPECT_EQ(get(client, "/health").status, 200);
  const TestAnswer ready = get(client, "/ready");
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(ready.body, "ready\n");

  disk_is_full_ = true;
  const TestAnswer full = get(client, "/ready");
  EXPECT_EQ(full.status, 503);
  EXPECT_EQ(full.body, "not ready: The disk is full; make room.\n");
  EXPECT_EQ(get(client, "/health").status, 200);
  disk_is_full_ = false;
  EXPECT_EQ(get(client, "/ready").status, 200);
}

TEST_F(OperatorPagesTest, a_server_that_stops_is_not_ready) {
  start();
  TestClient client = connect();
  EXPECT_EQ(get(client, "/ready").status, 200);
  client.send("GET /ready HTTP/1.1\r\n");  // half a request keeps the connection
  api_.hold_durability();
  TestClient busy = connect();
  busy.send(delete_table());
  api_.wait_for_held(1);
  server_->stop();
  while (TestClient::can_connect(server_->port())) ::usleep(1000);
  client.send("Host: h\r\n\r\n");
  const TestAnswer answer = client.receive();
  EXPECT_EQ(answer.status, 503);
  EXPECT_TRUE(has(answer.body, "stopping")) << answer.body;
  api_.release_durability();
  EXPECT_EQ(busy.receive().status, 200);
}

TEST_F(OperatorPagesTest, requests_are_counted_by_operation_and_result) {
  start();
  TestClient client = connect();
  for (int i = 0; i < 3; ++i) {
    client.send(list_tables());
    client.receive();
  }
  client.send(post("DynamoDB_20120810.ListTables", "{"));
  client.receive();
  client.send(post("DynamoDB_20120810.Nonsense", "{}"));
  client.receive();
  client.send(post("DynamoDB_20120810.GetItem", R"({"TableName":"abc","Key":{"a":{"S":"b"}}})"));
  client.receive();
  get(client, "/nowhere");
  client.send("nonsense\r\n\r\n");
  client.receive();
  const std::string text = metrics();
  for (const std::string_view line :
       {R"(partita_requests_total{operation="ListTables",result="success",error=""} 3)",
        R"(operation="ListTables",result="client_error",error="SerializationException"} 1)",
        R"(operation="unknown",result="client_error",error="UnknownOperationException"} 1)",
        R"(operation="GetItem",result="server_error",error="InternalServerError"} 1)",
        R"(operation="none",result="client_error",error="other"} 1)",
        R"(partita_request_duration_seconds_bucket{operation="ListTables",le="+Inf"} 4)",
        R"(partita_request_duration_seconds_count{operation="ListTables"} 4)",
        R"(partita_http_refused_total{status="400"} 1)", "partita_connections_accepted_total 2",
        R"(partita_build_info{version="1.2.3"} 1)", "partita_engine_commits_total 17",
        R"(partita_table_items{table="My.Table"} 3)", "partita_store_bytes 4096",
        "partita_accepts_writes 1", "# TYPE partita_request_duration_seconds histogram"}) {
    EXPECT_TRUE(has(text, std::string(line) + "\n")) << line << "\n" << text;
  }
  EXPECT_FALSE(has(text, "PutItem")) << "what never happened takes no room";
}

TEST_F(OperatorPagesTest, a_write_is_counted_when_its_answer_may_leave) {
  start();
  api_.hold_durability();
  TestClient client = connect();
  client.send(delete_table());
  client.send(delete_table());
  api_.wait_for_held(2);
  EXPECT_FALSE(has(metrics(), R"(operation="DeleteTable")"));
  api_.release_one(0);
  EXPECT_EQ(client.receive().status, 200);
  api_.fail_one(1);
  EXPECT_EQ(client.receive().status, 500);
  const std::string text = metrics();
  EXPECT_TRUE(has(text, R"({operation="DeleteTable",result="success",error=""} 1)")) << text;
  EXPECT_TRUE(has(
      text, R"({operation="DeleteTable",result="server_error",error="InternalServerError"} 1)"));
}

TEST_F(OperatorPagesTest, every_request_is_logged_at_debug_with_the_id_the_client_got) {
  start(LogLevel::Debug);
  EXPECT_TRUE(has(log_line(), R"("event":"listening")"));
  TestClient client = connect();
  client.send(list_tables());
  const TestAnswer answer = client.receive();
  const std::string line = log_line();
  EXPECT_TRUE(line.starts_with("{\"time\":\"") && line.ends_with("}\n")) << line;
  EXPECT_TRUE(has(line, "\"request_id\":\"" + answer.header("x-amzn-requestid") + "\"")) << line;
  for (const std::string_view part :
       {R"("level":"debug")", R"("operation":"ListTables")", R"("status":200)", R"("duration_us":)",
        R"("peer":"127.0.0.1:)"}) {
    EXPECT_TRUE(has(line, part)) << part << " in " << line;
  }
  EXPECT_TRUE(has(line, "\"bytes_in\":" + std::to_string(list_tables().size()) + ",")) << line;
  EXPECT_TRUE(has(
      line, "\"bytes_out\":" + std::to_string(answer.head.size() + 2 + answer.body.size()) + ","))
      << line << answer.head;
}

TEST_F(OperatorPagesTest, what_is_turned_away_is_logged_too) {
  start(LogLevel::Debug);
  log_line();
  TestClient client = connect();
  client.send("nonsense\r\n\r\n");
  const TestAnswer answer = client.receive();
  const std::string line = log_line();
  EXPECT_TRUE(has(line, R"("event":"refused")") && has(line, R"("status":400)")) << line;
  EXPECT_TRUE(has(line, answer.header("x-amzn-requestid"))) << line;
}

TEST_F(OperatorPagesTest, failures_of_the_server_are_logged_with_their_reason_but_do_not_flood) {
  start(LogLevel::Warning);
  disk_is_full_ = true;
  api_.throw_on_list_tables = true;
  TestClient client = connect();
  constexpr int kRequests = 60;
  for (int i = 0; i < kRequests; ++i) {
    client.send(list_tables());
    EXPECT_EQ(client.receive().status, 500);
  }
  const std::string line = log_line();
  EXPECT_TRUE(has(line, R"("level":"warning")")) << line;
  EXPECT_TRUE(has(line, R"("error":"InternalServerError")")) << line;
  EXPECT_TRUE(has(line, R"("reason":"The disk is full; make room.")")) << line;
  server_.reset();
  ::close(std::exchange(log_ends_[1], -1));
  int lines = 1;
  while (!log_line().empty()) ++lines;
  EXPECT_LT(lines, kRequests);
}

TEST_F(OperatorPagesTest, a_slow_request_is_logged) {
  start(LogLevel::Warning, std::chrono::milliseconds(20));
  TestClient client = connect();
  api_.hold_durability();
  client.send(delete_table());
  api_.wait_for_held(1);
  ::usleep(30'000);  // the sync is slow
  api_.release_durability();
  client.receive();
  const std::string line = log_line();
  EXPECT_TRUE(has(line, R"("operation":"DeleteTable")") && has(line, R"("slow":true)")) << line;
}

}  // namespace
}  // namespace partita
