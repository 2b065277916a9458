// SocketStream: the bytes of one client, in the clear or through TLS.
//
// A plain socket costs one comparison more than its system calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>

#include <sys/socket.h>
#include <sys/uio.h>

#include "auth/tls.h"

namespace partita {

class SocketStream {
 public:
  // Without a context the bytes are in the clear. Does not own the socket, which does not block.
  SocketStream(int socket, const std::shared_ptr<const TlsContext>& context)
      : socket_(socket),
        tls_(context != nullptr ? std::make_unique<TlsSession>(*context, socket) : nullptr) {}

  // Like recv.
  ssize_t receive(char* to, std::size_t room) {
    if (tls_ == nullptr) [[likely]]
      return ::recv(socket_, to, room, 0);
    return tls_->receive(to, room);
  }

  // Like sendmsg: some of the bytes in front. `scratch` is for those that are encrypted together.
  ssize_t send(std::span<iovec> vectors, std::span<char> scratch) {
    if (tls_ != nullptr) [[unlikely]]
      return send_encrypted(vectors, scratch);
    if (vectors.size() == 1) {
      return ::send(socket_, vectors[0].iov_base, vectors[0].iov_len, MSG_NOSIGNAL);
    }
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = vectors.size();
    return ::sendmsg(socket_, &message, MSG_NOSIGNAL);
  }

  // Bytes are there that no poll tells of.
  bool has_received() const { return tls_ != nullptr && tls_->has_received(); }
  bool established() const { return tls_ == nullptr || tls_->established(); }
  bool receive_wants_write() const { return tls_ != nullptr && tls_->receive_wants_write(); }

  // After a failure: true when the client speaks HTTP in the clear where TLS is spoken. From then
  // on the bytes are in the clear, so that it can be told.
  bool turns_plain() {
    if (tls_ == nullptr || !tls_->heard_plain_http()) return false;
    tls_.reset();
    return true;
  }

  // Nothing more will be sent.
  void finish() {
    if (tls_ != nullptr) tls_->say_goodbye();
    ::shutdown(socket_, SHUT_WR);
  }

 private:
  // One record rather than one for each answer.
  ssize_t send_encrypted(std::span<iovec> vectors, std::span<char> scratch) {
    if (vectors.size() == 1 || vectors[0].iov_len >= kRecordBytesMax) {
      return tls_->send(static_cast<const char*>(vectors[0].iov_base), vectors[0].iov_len);
    }
    std::size_t filled = 0;
    const std::size_t room = std::min(kRecordBytesMax, scratch.size());
    for (const iovec& vector : vectors) {
      const std::size_t taken = std::min(vector.iov_len, room - filled);
      std::memcpy(scratch.data() + filled, vector.iov_base, taken);
      filled += taken;
    }
    return tls_->send(scratch.data(), filled);
  }

  static constexpr std::size_t kRecordBytesMax = 16 * 1024;

  int socket_;
  std::unique_ptr<TlsSession> tls_;
};

}  // namespace partita
