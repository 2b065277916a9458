#include "server/api_route.h"

#include "wire/error_json.h"

namespace partita {
namespace {

constexpr std::string_view kAmzJson = "application/x-amz-json-1.0";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kText = "text/plain";

// "application/json; charset=utf-8" → "application/json".
std::string_view media_type(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (!content_type.empty() && content_type.back() == ' ') content_type.remove_suffix(1);
  return content_type;
}

// What DynamoDB answers to a request that is not for its API (recorded by dynalite's tests against
// AWS: other methods, and bodies of another type than JSON). A web page cannot reach the database
// of a developer who visits it: without JSON's content type the request ends here, and with it the
// browser asks first (OPTIONS) and is refused.
RouteAnswer not_found(TextBuffer& out) {
  out.append("<UnknownOperationException/>\n");
  return {.status = 404, .content_type = kText, .api = nullptr, .ticket = {}};
}

RouteAnswer route_page(const RequestHead& head, const OperatorPages& pages, TextBuffer& out) {
  if (const auto page = pages.find(head.path(), out)) {
    return {.status = page->status, .content_type = page->content_type, .ticket = {}};
  }
  if (head.path() != "/" && head.path() != "/ping") return not_found(out);
  // The blank at the end is DynamoDB's.
  out.append("healthy: ").append(head.host()).append(" ");
  return {.status = 200, .content_type = kText, .api = nullptr, .ticket = {}};
}

RouteAnswer route_error(const Error& error, std::string_view content_type, TextBuffer& out) {
  return {.status = write_error(error, out),
          .content_type = content_type,
          .api = nullptr,
          .ticket = {},
          .error = error.code()};
}

RouteAnswer route_api(const RequestHead& head, std::string_view body,
                      const DatabaseFinder& find_database, std::pmr::memory_resource* memory,
                      TextBuffer& out) {
  const std::string_view type = media_type(head.content_type());
  if (head.path() != "/" || (!body.empty() && type != kAmzJson && type != kJson)) {
    return not_found(out);
  }
  const std::string_view answer_type = type == kAmzJson ? kAmzJson : kJson;
  Api* const api = find_database(head);
  if (api == nullptr) {
    return route_error(Error(ErrorCode::UnrecognizedClient,
                             "The security token included in the request is invalid."),
                       answer_type, out);
  }
  const WireAnswer answer = dispatch(*api, {head.amz_target(), body, head.host()}, memory, out);
  return {.status = answer.status,
          .content_type = answer_type,
          .api = api,
          .ticket = answer.ticket,
          .operation = answer.operation,
          .error = answer.error};
}

}  // namespace

RouteAnswer route(const RequestHead& head, std::string_view body, const Routes& routes,
                  std::pmr::memory_resource* memory, TextBuffer& out) {
  const std::size_t start = out.size();
  try {  // our code does not throw; a library below it might
    if (head.method() == "POST") {
      return route_api(head, body, routes.find_database, memory, out);
    }
    if (head.method() == "GET" || head.method() == "HEAD") {
      return route_page(head, routes.pages, out);
    }
    return not_found(out);
  } catch (...) {
    out.set_size(start);
    return route_error(Error::internal("Internal server error"), kAmzJson, out);
  }
}

RouteAnswer route_failed_sync(TextBuffer& out) {
  return route_error(Error::internal("Internal server error"), kAmzJson, out);
}

}  // namespace partita
