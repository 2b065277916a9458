// Requests over one blocking HTTP/1.1 connection, reopened when the server has closed it.
#include <algorithm>
#include <cctype>
#include <map>

#include <libdeflate.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transport.h"
#include "wire/dispatch.h"

namespace partita::testing {
namespace {

struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class Connection {
 public:
  Connection(const std::string& host, const std::string& port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* addresses = nullptr;
    if (getaddrinfo(host.c_str(), port.c_str(), &hints, &addresses) != 0) return;
    for (addrinfo* address = addresses; address != nullptr && socket_ < 0;
         address = address->ai_next) {
      socket_ = ::socket(address->ai_family, address->ai_socktype, address->ai_protocol);
      if (socket_ >= 0 && ::connect(socket_, address->ai_addr, address->ai_addrlen) != 0) {
        ::close(socket_);
        socket_ = -1;
      }
    }
    freeaddrinfo(addresses);
  }
  ~Connection() {
    if (socket_ >= 0) ::close(socket_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool open() const { return socket_ >= 0; }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // The bytes up to `end`, which is left out; false when the connection ended first.
  bool read_until(std::string_view end, std::string& text) {
    std::size_t found;
    while ((found = buffer_.find(end)) == std::string::npos) {
      if (!receive()) return false;
    }
    text = buffer_.substr(0, found);
    buffer_.erase(0, found + end.size());
    return true;
  }

  bool read_exactly(std::size_t length, std::string& bytes) {
    while (buffer_.size() < length) {
      if (!receive()) return false;
    }
    bytes += buffer_.substr(0, length);
    buffer_.erase(0, length);
    return true;
  }

 private:
  bool receive() {
    char bytes[65536];
    const ssize_t received = ::recv(socket_, bytes, sizeof bytes, 0);
    if (received <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(received));
    return true;
  }

  int socket_ = -1;
  std::string buffer_;
};

void read_headers(std::string_view head, HttpAnswer& answer) {
  const std::size_t space = head.find(' ');
  answer.status = std::atoi(std::string(head.substr(space + 1, 3)).c_str());
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;) {
    const std::size_t next = head.find("\r\n", at + 2);
    const std::string_view line = head.substr(at + 2, next - at - 2);
    const std::size_t colon = line.find(':');
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    const std::size_t value = line.find_first_not_of(' ', colon + 1);
    answer.headers[name] = value == std::string_view::npos ? "" : line.substr(value);
    at = next;
  }
}

bool read_body(Connection& connection, HttpAnswer& answer) {
  if (answer.headers["transfer-encoding"] != "chunked") {
    return connection.read_exactly(std::stoul("0" + answer.headers["content-length"]), answer.body);
  }
  std::string size;
  while (connection.read_until("\r\n", size)) {
    const std::size_t length = std::stoul(size, nullptr, 16);
    if (!connection.read_exactly(length, answer.body)) return false;
    std::string line_end;
    if (!connection.read_until("\r\n", line_end)) return false;
    if (length == 0) return true;
  }
  return false;
}

// What is wrong with the headers every answer carries, or nothing.
std::string header_problem(HttpAnswer& answer) {
  if (answer.headers["x-amzn-requestid"].empty()) return "the answer has no x-amzn-RequestId";
  if (answer.headers["content-type"] != "application/x-amz-json-1.0") {
    return "Content-Type: " + answer.headers["content-type"];
  }
  const std::uint32_t crc = libdeflate_crc32(0, answer.body.data(), answer.body.size());
  if (answer.headers["x-amz-crc32"] != std::to_string(crc)) {
    return "x-amz-crc32: " + answer.headers["x-amz-crc32"] + " but the body has " +
           std::to_string(crc);
  }
  return "";
}

class HttpTransport final : public Transport {
 public:
  HttpTransport(std::string host, std::string port)
      : host_(std::move(host)), port_(std::move(port)) {}

  ApiAnswer call(std::string_view operation, std::string_view body) override {
    std::string request = "POST / HTTP/1.1\r\nHost: " + host_ + ":" + port_ +
                          "\r\nContent-Type: application/x-amz-json-1.0\r\n"
                          "X-Amz-Target: " +
                          target_of(operation);
    request +=
        "\r\nX-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 "
        "Credential=test/20260101/us-east-1/dynamodb/aws4_request, "
        "SignedHeaders=host;x-amz-date, Signature=0\r\nContent-Length: ";
    request += std::to_string(body.size()) + "\r\n\r\n";
    request += body;
    HttpAnswer answer;
    // A server may close an idle connection; the second attempt is on a new one.
    if (!exchange(request, answer) && !exchange(request, answer)) {
      return {0, "", "the connection ended without an answer"};
    }
    std::string problem = header_problem(answer);
    if (answer.headers["connection"] == "close") connection_.reset();
    return {answer.status, std::move(answer.body), std::move(problem)};
  }

 private:
  bool exchange(std::string_view request, HttpAnswer& answer) {
    if (!connection_) connection_ = std::make_unique<Connection>(host_, port_);
    answer = {};
    std::string head;
    if (connection_->open() && connection_->send(request) &&
        connection_->read_until("\r\n\r\n", head)) {
      read_headers(head, answer);
      if (read_body(*connection_, answer)) return true;
    }
    connection_.reset();
    return false;
  }

  std::string host_, port_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace

std::unique_ptr<Transport> http_transport(std::string host, std::string port) {
  return std::make_unique<HttpTransport>(std::move(host), std::move(port));
}

}  // namespace partita::testing
