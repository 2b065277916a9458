// Which answer a complete request gets: the API on POST /, the health check on GET /.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

#include "partita/api.h"

#include "server/server.h"

namespace partita {

struct RouteAnswer {
  int status = 200;
  std::string_view content_type;  // empty: none
  Api* api = nullptr;             // whom to ask about the ticket
  DurabilityTicket ticket;        // version 0: the answer may leave at once
};

// Appends the answer's body to `out`. `body` is followed by kBodyPaddingBytes readable bytes.
RouteAnswer route(const RequestHead& head, std::string_view body,
                  const DatabaseFinder& find_database, std::pmr::memory_resource* memory,
                  std::string& out);

// A write whose sync failed: nobody knows whether it will survive.
RouteAnswer route_failed_sync(std::string& out);

}  // namespace partita
