// How a script's requests reach a DynamoDB: by a call in this process, or over HTTP.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "partita/database.h"

namespace partita::testing {

struct ApiAnswer {
  int status = 0;
  std::string body;
  std::string problem;  // not empty: there was no proper answer, and why
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual ApiAnswer call(std::string_view operation, std::string_view body) = 0;
  virtual bool can_send(std::string_view) const { return true; }
  // Whoever lets global indexes lag behind brings them up to date.
  virtual void settle_indexes() {}
};

// Through wire/dispatch: everything but the server. `api` is the database, or a way to it.
std::unique_ptr<Transport> embedded_transport(Api& api, Database& database);

// One kept-alive connection. Also checks what every answer must carry: x-amzn-RequestId, the
// content type, and an x-amz-crc32 that is right.
std::unique_ptr<Transport> http_transport(std::string host, std::string port);

}  // namespace partita::testing
