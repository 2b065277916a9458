// TLS 1.2 and 1.3 on sockets that do not block, the server's side.
//
// The process must ignore SIGPIPE.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <sys/types.h>

#include "partita/result.h"

// OpenSSL's, whose headers stay in tls.cc.
struct ssl_ctx_st;
struct ssl_st;

namespace partita {

// A certificate chain with its key. Immutable; shared by all threads.
class TlsContext {
 public:
  // PEM files. Fails with one sentence for a person, which holds nothing of the key.
  static Result<std::shared_ptr<const TlsContext>> load(const std::string& certificate_path,
                                                        const std::string& key_path);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

 private:
  friend class TlsSession;
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
  ssl_ctx_st* context_;
};

// The certificate of the moment; replaced while connections are open, which keep theirs.
class TlsBook {
 public:
  explicit TlsBook(std::shared_ptr<const TlsContext> context) : context_(std::move(context)) {}
  void replace(std::shared_ptr<const TlsContext> context) {
    const std::lock_guard lock(mutex_);
    context_ = std::move(context);
  }
  std::shared_ptr<const TlsContext> current() const {
    const std::lock_guard lock(mutex_);
    return context_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const TlsContext> context_;
};

// One connection.
class TlsSession {
 public:
  TlsSession(const TlsContext& context, int socket);  // throws std::bad_alloc
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // As recv and send: how many bytes; 0 at the end of what the client sends; -1 with errno, EAGAIN
  // for later. The first receive begins the handshake. A send that has to wait is to be repeated
  // with the same bytes, perhaps followed by more.
  ssize_t receive(char* to, std::size_t room);
  ssize_t send(const char* from, std::size_t count);

  // Bytes are there that the poller knows nothing of.
  bool has_received() const;
  // The handshake is done.
  bool established() const;
  // To receive, the socket must first be ready to be written to.
  bool receive_wants_write() const { return receive_wants_write_; }
  // What came was no handshake but a request in the clear, and nothing has been sent.
  bool heard_plain_http() const { return heard_plain_http_; }
  // Tells the client that nothing more will be sent.
  void say_goodbye();

 private:
  ssize_t outcome(int count);

  ssl_st* session_;
  bool receive_wants_write_ = false;
  bool broken_ = false;
  bool heard_plain_http_ = false;
};

}  // namespace partita
