#include "auth/tls.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <new>
#include <string_view>

#include <openssl/err.h>
#include <openssl/ssl.h>

namespace partita {
namespace {

Error cannot_use(const std::string& what, const std::string& path) {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return Error(ErrorCode::CannotOpen, "cannot use the TLS " + what + " " + path + " (" +
                                          (reason != nullptr ? reason : "unknown reason") + ").");
}

// A key with a passphrase would otherwise ask for it on the terminal.
int no_passphrase(char*, int, int, void*) { return 0; }

// Clients that offer HTTP/2 as well shall choose what we speak.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length,
                    const unsigned char* offered, unsigned int offered_length, void*) {
  static constexpr unsigned char kSpoken[] = "\x08http/1.1";
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, length, kSpoken, sizeof kSpoken - 1, offered, offered_length) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::load(const std::string& certificate_path,
                                                           const std::string& key_path) {
  ERR_clear_error();
  SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
  if (context == nullptr) return cannot_use("library for", certificate_path);
  std::shared_ptr<TlsContext> made(new TlsContext(context));
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  SSL_CTX_set_default_passwd_cb(context, no_passphrase);
  if (SSL_CTX_use_certificate_chain_file(context, certificate_path.c_str()) != 1) {
    return cannot_use("certificate", certificate_path);
  }
  if (SSL_CTX_use_PrivateKey_file(context, key_path.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1) {
    return cannot_use("key", key_path);
  }
  return std::shared_ptr<const TlsContext>(std::move(made));
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

TlsSession::TlsSession(const TlsContext& context, int socket)
    : session_(SSL_new(context.context_)) {
  if (session_ == nullptr || SSL_set_fd(session_, socket) != 1) {
    SSL_free(session_);
    throw std::bad_alloc();
  }
  SSL_set_accept_state(session_);
}

TlsSession::~TlsSession() { SSL_free(session_); }

ssize_t TlsSession::outcome(int count) {
  if (count > 0) return count;
  const int system_error = errno;
  switch (SSL_get_error(session_, count)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      errno = EAGAIN;
      return -1;
    case SSL_ERROR_ZERO_RETURN:
      return 0;
    case SSL_ERROR_SYSCALL:
      errno = system_error != 0 && system_error != EAGAIN ? system_error : ECONNRESET;
      break;
    default:
      heard_plain_http_ = ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST;
      errno = EPROTO;
  }
  broken_ = true;
  return -1;
}

ssize_t TlsSession::receive(char* to, std::size_t room) {
  ERR_clear_error();
  errno = 0;
  const int count = SSL_read(session_, to, static_cast<int>(std::min<std::size_t>(room, INT_MAX)));
  receive_wants_write_ = count <= 0 && SSL_want_write(session_);
  return outcome(count);
}

ssize_t TlsSession::send(const char* from, std::size_t count) {
  ERR_clear_error();
  errno = 0;
  return outcome(
      SSL_write(session_, from, static_cast<int>(std::min<std::size_t>(count, INT_MAX))));
}

bool TlsSession::has_received() const { return SSL_pending(session_) > 0; }

bool TlsSession::established() const { return SSL_is_init_finished(session_) != 0; }

void TlsSession::say_goodbye() {
  if (broken_ || !established()) return;
  ERR_clear_error();
  SSL_shutdown(session_);
  ERR_clear_error();
}

}  // namespace partita
