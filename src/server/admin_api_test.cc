// The admin API over real sockets: what it does, and whom it refuses.
#include "server/admin_api.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/test_api.h"
#include "server/test_client.h"

namespace partita {
namespace {

using namespace std::chrono_literals;

const std::string kAdmin = "X-Partita-Admin: 1\r\n";
const std::string kLocal = "Host: localhost:8000\r\n";

std::string request(const std::string& line, const std::string& headers,
                    const std::string& body = {}) {
  return line + " HTTP/1.1\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

class AdminApiTest : public testing::Test {
 protected:
  void start(std::vector<std::string> hosts = {}, std::string host = "127.0.0.1") {
    ServerOptions options;
    options.host = std::move(host);
    options.port = 0;
    options.threads = 1;
    options.find_database = [this](const RequestHead&) { return &api_; };
    options.clock = &clock_;
    options.admin_hosts = std::move(hosts);
    options.waiting_targets = {"DynamoDB_20120810.TransactWriteItems"};
    auto server = Server::start(std::move(options));
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
  }
  TestAnswer ask(const std::string& line, const std::string& headers,
                 const std::string& body = {}) {
    TestClient client(server_->port());
    client.send(request(line, headers, body));
    return client.receive();
  }
  TestAnswer post(const std::string& action, const std::string& value = {}) {
    return ask("POST /_partita/clock/" + action, kLocal + kAdmin, value);
  }
  // Refused, unread by any page, and nothing happened.
  void expect_refused(const std::string& line, const std::string& headers) {
    const TestAnswer answer = ask(line, headers, "1h");
    EXPECT_EQ(answer.status, 403) << line << "\n" << headers << answer.body;
    EXPECT_EQ(answer.header("access-control-allow-origin"), "") << headers;
    EXPECT_EQ(answer.header("access-control-allow-headers"), "") << headers;
    EXPECT_EQ(clock_.read().ahead, 0ms) << headers;
  }

  MovableClock clock_;
  TestApi api_;
  std::unique_ptr<Server> server_;
};

TEST_F(AdminApiTest, the_clock_is_frozen_set_advanced_and_released) {
  start();
  EXPECT_EQ(post("freeze", "2027-01-31T12:00:00Z").body.substr(0, 49),
            R"({"time":"2027-01-31T12:00:00.000Z","frozen":true,)");
  EXPECT_EQ(post("advance", "1h30m\n").body.substr(0, 35),
            R"({"time":"2027-01-31T13:30:00.000Z",)");
  EXPECT_EQ(post("advance", "-1d").body.substr(0, 35), R"({"time":"2027-01-30T13:30:00.000Z",)");
  EXPECT_EQ(post("set", "0").body.substr(0, 35), R"({"time":"1970-01-01T00:00:00.000Z",)");
  EXPECT_EQ(clock_.now(), MovableClock::Time());
  const TestAnswer shown = ask("GET /_partita/clock", kLocal + kAdmin);
  EXPECT_EQ(shown.status, 200);
  EXPECT_EQ(shown.header("content-type"), "application/json");
  EXPECT_NE(shown.body.find(R"("frozen":true)"), std::string::npos);
  EXPECT_NE(post("release").body.find(R"("frozen":false,"ahead_ms":0})"), std::string::npos);
  EXPECT_NE(post("freeze").body.find(R"("frozen":true)"), std::string::npos);
}

TEST_F(AdminApiTest, what_makes_no_sense_changes_nothing) {
  start();
  ASSERT_TRUE(clock_.freeze_at(MovableClock::Time(1000s)).has_value());
  for (const auto& [action, value] :
       std::vector<std::pair<std::string, std::string>>{{"set", ""},
                                                        {"set", "tomorrow"},
                                                        {"advance", ""},
                                                        {"advance", "5"},
                                                        {"advance", "9999999d"},
                                                        {"freeze", "2027-02-30"},
                                                        {"set", "\"0\""}}) {
    EXPECT_EQ(post(action, value).status, 400) << action << value;
  }
  EXPECT_EQ(post("rewind").status, 404);
  EXPECT_EQ(post("").status, 404);
  const std::string headers = kLocal + kAdmin;
  EXPECT_EQ(ask("GET /_partita/clock/freeze", headers).status, 405);
  EXPECT_EQ(ask("POST /_partita/clock", headers).status, 405);
  EXPECT_EQ(ask("GET /_partita/", headers).status, 404);
  EXPECT_EQ(ask("GET /_partita/clocks", headers).status, 404);
  EXPECT_EQ(ask("DELETE /_partita/clock/set", headers, "0").status, 405);
  EXPECT_EQ(clock_.now(), MovableClock::Time(1000s));
}

TEST_F(AdminApiTest, no_web_page_reaches_it) {
  start();
  const std::string advance = "POST /_partita/clock/advance";
  // What a page may send without asking: no header of its own.
  expect_refused(advance, kLocal);
  expect_refused(advance, kLocal + "Content-Type: text/plain\r\nOrigin: http://evil.example\r\n");
  expect_refused("GET /_partita/clock", kLocal);
  // Asking is refused, also by the page's own idea of it.
  expect_refused("OPTIONS /_partita/clock/advance",
                 kLocal +
                     "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n"
                     "Access-Control-Request-Headers: x-partita-admin\r\n");
  // As if a browser had let it through.
  expect_refused(advance, kLocal + kAdmin + "Origin: http://evil.example\r\n");
  expect_refused(advance, kLocal + kAdmin + "Origin: null\r\n");
  expect_refused(advance, kLocal + kAdmin + "Origin: http://localhost:8000\r\n");
  expect_refused(advance, kLocal + kAdmin + "Sec-Fetch-Site: cross-site\r\n");
  expect_refused(advance, kLocal + kAdmin + "Sec-Fetch-Site: same-origin\r\n");
  expect_refused(advance, kLocal + "X-Partita-Admin: yes\r\n");
}

TEST_F(AdminApiTest, a_page_whose_name_points_here_is_refused_by_its_name) {
  start();
  for (const char* host :
       {"evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example",
        "xlocalhost", "[evil]", "", "127.0.0.1x", "2130706433", "0x7f.1"}) {
    expect_refused("POST /_partita/clock/advance", "Host: " + std::string(host) + "\r\n" + kAdmin);
  }
  for (const char* host :
       {"localhost", "LocalHost:1", "127.0.0.1:8000", "[::1]:8000", "10.0.0.7"}) {
    EXPECT_EQ(ask("GET /_partita/clock", "Host: " + std::string(host) + "\r\n" + kAdmin).status,
              200)
        << host;
  }
}

TEST_F(AdminApiTest, names_that_are_allowed_are_known) {
  start({"db.internal", "any"});
  EXPECT_EQ(ask("GET /_partita/clock", "Host: DB.internal:80\r\n" + kAdmin).status, 200);
  expect_refused("GET /_partita/clock", "Host: any\r\n" + kAdmin + "Origin: http://a\r\n");
  expect_refused("GET /_partita/clock", "Host: other.internal\r\n" + kAdmin);
}

TEST_F(AdminApiTest, it_is_no_way_around_to_the_api_and_the_api_none_to_it) {
  start();
  const std::string headers = kLocal + kAdmin + "Content-Type: application/x-amz-json-1.0\r\n" +
                              "X-Amz-Target: DynamoDB_20120810.TransactWriteItems\r\n";
  EXPECT_EQ(ask("POST /_partita/x", headers, "{}").status, 404);
  EXPECT_EQ(ask("POST /_partita/clock/release", headers, "{}").status, 200) << "on its own loop";
  EXPECT_NE(ask("POST /?/_partita/clock/freeze", headers, "{}").body.find("__type"),
            std::string::npos);
  EXPECT_FALSE(clock_.read().frozen);
}

TEST_F(AdminApiTest, a_server_without_a_clock_has_none) {
  ServerOptions options;
  options.port = 0;
  options.threads = 1;
  options.find_database = [this](const RequestHead&) { return &api_; };
  auto server = Server::start(std::move(options));
  ASSERT_TRUE(server);
  TestClient client((*server)->port());
  client.send(request("GET /_partita/clock", kLocal + kAdmin));
  EXPECT_EQ(client.receive().status, 404);
}

}  // namespace
}  // namespace partita
