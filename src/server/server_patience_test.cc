// How long the server waits for its clients, over real sockets.
#include <chrono>
#include <deque>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "server/server_fixture.h"

namespace partita {
namespace {

using std::chrono::milliseconds;

TEST_F(ServerTest, slow_heads_and_bodies_are_given_up) {
  ServerLimits limits;
  limits.head_timeout = limits.body_timeout = milliseconds(200);
  start(limits);
  TestClient head = connect();
  TestClient body = connect();
  head.send("POST / HTTP/1.1\r\n");
  body.send(post_head("DynamoDB_20120810.ListTables") + "Content-Length: 100\r\n\r\n");
  const auto begun = std::chrono::steady_clock::now();
  // Dripping bytes buys no time.
  while (!head.readable() || !body.readable()) {
    if (!head.readable()) head.send("A: b\r\n");
    if (!body.readable()) body.send(" ");
    std::this_thread::sleep_for(milliseconds(20));
    ASSERT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  }
  EXPECT_GE(std::chrono::steady_clock::now() - begun, milliseconds(200));
  EXPECT_EQ(head.receive().status, 408);
  EXPECT_EQ(body.receive().status, 408);
}

TEST_F(ServerTest, idle_connections_are_closed_and_busy_ones_are_not) {
  ServerLimits limits;
  limits.idle_timeout = milliseconds(300);
  start(limits);
  TestClient idle = connect();
  TestClient busy = connect();
  for (int i = 0; i < 10; ++i) {
    busy.send(list_tables());
    ASSERT_EQ(busy.receive().status, 200);
    std::this_thread::sleep_for(milliseconds(100));
  }
  EXPECT_TRUE(idle.readable());
  EXPECT_TRUE(idle.at_end());
}

// An idle connection gives its buffer back after two seconds. Requests take longer than the
// server's tick here, so each of them is a round of the loop and a tick; the connections are used
// again after 190 to 209 of them, some at the very tick at which the 2 seconds are over.
TEST_F(ServerTest, a_request_may_arrive_together_with_the_end_of_patience) {
  ServerLimits limits;
  limits.head_timeout = milliseconds(80);  // a tick is 10 ms
  start(limits, /*threads=*/1);
  api_.list_tables_takes = milliseconds(11);
  std::deque<TestClient> clients;
  TestClient between = connect();
  const auto call = [](TestClient& client) {
    client.send(list_tables());
    return client.receive().status;
  };
  for (int i = 0; i < 190; ++i) ASSERT_EQ(call(clients.emplace_back(server_->port())), 200);
  for (std::size_t i = 0; i < clients.size(); ++i) {
    ASSERT_EQ(call(clients[i]), 200) << i;
    if (i % 10 == 9) {
      ASSERT_EQ(call(between), 200);
    }
  }
}

TEST_F(ServerTest, a_client_that_does_not_read_is_held_back_and_given_up) {
  ServerLimits limits;
  limits.write_timeout = milliseconds(300);
  start(limits);
  api_.set_table_name(std::string(200'000, 't'));
  TestClient client = connect();
  std::string all;
  for (int i = 0; i < 1000; ++i) all += list_tables();
  std::thread sender([&] { client.send(all); });
  EXPECT_TRUE(client.hung_up_on());
  sender.join();
  EXPECT_LT(api_.calls(), 200);  // 200 MB of answers were asked for; what was made fits the buffers
}

}  // namespace
}  // namespace partita
