// Which answer a complete request gets: the API on POST /, DynamoDB's health check on GET /, our
// own pages for operators beside it.
//
// DynamoDB finds faults with a request in this order (recorded by dynalite's tests): its method,
// its content type, JSON, the operation's name, the signature, and then what the operation itself
// says.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>

#include "partita/api.h"

#include "base/text_buffer.h"
#include "server/content_coding.h"
#include "server/doorkeeper.h"
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
  ContentCoding coding = ContentCoding::Identity;  // of the body
  bool cross_origin = false;                       // a web page of any origin may read it
};

// Where requests may go. Both outlive the server's loops.
struct Routes {
  const ServerOptions& options;
  const OperatorPages& pages;
};

// Is it to be admitted by a Doorkeeper?
inline bool is_api_request(const RequestHead& head) { return head.method() == "POST"; }

// Appends the answer's body to `out`. `body` is followed by kBodyPaddingBytes readable bytes. The
// admission is for requests to the API.
RouteAnswer route(const RequestHead& head, std::string_view body, const Admission& admission,
                  const Routes& routes, std::pmr::memory_resource* memory, TextBuffer& out);

// A web page's browser asks whether it may send a request: answered by the head alone.
inline bool is_preflight(const RequestHead& head) {
  return !head.origin().empty() && head.method() == "OPTIONS";
}

// A write whose sync failed: nobody knows whether it will survive.
RouteAnswer route_failed_sync(const Error& failure, TextBuffer& out);

}  // namespace partita
