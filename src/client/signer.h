// Signer: the headers of a request to one address, signed (auth/sigv4.h).
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "partita/client/endpoint.h"

#include "auth/sigv4.h"
#include "base/clock.h"
#include "client/http_url.h"

namespace partita::client {

class Signer {
 public:
  Signer(HttpUrl url, std::string region, Credentials credentials);

  // "Name: value" lines: `fields`, Host, and what makes the signature. Without credentials there is
  // none. From any thread.
  std::vector<std::string> headers(std::string_view method, std::vector<HeaderField> fields,
                                   std::string_view body, TimePoint now);

 private:
  SigningKey key_of(std::string_view date);

  const HttpUrl url_;
  const std::string region_;
  const Credentials credentials_;

  std::mutex mutex_;
  std::string key_date_;  // of the key below, which is good for a day
  SigningKey key_;
};

}  // namespace partita::client
