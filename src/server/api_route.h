// Which answer a complete request gets: the API on POST /, DynamoDB's health check on GET /, our
// own pages for operators beside it.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>

#include "partita/api.h"

#include "base/text_buffer.h"
#include "server/operator_pages.h"
#include "server/server.h"
#include "wire/dispatch.h"

namespace partita {

struct RouteAnswer {
  int status = 200;
  std::string_view content_type;         // empty: none
  Api* api = nullptr;                    // whom to ask about the ticket
  DurabilityTicket ticket;               // version 0: the answer may leave at once
  std::size_t operation = kNoOperation;  // an index for operation_names()
  std::optional<ErrorCode> error{};
};

// Where requests may go. Both outlive the server's loops.
struct Routes {
  const DatabaseFinder& find_database;
  const OperatorPages& pages;
};

// Appends the answer's body to `out`. `body` is followed by kBodyPaddingBytes readable bytes.
RouteAnswer route(const RequestHead& head, std::string_view body, const Routes& routes,
                  std::pmr::memory_resource* memory, TextBuffer& out);

// A write whose sync failed: nobody knows whether it will survive.
RouteAnswer route_failed_sync(TextBuffer& out);

}  // namespace partita
