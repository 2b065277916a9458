// The admin API: what DynamoDB has no words for, under /_partita/ (docs/admin.md).
//
//   GET  /_partita/clock                     what the database's clock shows
//   POST /_partita/clock/freeze    [moment]  stops it, here or there
//   POST /_partita/clock/set       moment    moves it (base/time_text.h)
//   POST /_partita/clock/advance   stretch   moves it on, or back
//   POST /_partita/clock/release             back to the machine's time
//
// No web page reaches it, whatever a developer's browser is made to send: a request needs a header
// that pages may not send without being allowed to, nobody is ever allowed to, and one that tells
// of a page (Origin, Sec-Fetch-Site) is refused. The Host must be an address or a name we know, so
// a page cannot make its own name point here. The client must be on this machine, or allowed.
// Where there are credentials it signs its requests, with a key that may do everything.
#pragma once

#include <string_view>

#include "base/text_buffer.h"
#include "server/http_parser.h"
#include "server/server.h"

namespace partita {

struct AdminAnswer {
  int status = 200;
  std::string_view content_type = "application/json";
};

// Such a request gets nothing from any other route, whatever else it says.
inline bool is_for_admin(const RequestHead& head) { return head.target().starts_with("/_partita"); }

struct AdminClient {
  int socket;
  bool admitted;  // by its signature, where there are credentials
};

// Appends the answer's body to `out`.
AdminAnswer answer_admin(const RequestHead& head, std::string_view body,
                         const ServerOptions& options, AdminClient client, TextBuffer& out);

}  // namespace partita
