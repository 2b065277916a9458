#include "client/http_pool.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <sys/socket.h>

#include "client/curl_library.h"
#include "client/http_url.h"
#include "formats/json_reader.h"

namespace partita::client {
namespace {

struct Received {
  std::string body{};
  std::size_t bytes_max = 0;
};

std::size_t receive(char* data, std::size_t, std::size_t count, void* to) {
  auto& received = *static_cast<Received*>(to);
  const std::size_t room = received.bytes_max - received.body.size();
  received.body.append(data, std::min(count, room));
  return count;
}

// Sockets are not for the programs this process starts.
curl_socket_t open_socket(void*, curlsocktype, curl_sockaddr* address) {
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// An answer that is on its way when a request is cancelled is still waited for: what was done is
// then known to be done.
class Cancellation {
 public:
  explicit Cancellation(const std::atomic<bool>* cancelled) : cancelled_(cancelled) {}

  // What libcurl calls at least once a second.
  static int check(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<Cancellation*>(self)->is_due() ? 1 : 0;
  }

 private:
  using Steady = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kGrace{500};

  bool is_due() {
    if (!*cancelled_) return false;
    if (!noticed_) noticed_ = Steady::now();
    return Steady::now() - *noticed_ >= kGrace;
  }

  const std::atomic<bool>* cancelled_;
  std::optional<Steady::time_point> noticed_;
};

struct HeaderList {
  curl_slist* first = nullptr;
  ~HeaderList() { curl().slist_free_all(first); }
  void add(const char* line) { first = curl().slist_append(first, line); }
};

long milliseconds(std::chrono::milliseconds time) { return static_cast<long>(time.count()); }

bool names_this_machine(const std::string& url) {
  const auto parsed = parse_http_url(url);
  return parsed && (parsed->host == "localhost" || parsed->host == "[::1]" ||
                    parsed->host.starts_with("127."));
}

std::string certificate_file(const HttpSettings& settings) {
  if (!settings.certificate_authorities.empty()) return settings.certificate_authorities;
  const char* const file = std::getenv("SSL_CERT_FILE");
  return file != nullptr ? file : "";
}

// Will the next attempt end in the same way?
bool is_final(CURLcode code) {
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_ABORTED_BY_CALLBACK:
      return true;
    default:
      return false;
  }
}

// What is not set here was set by new_connection.
void set_request(CURL* connection, const HttpRequest& request, const HeaderList& headers) {
  curl().easy_setopt(connection, CURLOPT_HTTPHEADER, headers.first);
  if (request.get) {
    curl().easy_setopt(connection, CURLOPT_HTTPGET, 1L);
  } else {
    curl().easy_setopt(connection, CURLOPT_POST, 1L);
    curl().easy_setopt(connection, CURLOPT_POSTFIELDS, request.body.data());
    curl().easy_setopt(connection, CURLOPT_POSTFIELDSIZE_LARGE,
                       static_cast<curl_off_t>(request.body.size()));
  }
}

}  // namespace

HttpPool::HttpPool(HttpSettings settings)
    : settings_(std::move(settings)), on_this_machine_(names_this_machine(settings_.url)) {}

HttpPool::~HttpPool() {
  for (void* connection : idle_) curl().easy_cleanup(connection);
}

void* HttpPool::take_connection() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      void* const connection = idle_.back();
      idle_.pop_back();
      return connection;
    }
  }
  return new_connection();
}

void* HttpPool::new_connection() const {
  CURL* const connection = curl().easy_init();
  if (connection == nullptr) return nullptr;
  curl().easy_setopt(connection, CURLOPT_URL, settings_.url.c_str());
  curl().easy_setopt(connection, CURLOPT_PROTOCOLS_STR, "http,https");
  curl().easy_setopt(connection, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl().easy_setopt(connection, CURLOPT_NOSIGNAL, 1L);
  curl().easy_setopt(connection, CURLOPT_TCP_NODELAY, 1L);
  curl().easy_setopt(connection, CURLOPT_TCP_KEEPALIVE, 1L);
  curl().easy_setopt(connection, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  curl().easy_setopt(connection, CURLOPT_CONNECTTIMEOUT_MS,
                     milliseconds(settings_.connect_timeout));
  curl().easy_setopt(connection, CURLOPT_TIMEOUT_MS, milliseconds(settings_.request_timeout));
  curl().easy_setopt(connection, CURLOPT_SSL_VERIFYPEER, settings_.verify_certificate ? 1L : 0L);
  curl().easy_setopt(connection, CURLOPT_SSL_VERIFYHOST, settings_.verify_certificate ? 2L : 0L);
  if (const std::string file = certificate_file(settings_); !file.empty()) {
    curl().easy_setopt(connection, CURLOPT_CAINFO, file.c_str());
  }
  if (on_this_machine_) curl().easy_setopt(connection, CURLOPT_PROXY, "");
  curl().easy_setopt(connection, CURLOPT_WRITEFUNCTION, &receive);
  curl().easy_setopt(connection, CURLOPT_XFERINFOFUNCTION, &Cancellation::check);
  return connection;
}

void HttpPool::give_back(void* connection) {
  {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < settings_.idle_connections_max) return idle_.push_back(connection);
  }
  curl().easy_cleanup(connection);
}

Result<HttpAnswer> HttpPool::send(const HttpRequest& request) {
  PARTITA_CHECK(load_curl());
  CURL* const connection = take_connection();
  if (connection == nullptr) {
    return Error(ErrorCode::ServiceUnavailable, "out of memory");
  }
  HeaderList headers;
  for (const std::string& line : request.headers) headers.add(line.c_str());
  headers.add("Expect:");  // a large body is sent at once
  Received received{.bytes_max = settings_.body_bytes_max};
  char reason[CURL_ERROR_SIZE] = "";
  Cancellation cancellation(request.cancelled);
  set_request(connection, request, headers);
  curl().easy_setopt(connection, CURLOPT_NOPROGRESS, request.cancelled == nullptr ? 1L : 0L);
  curl().easy_setopt(connection, CURLOPT_XFERINFODATA, &cancellation);
  curl().easy_setopt(connection, CURLOPT_WRITEDATA, &received);
  curl().easy_setopt(connection, CURLOPT_ERRORBUFFER, reason);
  const CURLcode code = curl().easy_perform(connection);
  long status = 0;
  curl().easy_getinfo(connection, CURLINFO_RESPONSE_CODE, &status);
  curl().easy_setopt(connection, CURLOPT_HTTPHEADER, nullptr);
  curl().easy_setopt(connection, CURLOPT_ERRORBUFFER, nullptr);
  give_back(connection);
  if (code != CURLE_OK) {
    return Error(is_final(code) ? ErrorCode::CannotOpen : ErrorCode::ServiceUnavailable,
                 reason[0] != '\0' ? reason : curl().easy_strerror(code));
  }
  const std::size_t body_bytes = received.body.size();
  received.body.append(kJsonPaddingBytes, '\0');
  received.body.resize(body_bytes);
  return HttpAnswer{static_cast<int>(status), std::move(received.body)};
}

}  // namespace partita::client
