#include "client/http_url.h"

#include <memory>

#include "client/curl_library.h"

namespace partita::client {
namespace {

std::string part(CURLU* url, CURLUPart wanted) {
  char* text = nullptr;
  if (curl().url_get(url, wanted, &text, 0) != CURLUE_OK) return {};  // it is not there
  const std::unique_ptr<char, void (*)(void*)> freed(text, curl().free);
  return text;
}

}  // namespace

Result<HttpUrl> parse_http_url(std::string_view text) {
  PARTITA_CHECK(load_curl());
  const std::unique_ptr<CURLU, void (*)(CURLU*)> url(curl().url(), curl().url_cleanup);
  const std::string ended(text);
  HttpUrl parsed;
  if (url != nullptr && curl().url_set(url.get(), CURLUPART_URL, ended.c_str(), 0) == CURLUE_OK) {
    parsed.scheme = part(url.get(), CURLUPART_SCHEME);
    parsed.host = part(url.get(), CURLUPART_HOST);
  }
  if ((parsed.scheme != "http" && parsed.scheme != "https") || parsed.host.empty()) {
    return Error(ErrorCode::CannotOpen, "'" + ended + "' is not an http:// or https:// address.");
  }
  const std::string port = part(url.get(), CURLUPART_PORT);
  parsed.authority = port.empty() ? parsed.host : parsed.host + ":" + port;
  parsed.path = part(url.get(), CURLUPART_PATH);
  parsed.query = part(url.get(), CURLUPART_QUERY);
  return parsed;
}

}  // namespace partita::client
