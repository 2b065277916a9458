#include "server/api_route.h"

#include "wire/error_json.h"

namespace partita {
namespace {

constexpr std::string_view kAmzJson = "application/x-amz-json-1.0";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kPlainText = "text/plain";

// "application/json; charset=utf-8" → "application/json".
std::string_view media_type(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (!content_type.empty() && content_type.back() == ' ') content_type.remove_suffix(1);
  return content_type;
}

// What DynamoDB answers to a request that is not for its API (recorded by dynalite's tests against
// AWS: other methods, and bodies of another type than JSON).
RouteAnswer not_found(TextBuffer& out) {
  out.append("<UnknownOperationException/>\n");
  return {.status = 404, .content_type = kPlainText, .api = nullptr, .ticket = {}};
}

RouteAnswer route_page(const RequestHead& head, const Admission& admission,
                       const OperatorPages& pages, TextBuffer& out) {
  if (head.path() == "/metrics" && !admission.may_see_metrics) return not_found(out);
  if (const auto page = pages.find(head.path(), out)) {
    return {.status = page->status, .content_type = page->content_type, .ticket = {}};
  }
  if (head.path() != "/" && head.path() != "/ping") return not_found(out);
  // The blank at the end is DynamoDB's.
  out.append("healthy: ").append(head.host()).append(" ");
  return {.status = 200,
          .content_type = kPlainText,
          .api = nullptr,
          .ticket = {},
          .cross_origin = !head.origin().empty()};
}

RouteAnswer route_error(const Error& error, std::string_view content_type, TextBuffer& out) {
  return {.status = write_error(error, out),
          .content_type = content_type,
          .api = nullptr,
          .ticket = {},
          .error = error.code()};
}

// What DynamoDB says of a body it cannot decompress, although a client is to blame for it.
RouteAnswer undecodable(Decoding decoding, std::string_view content_type, TextBuffer& out) {
  if (decoding == Decoding::TooLarge) {
    return {.status = 413, .content_type = {}, .api = nullptr, .ticket = {}};
  }
  return route_error(Error::internal("Internal server error"), content_type, out);
}

// Into `decoded`, with the padding that is wanted behind it.
Decoding decode_body(const RequestHead& head, std::string_view body, std::size_t bytes_max,
                     TextBuffer& decoded) {
  const auto coding = find_coding(head.content_encoding());
  if (!coding) return Decoding::Malformed;
  if (*coding == ContentCoding::Identity) {
    decoded.append(body);
  } else if (const Decoding done = decode_content(*coding, body, bytes_max, decoded);
             done != Decoding::Done) {
    return done;
  }
  decoded.room(kBodyPaddingBytes);
  return Decoding::Done;
}

RouteAnswer route_api(const RequestHead& head, std::string_view body, const Admission& admission,
                      const ServerOptions& options, std::pmr::memory_resource* memory,
                      TextBuffer& out) {
  const std::string_view type = media_type(head.content_type());
  if (head.path() != "/" || (!body.empty() && type != kAmzJson && type != kJson)) {
    return not_found(out);
  }
  const std::string_view answer_type = type == kAmzJson ? kAmzJson : kJson;
  const std::optional<Error>& refusal = admission.refusal;

  TextBuffer decoded;
  if (!head.content_encoding().empty()) [[unlikely]] {
    // Nobody unknown makes us decompress; for them the body counts as JSON.
    const Decoding decoding =
        refusal ? Decoding::Done : decode_body(head, body, options.limits.body_bytes_max, decoded);
    if (decoding != Decoding::Done) return undecodable(decoding, answer_type, out);
    body = decoded.view();
  }

  const WireRequest request{head.amz_target(), body, head.host()};
  const WireAnswer answer = refusal ? refuse(request, *refusal, memory, out)
                                    : dispatch(*admission.api, request, memory, out);
  return {.status = answer.status,
          .content_type = answer_type,
          .api = admission.api,
          .ticket = answer.ticket,
          .operation = answer.operation,
          .error = answer.error};
}

RouteAnswer route_by_method(const RequestHead& head, std::string_view body,
                            const Admission& admission, const Routes& routes,
                            std::pmr::memory_resource* memory, TextBuffer& out) {
  if (is_api_request(head)) {
    RouteAnswer answer = route_api(head, body, admission, routes.options, memory, out);
    answer.cross_origin = !head.origin().empty();
    return answer;
  }
  if (head.method() == "GET" || head.method() == "HEAD") {
    return route_page(head, admission, routes.pages, out);
  }
  return not_found(out);
}

}  // namespace

RouteAnswer route(const RequestHead& head, std::string_view body, const Admission& admission,
                  const Routes& routes, std::pmr::memory_resource* memory, TextBuffer& out) {
  const std::size_t start = out.size();
  try {  // our code does not throw; a library below it might
    RouteAnswer answer = route_by_method(head, body, admission, routes, memory, out);
    if (out.size() - start >= kCompressedBytesMin) {
      // Of several headers of that name DynamoDB looks at the first.
      const ContentCoding wanted = chosen_coding(head.find_header("accept-encoding"));
      if (wanted != ContentCoding::Identity && encode_content(wanted, start, out)) {
        answer.coding = wanted;
      }
    }
    return answer;
  } catch (...) {
    out.set_size(start);
    return route_error(Error::internal("Internal server error"), kAmzJson, out);
  }
}

RouteAnswer route_failed_sync(const Error& failure, TextBuffer& out) {
  if (failure.code() == ErrorCode::ServiceUnavailable) return route_error(failure, kAmzJson, out);
  return route_error(Error::internal("Internal server error"), kAmzJson, out);
}

}  // namespace partita
