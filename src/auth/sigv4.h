// AWS Signature Version 4: the text of a request that is signed, and the signing. Whoever verifies
// (the server) and whoever signs (a client) use the same functions.
//
//   canonical request := method LF path LF query LF { name ":" value LF } LF names LF body-hash
//   string to sign    := "AWS4-HMAC-SHA256" LF date-time LF scope LF hash of the canonical request
//   scope             := YYYYMMDD "/" region "/" service "/aws4_request"
//   signing key       := HMAC(HMAC(HMAC(HMAC("AWS4" secret, YYYYMMDD), region), service),
//                        "aws4_request")
//   signature         := hex of HMAC(signing key, string to sign)
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace partita {

inline constexpr std::string_view kSignatureAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kScopeTerminator = "aws4_request";

struct HeaderField {
  std::string_view name;  // in any case
  std::string_view value;
};

// The parts of a request that a signature speaks of.
struct RequestToSign {
  std::string_view method;
  std::string_view path = "/";
  std::string_view query;  // as it is sent, without "?"
  std::span<const HeaderField> headers;
  std::string_view body;
};

struct SignatureScope {
  std::string_view date;  // "20260131"
  std::string_view region;
  std::string_view service;
};

using Sha256Digest = std::array<unsigned char, 32>;
using HexDigest = std::array<char, 64>;
Sha256Digest sha256(std::string_view text);
HexDigest hexadecimal(const Sha256Digest& digest);

// A key for HMAC-SHA-256, prepared once for many texts.
class SigningKey {
 public:
  SigningKey() = default;  // of nobody
  SigningKey(std::string_view secret, const SignatureScope& scope);

  HexDigest sign(std::string_view text) const;

 private:
  explicit SigningKey(std::string_view key);
  Sha256Digest digest(std::string_view text) const;

  static constexpr std::size_t kHashStateBytes = 112;
  struct alignas(8) HashState {
    std::array<std::byte, kHashStateBytes> bytes{};
  };
  HashState inner_, outer_;  // after the padded key
};

// Appends the canonical request. `signed_headers` names what is signed, "a;b", in lower case. A
// parameter X-Amz-Signature of the query is left out.
void append_canonical_request(const RequestToSign& request, std::string_view signed_headers,
                              std::string& out);

void append_string_to_sign(std::string_view date_time, const SignatureScope& scope,
                           std::string_view canonical_request, std::string& out);

// The value of the Authorization header for a request that has `Host`, `X-Amz-Date` (whose value is
// `date_time`) and whatever else shall be sent already; all of them are signed.
std::string authorization_of(const RequestToSign& request, std::string_view access_key_id,
                             const SigningKey& key, std::string_view date_time,
                             const SignatureScope& scope);

// Takes as long for texts that differ as for those that do not.
bool equal_secrets(std::string_view one, std::string_view other);

}  // namespace partita
