// Asks the admin API of a running server (docs/admin.md).
#pragma once

#include <string>

#include "partita/result.h"

namespace partita {

struct AdminRequest {
  std::string host;
  std::string port;
  bool tls = false;
  std::string method;
  std::string path;
  std::string body;
};
struct AdminResponse {
  int status = 0;
  std::string body;
};

// Fails with one sentence for the user when nobody answers.
Result<AdminResponse> ask_admin(const AdminRequest& request);

}  // namespace partita
