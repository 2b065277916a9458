// For tests: a client that sends raw bytes and reads answers one by one.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace partita {

// A signature that is complete, which is all a server without credentials asks for.
inline constexpr std::string_view kSignatureHeaders =
    "X-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 "
    "Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, "
    "Signature=0\r\n";

inline std::string post_head(std::string_view target) {
  return "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: " + std::string(target) +
         "\r\nContent-Type: application/x-amz-json-1.0\r\n" + std::string(kSignatureHeaders);
}
inline std::string post(std::string_view target, std::string_view body) {
  return post_head(target) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}
inline std::string list_tables() { return post("DynamoDB_20120810.ListTables", "{}"); }
inline std::string delete_table() {
  return post("DynamoDB_20120810.DeleteTable", R"({"TableName":"table"})");
}

struct TestAnswer {
  int status = 0;  // 0: the connection ended instead
  std::string head;
  std::string body;

  // By its name in lower case; empty when absent.
  std::string header(std::string_view name) const {
    std::string folded = head;
    for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    const std::size_t at = folded.find("\r\n" + std::string(name) + ": ");
    if (at == std::string::npos) return {};
    const std::size_t start = at + 2 + name.size() + 2;
    return head.substr(start, head.find("\r\n", start) - start);
  }
};

class TestClient {
 public:
  explicit TestClient(std::uint16_t port) : socket_(open(port)) {}
  TestClient(TestClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}
  ~TestClient() { close(); }

  static bool can_connect(std::uint16_t port) {
    const int socket = open(port);
    if (socket >= 0) ::close(socket);
    return socket >= 0;
  }

  // False when the server has closed the connection.
  bool try_send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  void send(std::string_view bytes) { static_cast<void>(try_send(bytes)); }
  void finish_sending() { ::shutdown(socket_, SHUT_WR); }
  void reset() {  // the connection ends without a farewell
    const linger at_once{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }

  TestAnswer receive(bool without_body = false) {
    TestAnswer answer;
    std::size_t head_end;
    while ((head_end = received_.find("\r\n\r\n")) == std::string::npos) {
      if (!receive_more()) return answer;
    }
    answer.head = received_.substr(0, head_end + 2);
    received_.erase(0, head_end + 4);
    const std::string length = answer.header("content-length");
    const std::size_t body_bytes = without_body || length.empty() ? 0 : std::stoul(length);
    while (received_.size() < body_bytes) {
      if (!receive_more()) return {};
    }
    answer.body = received_.substr(0, body_bytes);
    received_.erase(0, body_bytes);
    answer.status = std::atoi(answer.head.c_str() + 9);
    return answer;
  }

  bool readable(int timeout_ms = 0) {
    pollfd wanted{socket_, POLLIN, 0};
    return !received_.empty() || ::poll(&wanted, 1, timeout_ms) > 0;
  }
  bool silent_for(std::chrono::milliseconds time) {
    return !readable(static_cast<int>(time.count()));
  }
  bool at_end() { return received_.empty() && !receive_more(); }
  // Whether the server closes the connection before our patience ends, however much is unread.
  bool hung_up_on() {
    pollfd wanted{socket_, POLLRDHUP, 0};
    return ::poll(&wanted, 1, kPatienceMs) > 0;
  }

 private:
  static constexpr int kPatienceMs = 20'000;  // a test that would hang fails instead

  static int open(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      ::close(socket);
      return -1;
    }
    return socket;
  }
  void close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  bool receive_more() {
    pollfd wanted{socket_, POLLIN, 0};
    if (::poll(&wanted, 1, kPatienceMs) <= 0) return false;
    char bytes[64 * 1024];
    const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
    if (count <= 0) return false;
    received_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  int socket_;
  std::string received_;
};

}  // namespace partita
