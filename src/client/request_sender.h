// RequestSender: one request after another to one address, signed, each as often as it is worth it.
#pragma once

#include <string>
#include <string_view>

#include "partita/client/endpoint.h"

#include "base/random.h"
#include "client/http_pool.h"
#include "client/signer.h"

namespace partita::client {

class RequestSender {
 public:
  // `options` and `random` outlive it.
  RequestSender(const EndpointOptions& options, const HttpUrl& url, RandomSource& random);

  // The answer of status 200. Anything else is an error, after as many attempts as the options
  // allow if another one may be better.
  Result<HttpAnswer> send(std::string_view target, std::string_view body);

 private:
  Result<HttpAnswer> send_once(std::string_view target, std::string_view body);
  std::chrono::milliseconds delay_after(int attempt);

  const EndpointOptions& options_;
  RandomSource& random_;
  const std::string address_;
  Signer signer_;
  HttpPool http_;
};

}  // namespace partita::client
