#include "client/signer.h"

#include "base/time_text.h"

namespace partita::client {
namespace {

constexpr std::string_view kService = "dynamodb";

// "20270131T120000Z"
std::string signature_time(TimePoint now) {
  constexpr std::size_t kDateAndTimeBytes = std::string_view("2027-01-31T12:00:00").size();
  std::string text = time_text(now).substr(0, kDateAndTimeBytes) + "Z";
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

}  // namespace

Signer::Signer(HttpUrl url, std::string region, Credentials credentials)
    : url_(std::move(url)), region_(std::move(region)), credentials_(std::move(credentials)) {}

SigningKey Signer::key_of(std::string_view date) {
  const std::lock_guard lock(mutex_);
  if (key_date_ != date) {
    key_ = SigningKey(credentials_.secret_access_key, {date, region_, kService});
    key_date_ = date;
  }
  return key_;
}

std::vector<std::string> Signer::headers(std::string_view method, std::vector<HeaderField> fields,
                                         std::string_view body, TimePoint now) {
  const bool sign = !credentials_.access_key_id.empty();
  const std::string date_time = signature_time(now);
  const std::string_view date = std::string_view(date_time).substr(0, 8);
  fields.push_back({"Host", url_.authority});
  if (sign) fields.push_back({"X-Amz-Date", date_time});
  if (sign && !credentials_.session_token.empty()) {
    fields.push_back({"X-Amz-Security-Token", credentials_.session_token});
  }
  std::vector<std::string> lines;
  for (const HeaderField& field : fields) {
    lines.push_back(std::string(field.name).append(": ").append(field.value));
  }
  if (sign) {
    const RequestToSign request{
        .method = method, .path = url_.path, .query = url_.query, .headers = fields, .body = body};
    lines.push_back("Authorization: " + authorization_of(request, credentials_.access_key_id,
                                                         key_of(date), date_time,
                                                         {date, region_, kService}));
  }
  return lines;
}

}  // namespace partita::client
