// The server over real sockets, with raw bytes.
#include "server/server.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <libdeflate.h>

#include "server/server_fixture.h"

namespace partita {
namespace {

using std::chrono::milliseconds;

std::string transact_write_items() {
  return post("DynamoDB_20120810.TransactWriteItems",
              R"({"TransactItems":[{"Delete":{"TableName":"tab","Key":{"p":{"S":"a"}}}}]})");
}

TEST_F(ServerTest, a_request_that_waits_holds_up_nobody_but_its_own_connection) {
  waiting_targets_ = {"DynamoDB_20120810.TransactWriteItems"};
  start({}, 1);
  api_.hold_transactions(true);
  std::vector<TestClient> waiting;
  for (int i = 0; i < 20; ++i) {
    waiting.push_back(connect());
    waiting.back().send(transact_write_items() + list_tables());
  }
  TestClient other = connect();
  other.send(list_tables());
  EXPECT_EQ(other.receive().status, 200) << "the only loop is free";
  connect().send(transact_write_items());  // gone before its answer
  api_.hold_transactions(false);
  for (TestClient& client : waiting) {
    const TestAnswer answer = client.receive();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "{}");
    EXPECT_EQ(client.receive().body, R"({"TableNames":["table"]})") << "answers keep their order";
  }
}

TEST_F(ServerTest, an_answer_made_aside_waits_until_it_is_durable) {
  waiting_targets_ = {"DynamoDB_20120810.TransactWriteItems"};
  start({}, 1);
  api_.hold_durability();
  TestClient client = connect(), other = connect();
  client.send(transact_write_items());
  other.send(transact_write_items());
  api_.wait_for_held(2);
  api_.fail_one(0);
  api_.release_one(1);
  const int statuses = client.receive().status + other.receive().status;
  EXPECT_EQ(statuses, 700) << "one 200 and one 500";
}

TEST_F(ServerTest, answers_have_the_headers_of_dynamodb) {
  start();
  TestClient client = connect();
  client.send(list_tables());
  const TestAnswer answer = client.receive();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"TableNames":["table"]})");
  EXPECT_EQ(answer.header("server"), "Server");
  EXPECT_EQ(answer.header("content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(answer.header("connection"), "keep-alive");
  EXPECT_EQ(answer.header("x-amz-crc32"),
            std::to_string(libdeflate_crc32(0, answer.body.data(), answer.body.size())));
  const std::string id = answer.header("x-amzn-requestid");
  EXPECT_EQ(id.size(), 52U);
  EXPECT_EQ(id.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos);
  EXPECT_EQ(answer.header("date").size(), 29U);

  client.send(list_tables());
  EXPECT_NE(client.receive().header("x-amzn-requestid"), id);
}

TEST_F(ServerTest, health_check_names_the_host) {
  start();
  TestClient client = connect();
  client.send("GET / HTTP/1.1\r\nHost: dynamodb.test:8000\r\n\r\n");
  EXPECT_EQ(client.receive().body, "healthy: dynamodb.test:8000 ");
  client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.receive(/*without_body=*/true).header("content-length"), "11");
  client.send("GET /other HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.receive().status, 404);
}

TEST_F(ServerTest, what_is_not_for_the_api_is_not_found) {
  start();
  TestClient client = connect();
  for (const std::string text :
       {"PUT / HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
        "POST /path HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: "
        "2\r\n\r\n{}",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}"}) {
    client.send(text);
    const TestAnswer answer = client.receive();
    EXPECT_EQ(answer.status, 404) << text;
    EXPECT_EQ(answer.body, "<UnknownOperationException/>\n") << text;
  }
}

TEST_F(ServerTest, unknown_targets_are_unknown_operations) {
  start();
  TestClient client = connect();
  for (const std::string_view target : {"", "DynamoDB_20120810.Nonsense", "nonsense"}) {
    client.send(post(target, "{}"));
    const TestAnswer answer = client.receive();
    EXPECT_EQ(answer.status, 400);
    EXPECT_NE(answer.body.find("UnknownOperationException"), std::string::npos) << answer.body;
  }
}

TEST_F(ServerTest, a_request_for_no_database_is_not_recognised) {
  ServerOptions options;
  options.port = 0;
  options.find_database = [](const RequestHead&) { return nullptr; };
  auto server = Server::start(std::move(options));
  ASSERT_TRUE(server);
  TestClient client((*server)->port());
  client.send(list_tables());
  EXPECT_EQ(client.receive().status, 400);
}

TEST_F(ServerTest, an_exception_below_becomes_an_internal_error) {
  start();
  TestClient client = connect();
  api_.throw_on_list_tables = true;
  client.send(list_tables());
  const TestAnswer answer = client.receive();
  EXPECT_EQ(answer.status, 500);
  EXPECT_NE(answer.body.find("InternalServerError"), std::string::npos);
  api_.throw_on_list_tables = false;
  client.send(list_tables());
  EXPECT_EQ(client.receive().status, 200);
}

TEST_F(ServerTest, pipelined_requests_are_answered_in_order) {
  start();
  TestClient client = connect();
  std::string all;
  constexpr int kRequests = 500;  // beyond one turn, and beyond the answers a connection may hold
  for (int i = 0; i < kRequests; ++i) {
    all += i % 2 == 0 ? list_tables() : post("DynamoDB_20120810.Unknown", "{}");
  }
  std::thread sender([&] { client.send(all); });
  for (int i = 0; i < kRequests; ++i) {
    EXPECT_EQ(client.receive().status, i % 2 == 0 ? 200 : 400) << i;
  }
  sender.join();
}

TEST_F(ServerTest, byte_by_byte_is_as_good_as_at_once) {
  start();
  TestClient client = connect();
  for (const char c : list_tables()) client.send(std::string(1, c));
  EXPECT_EQ(client.receive().status, 200);
}

TEST_F(ServerTest, chunked_bodies_are_put_together) {
  start();
  TestClient client = connect();
  const std::string head =
      post_head("DynamoDB_20120810.ListTables") + "Transfer-Encoding: chunked\r\n\r\n";
  client.send(head + "1\r\n{\r\n1;x=y\r\n}\r\n0\r\nTrailer: t\r\n\r\n" + list_tables());
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(client.receive().status, 200);
  for (const char c : head + "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n") client.send(std::string(1, c));
  EXPECT_EQ(client.receive().status, 200);
}

TEST_F(ServerTest, expectant_clients_are_told_to_continue) {
  start();
  TestClient client = connect();
  client.send(post_head("DynamoDB_20120810.ListTables") +
              "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.receive().status, 100);
  client.send("{}");
  EXPECT_EQ(client.receive().status, 200);
}

TEST_F(ServerTest, an_expectant_client_with_too_much_is_refused_at_once) {
  start();
  TestClient client = connect();
  client.send(post_head("DynamoDB_20120810.PutItem") +
              "Content-Length: 16777217\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.receive().status, 413);
  EXPECT_TRUE(client.at_end());
}

TEST_F(ServerTest, a_body_of_16_mb_is_read_and_one_byte_more_is_refused) {
  start();
  constexpr std::size_t kLimit = 16 * 1024 * 1024;
  TestClient client = connect();
  client.send(post("DynamoDB_20120810.ListTables", "{}" + std::string(kLimit - 2, ' ')));
  EXPECT_EQ(client.receive().status, 200);

  // The client sends all of it before it looks for an answer, and must still find one.
  client.send(post("DynamoDB_20120810.ListTables", "{}" + std::string(kLimit - 1, ' ')));
  const TestAnswer answer = client.receive();
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.header("connection"), "close");
  EXPECT_TRUE(client.at_end());

  TestClient chunked = connect();
  chunked.send(post_head("DynamoDB_20120810.ListTables") +
               "Transfer-Encoding: chunked\r\n\r\n800000\r\n" + std::string(0x800000, ' ') +
               "\r\n800001\r\n" + std::string(0x800001, ' ') + "\r\n0\r\n\r\n");
  EXPECT_EQ(chunked.receive().status, 413);
}

TEST_F(ServerTest, malformed_requests_are_refused_and_the_connection_ends) {
  start();
  for (const auto& [text, status] : std::vector<std::pair<std::string, int>>{
           {"nonsense\r\n\r\n", 400},
           {"\x16\x03\x01\x02", 400},  // TLS
           {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400},
           {"POST / HTTP/1.1\nHost: h\n\n", 400},
           {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
           {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz", 400},
           {"GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(40'000, 'x') + "\r\n\r\n", 400},
           {"GET / HTTP/3.0\r\n\r\n", 505}}) {
    TestClient client = connect();
    client.send(list_tables() + text + list_tables());
    EXPECT_EQ(client.receive().status, 200);
    const TestAnswer answer = client.receive();
    EXPECT_EQ(answer.status, status) << text;
    EXPECT_EQ(answer.header("connection"), "close");
    EXPECT_TRUE(client.at_end());  // what stood behind it is not served
  }
}

TEST_F(ServerTest, http_1_0_and_connection_close_end_the_connection) {
  start();
  TestClient old = connect();
  old.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.receive().status, 200);
  EXPECT_TRUE(old.at_end());
  TestClient old_kept = connect();
  old_kept.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old_kept.receive().header("connection"), "keep-alive");
  EXPECT_EQ(old_kept.receive().header("connection"), "close");
  TestClient closing = connect();
  closing.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(closing.receive().header("connection"), "close");
  EXPECT_TRUE(closing.at_end());
}

TEST_F(ServerTest, a_client_that_has_finished_sending_still_gets_its_answers) {
  start();
  api_.hold_durability();
  TestClient client = connect();
  client.send(delete_table() + list_tables());
  client.finish_sending();
  std::this_thread::sleep_for(milliseconds(50));
  api_.release_durability();
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_TRUE(client.at_end());
}

TEST_F(ServerTest, answers_wait_for_durability_and_keep_their_order) {
  start({}, 1);
  api_.hold_durability();
  TestClient writer = connect();
  writer.send(list_tables() + delete_table() + list_tables() + delete_table() + list_tables());
  EXPECT_EQ(writer.receive().body, R"({"TableNames":["table"]})");
  EXPECT_TRUE(writer.silent_for(milliseconds(50)));

  TestClient reader = connect();  // the loop serves others meanwhile
  reader.send(list_tables());
  EXPECT_EQ(reader.receive().status, 200);
  EXPECT_EQ(api_.calls(), 6);  // and has already served what stands behind the waiting answer

  api_.release_one(1);  // the second write first: nothing may leave
  EXPECT_TRUE(writer.silent_for(milliseconds(50)));
  api_.release_one(0);
  EXPECT_NE(writer.receive().body.find("TableDescription"), std::string::npos);
  EXPECT_NE(writer.receive().body.find("TableNames"), std::string::npos);
  EXPECT_NE(writer.receive().body.find("TableDescription"), std::string::npos);
  EXPECT_NE(writer.receive().body.find("TableNames"), std::string::npos);
}

TEST_F(ServerTest, a_failed_sync_is_an_internal_error) {
  start();
  api_.hold_durability();
  TestClient client = connect();
  client.send(delete_table() + delete_table() + list_tables());
  api_.wait_for_held(2);
  api_.fail_one(0);
  api_.release_durability();
  const TestAnswer failed = client.receive();
  EXPECT_EQ(failed.status, 500);
  EXPECT_NE(failed.body.find("InternalServerError"), std::string::npos);
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(client.receive().status, 200);
}

TEST_F(ServerTest, a_sync_that_finds_no_room_says_so) {
  start();
  api_.hold_durability();
  TestClient client = connect();
  client.send(delete_table());
  api_.wait_for_held(1);
  api_.fail_one(0, Error(ErrorCode::ServiceUnavailable, "The disk is full."));
  const TestAnswer failed = client.receive();
  EXPECT_EQ(failed.status, 503);
  EXPECT_NE(failed.body.find("The disk is full."), std::string::npos);
}

// More at once than are served before the first are answered, of all kinds.
TEST_F(ServerTest, many_connections_that_are_ready_at_once_are_all_answered) {
  start();
  api_.sync_every(std::chrono::milliseconds(1));
  std::vector<TestClient> clients;
  for (int i = 0; i < 40; ++i) clients.push_back(connect());
  for (int round = 0; round < 20; ++round) {
    for (std::size_t i = 0; i < clients.size(); ++i) {
      clients[i].send(i % 3 == 0 ? delete_table() : list_tables());
      if (i % 5 == 0) clients[i].send(list_tables() + delete_table());
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
      for (int answers = i % 5 == 0 ? 3 : 1; answers > 0; --answers) {
        ASSERT_EQ(clients[i].receive().status, 200) << "connection " << i;
      }
    }
  }
}

TEST_F(ServerTest, a_client_may_vanish_while_its_answer_waits) {
  start();
  api_.hold_durability();
  for (int i = 0; i < 10; ++i) {
    TestClient client = connect();
    client.send(delete_table());
    api_.wait_for_held(i + 1);
    client.reset();
  }
  // A reset is noticed only when something is sent, so keep the loop busy with a live client.
  TestClient live = connect();
  live.send(list_tables());
  EXPECT_EQ(live.receive().status, 200);
  api_.release_durability();
  live.send(list_tables());
  EXPECT_EQ(live.receive().status, 200);
}

TEST_F(ServerTest, resets_at_any_point_do_no_harm) {
  start();
  const std::string request = list_tables();
  for (std::size_t size = 0; size <= request.size(); size += 7) {
    TestClient client = connect();
    client.send(request.substr(0, size));
    client.reset();
  }
  TestClient client = connect();
  client.send(request);
  EXPECT_EQ(client.receive().status, 200);
}

// Of all clients together, by the server's own count.
std::size_t bytes_received(TestClient& client) {
  client.send("GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n");
  const std::string page = client.receive().body;
  constexpr std::string_view kName = "\npartita_received_bytes_total ";
  const std::size_t at = page.find(kName);
  return at == std::string::npos ? 0 : std::stoull(page.substr(at + kName.size()));
}

TEST_F(ServerTest, requests_that_arrived_in_part_take_limited_memory_together) {
  ServerLimits limits;
  limits.buffered_bytes_max = 1024 * 1024;
  start(limits, /*threads=*/1);
  const std::string head = post_head("DynamoDB_20120810.ListTables");
  const std::string body = "{" + std::string(400'000, ' ') + "}";
  const std::string request =
      head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  constexpr std::size_t kSentFirst = 300'000;
  TestClient first = connect(), second = connect(), third = connect();
  // Each takes a buffer of 512 KB, so there is none left for the third, which is told so.
  first.send(request.substr(0, kSentFirst));
  second.send(request.substr(0, kSentFirst));
  TestClient watch = connect();
  while (bytes_received(watch) < 2 * kSentFirst) {
  }
  third.try_send(request.substr(0, kSentFirst));
  EXPECT_EQ(third.receive().status, 503);

  TestClient small = connect();
  small.send(list_tables());
  EXPECT_EQ(small.receive().status, 200) << "small requests are served";
  first.send(request.substr(kSentFirst));
  EXPECT_EQ(first.receive().status, 200);
  TestClient fourth = connect();
  fourth.send(request);
  EXPECT_EQ(fourth.receive().status, 200) << "what the first took is free again";
  second.reset();
}

TEST_F(ServerTest, a_slow_reader_gets_everything) {
  start();
  api_.set_table_name(std::string(300'000, 't'));
  TestClient client = connect();
  std::string all;
  for (int i = 0; i < 60; ++i) all += list_tables();
  std::thread sender([&] { client.send(all); });
  for (int i = 0; i < 60; ++i) {
    if (i % 10 == 0) std::this_thread::sleep_for(milliseconds(20));
    EXPECT_GT(client.receive().body.size(), 300'000U);
  }
  sender.join();
}

TEST_F(ServerTest, a_thousand_idle_connections_are_no_burden) {
  start();
  std::vector<TestClient> clients;
  for (int i = 0; i < 1000; ++i) clients.push_back(connect());
  for (TestClient& client : clients) client.send(list_tables());
  for (TestClient& client : clients) EXPECT_EQ(client.receive().status, 200);
}

TEST_F(ServerTest, connections_beyond_the_limit_wait_for_their_turn) {
  ServerLimits limits;
  limits.connections_max = 2;
  start(limits);
  auto first = std::make_unique<TestClient>(server_->port());
  TestClient second = connect();
  for (TestClient* client : {first.get(), &second}) {
    client->send(list_tables());
    EXPECT_EQ(client->receive().status, 200);
  }
  TestClient third = connect();
  third.send(list_tables());
  EXPECT_TRUE(third.silent_for(milliseconds(150)));
  first.reset();
  EXPECT_EQ(third.receive().status, 200);
}

TEST_F(ServerTest, stop_closes_idle_connections_and_the_port) {
  start();
  const std::uint16_t port = server_->port();
  TestClient idle = connect();
  idle.send(list_tables());
  EXPECT_EQ(idle.receive().status, 200);
  server_->stop();
  server_->wait();
  EXPECT_TRUE(idle.at_end());
  EXPECT_FALSE(TestClient::can_connect(port));
}

TEST_F(ServerTest, stop_finishes_what_is_under_way) {
  start({}, /*threads=*/1);  // so that all connections know of the stop once one of them does
  api_.hold_durability();
  TestClient waiting = connect();
  waiting.send(delete_table());
  api_.wait_for_held(1);
  TestClient halfway = connect();
  halfway.send(post_head("DynamoDB_20120810.ListTables") + "Content-Length: 2\r\n\r\n{");
  TestClient settled = connect();  // the two above have surely been read once this is answered
  settled.send(list_tables());
  EXPECT_EQ(settled.receive().status, 200);
  std::this_thread::sleep_for(milliseconds(50));

  server_->stop();
  EXPECT_TRUE(settled.at_end());
  halfway.send("}");
  const TestAnswer answer = halfway.receive();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header("connection"), "close");
  api_.release_durability();
  EXPECT_EQ(waiting.receive().status, 200);
  EXPECT_TRUE(waiting.at_end());
  halfway.reset();
  server_->wait();
}

TEST_F(ServerTest, stop_gives_up_after_its_time) {
  ServerLimits limits;
  limits.stop_timeout = milliseconds(200);
  start(limits);
  TestClient stuck = connect();
  stuck.send("POST / HTTP/1.1\r\n");
  std::this_thread::sleep_for(milliseconds(50));
  const auto begun = std::chrono::steady_clock::now();
  server_->stop();
  server_->wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(3));
  EXPECT_TRUE(stuck.at_end());
}

TEST_F(ServerTest, every_answer_given_under_load_while_stopping_is_whole) {
  start();
  api_.sync_every(milliseconds(1));
  std::atomic<int> answered = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      TestClient client = connect();
      while (true) {
        if (!client.try_send(delete_table())) return;
        const TestAnswer answer = client.receive();
        if (answer.status == 0) return;  // closed between requests
        EXPECT_EQ(answer.status, 200);
        ++answered;
        if (answer.header("connection") == "close") return;
      }
    });
  }
  std::this_thread::sleep_for(milliseconds(200));
  server_->stop();
  server_->wait();
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(answered, 8);
  // Nothing was done without being answered.
  EXPECT_EQ(api_.calls(), answered);
}

TEST_F(ServerTest, a_port_in_use_is_one_clear_sentence) {
  start();
  ServerOptions options;
  options.port = server_->port();
  const auto second = Server::start(std::move(options));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message(),
            "Cannot listen on 127.0.0.1:" + std::to_string(server_->port()) +
                ": the port is already in use by another program; stop it or choose another port.");
  ServerOptions elsewhere;
  elsewhere.host = "192.0.2.1";
  elsewhere.port = 0;
  const auto third = Server::start(std::move(elsewhere));
  ASSERT_FALSE(third);
  EXPECT_NE(third.error().message().find("no such address"), std::string::npos);
}

TEST_F(ServerTest, connections_are_spread_over_the_loops) {
  start({}, 4);
  std::vector<TestClient> clients;
  for (int i = 0; i < 4; ++i) clients.push_back(connect());
  for (TestClient& client : clients) client.send(list_tables());
  for (TestClient& client : clients) EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(api_.threads_seen(), 4U);
}

}  // namespace
}  // namespace partita
