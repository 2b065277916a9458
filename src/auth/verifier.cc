#include "auth/verifier.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "base/ascii_text.h"

namespace partita {
namespace {

constexpr std::string_view kService = "dynamodb";
constexpr std::time_t kSkewSeconds = 15 * 60;
constexpr std::time_t kExpiresSecondsMax = 7 * 24 * 60 * 60;

Error invalid(std::string message) {
  return Error(ErrorCode::InvalidSignature, std::move(message));
}
Error unknown_client() {
  return Error(ErrorCode::UnrecognizedClient,
               "The security token included in the request is invalid.");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "20260131T120000Z" → seconds since 1970; empty when it is no such time.
std::optional<std::time_t> find_time(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') return std::nullopt;
  const auto number = [&text](std::size_t start, std::size_t length) {
    int value = 0;
    for (const char c : text.substr(start, length)) {
      if (!is_digit(c)) return -1;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const int year = number(0, 4), month = number(4, 2), day = number(6, 2);
  const int hour = number(9, 2), minute = number(11, 2), second = number(13, 2);
  if (year < 0 || month < 0 || day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      second < 0 || second > 60) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const std::time_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

std::string time_text(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts));
}

// How long after its time a presigned request may be used; others have the skew alone.
Result<std::time_t> lifetime(const SignatureClaim& claim) {
  if (claim.expires.empty()) return kSkewSeconds;
  std::time_t seconds = 0;
  const char* const end = claim.expires.data() + claim.expires.size();
  const auto read = std::from_chars(claim.expires.data(), end, seconds);
  if (read.ec != std::errc() || read.ptr != end || seconds < 1 || seconds > kExpiresSecondsMax) {
    return incomplete_signature("X-Amz-Expires must be a number of seconds from 1 to 604800, got " +
                                quoted(claim.expires));
  }
  return seconds;
}

Result<void> check_time(const SignatureClaim& claim, std::time_t now) {
  const std::optional<std::time_t> time = find_time(claim.date);
  if (!time) {
    return incomplete_signature("Date must be in ISO-8601 'basic format'. Got " +
                                quoted(claim.date) + ". See http://en.wikipedia.org/wiki/ISO_8601");
  }
  if (*time > now + kSkewSeconds) {
    return invalid("Signature not yet current: " + std::string(claim.date) +
                   " is still later than " + time_text(now + kSkewSeconds) + " (" + time_text(now) +
                   " + 15 min.)");
  }
  PARTITA_TRY(const std::time_t seconds, lifetime(claim));
  if (*time + seconds < now) {
    return invalid("Signature expired: " + std::string(claim.date) + " is now earlier than " +
                   time_text(now - seconds) + " (" + time_text(now) + " - " +
                   std::to_string(seconds / 60) + " min.)");
  }
  return {};
}

// Is the lower-case `name` among "a;b"?
bool is_listed(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(';'), list.size());
    if (list.substr(0, end) == name) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool is_amz_header(std::string_view name) {
  constexpr std::string_view prefix = "x-amz-";
  return name.size() > prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), name.begin(),
                    [](char wanted, char c) { return in_lower_case(c) == wanted; });
}

Error unsigned_header(std::string_view name) {
  return invalid(quoted(name) + " must be a 'SignedHeader' in the AWS Authorization.");
}

// `listed` is in lower case. An X-Amz-* header nobody signed could have been added by anybody.
Result<void> check_signed_headers(std::string_view listed, std::span<const HeaderField> headers) {
  if (!is_listed(listed, "host")) return unsigned_header("Host");
  for (const HeaderField& header : headers) {
    if (is_amz_header(header.name) && !is_listed(listed, in_lower_case(header.name))) {
      return unsigned_header(header.name);
    }
  }
  return {};
}

std::string_view find_header(std::span<const HeaderField> headers, std::string_view lower_name) {
  for (const HeaderField& header : headers) {
    if (header.name.size() == lower_name.size() && in_lower_case(header.name) == lower_name) {
      return header.value;
    }
  }
  return {};
}

// Key id, date, region, service, terminator.
using CredentialParts = std::array<std::string_view, 5>;

Result<CredentialParts> credential_parts(std::string_view credential) {
  std::string_view rest = credential;
  while (rest.ends_with('/')) rest.remove_suffix(1);
  CredentialParts parts;
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const std::size_t slash = rest.find('/');
    more = slash != std::string_view::npos;
    if (count < parts.size()) parts[count] = rest.substr(0, slash);
    if (more) rest.remove_prefix(slash + 1);
  }
  if (count != parts.size()) {
    return incomplete_signature(
        "Credential must have exactly 5 slash-delimited elements, e.g. "
        "keyid/date/region/service/term, got " +
        quoted(credential));
  }
  return parts;
}

}  // namespace

AccessKeys::AccessKeys(std::string region, std::vector<AccessKey> keys)
    : region_(std::move(region)), keys_(std::move(keys)) {
  for (const AccessKey& key : keys_) by_id_.emplace(key.id, &key);
}

const AccessKey* AccessKeys::find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

Result<const AccessKey*> SignatureVerifier::find_key(const SignatureClaim& claim) const {
  if (claim.algorithm != kSignatureAlgorithm) {
    return incomplete_signature("Unsupported AWS 'algorithm': " + quoted(claim.algorithm) +
                                " (only AWS4-HMAC-SHA256 for now). ");
  }
  PARTITA_TRY(const CredentialParts parts, credential_parts(claim.credential));
  const auto& [id, date, region, service, terminator] = parts;
  std::string problems;
  if (region != keys_.region()) {
    problems += "Credential should be scoped to a valid region, not " + quoted(region) + ". ";
  }
  if (service != kService) {
    problems += "Credential should be scoped to correct service: 'dynamodb'. ";
  }
  if (terminator != kScopeTerminator) {
    problems += "Credential should be scoped with a valid terminator: 'aws4_request', not " +
                quoted(terminator) + ". ";
  }
  if (date != claim.date.substr(0, 8)) {
    problems +=
        "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
        "HTTP: " +
        quoted(date) + " != " + quoted(claim.date.substr(0, 8)) + ", from " + quoted(claim.date) +
        ". ";
  }
  if (!problems.empty()) {
    problems.pop_back();
    return invalid(std::move(problems));
  }
  const AccessKey* const key = keys_.find(id);
  if (key == nullptr) return unknown_client();
  return key;
}

const SigningKey& SignatureVerifier::signing_key(const AccessKey& key, std::string_view date) {
  Day& day = days_[static_cast<std::size_t>(&key - keys_.keys().data())];
  if (day.date != date) {
    day.key = SigningKey(key.secret, {date, keys_.region(), kService});
    day.date = date;
  }
  return day.key;
}

bool SignatureVerifier::is_signed_by(const AccessKey& key, const RequestToSign& request,
                                     const SignatureClaim& claim) {
  const std::string_view date = claim.date.substr(0, 8);
  canonical_.clear();
  to_sign_.clear();
  append_canonical_request(request, signed_headers_, canonical_);
  append_string_to_sign(claim.date, {date, keys_.region(), kService}, canonical_, to_sign_);
  const HexDigest signature = signing_key(key, date).sign(to_sign_);
  return equal_secrets({signature.data(), signature.size()}, claim.signature);
}

Result<const AccessKey*> SignatureVerifier::verify(const RequestToSign& request,
                                                   const ClaimPlaces& places, std::time_t now) {
  PARTITA_TRY(const SignatureClaim claim, read_claim(places));
  PARTITA_CHECK(check_time(claim, now));
  signed_headers_ = claim.signed_headers;
  std::transform(signed_headers_.begin(), signed_headers_.end(), signed_headers_.begin(),
                 [](char c) { return in_lower_case(c); });
  PARTITA_CHECK(check_signed_headers(signed_headers_, request.headers));
  PARTITA_TRY(const AccessKey* const key, find_key(claim));
  if (!is_signed_by(*key, request, claim)) {
    return invalid(
        "The request signature we calculated does not match the signature you provided. Check "
        "your AWS Secret Access Key and signing method. Consult the service documentation for "
        "details.");
  }
  const std::string_view token =
      claim.presigned ? claim.security_token : find_header(request.headers, "x-amz-security-token");
  if (!equal_secrets(token, key->session_token)) return unknown_client();
  return key;
}

}  // namespace partita
