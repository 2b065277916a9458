#include "auth/sigv4.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

// The digest functions of OpenSSL 3 look their algorithm up for every text, which takes longer than
// to digest what is signed here; these do not.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "auth/uri_text.h"
#include "base/ascii_text.h"

namespace partita {
namespace {

constexpr std::size_t kBlockBytes = 64;

std::string_view text_of(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Without blanks at the ends, and with one in place of several.
void append_header_value(std::string_view value, std::string& out) {
  while (!value.empty() && is_blank(value.front())) value.remove_prefix(1);
  while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
  if (value.find("  ") == std::string_view::npos && value.find('\t') == std::string_view::npos) {
    out += value;
    return;
  }
  bool after_blank = false;
  for (const char c : value) {
    if (!is_blank(c) || !after_blank) out += is_blank(c) ? ' ' : c;
    after_blank = is_blank(c);
  }
}

void append_canonical_query(std::string_view query, std::string& out) {
  std::vector<std::pair<std::string, std::string>> encoded;
  for (const QueryPair& pair : query_pairs(query)) {
    if (pair.name == "X-Amz-Signature") continue;
    auto& [name, value] = encoded.emplace_back();
    append_uri_encoded(pair.name, "", name);
    append_uri_encoded(pair.value, "", value);
  }
  std::sort(encoded.begin(), encoded.end());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (i > 0) out += '&';
    out.append(encoded[i].first).append("=").append(encoded[i].second);
  }
}

// "name:value,value\n": what is sent several times is one list.
void append_canonical_header(std::string_view lower_name, std::span<const HeaderField> headers,
                             std::string& out) {
  out.append(lower_name).append(":");
  bool first = true;
  for (const HeaderField& header : headers) {
    if (!equals_ignoring_case(header.name, lower_name)) continue;
    if (!std::exchange(first, false)) out += ',';
    append_header_value(header.value, out);
  }
  out += '\n';
}

void append_scope(const SignatureScope& scope, std::string& out) {
  out.append(scope.date).append("/").append(scope.region).append("/").append(scope.service);
  out.append("/").append(kScopeTerminator);
}

void append(const HexDigest& digest, std::string& out) { out.append(digest.data(), digest.size()); }

}  // namespace

Sha256Digest sha256(std::string_view text) {
  Sha256Digest digest;
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, text.data(), text.size());
  SHA256_Final(digest.data(), &state);
  return digest;
}

HexDigest hexadecimal(const Sha256Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  HexDigest text;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    text[2 * i] = digits[digest[i] >> 4];
    text[2 * i + 1] = digits[digest[i] & 15];
  }
  return text;
}

SigningKey::SigningKey(std::string_view key) {
  static_assert(sizeof(HashState) == sizeof(SHA256_CTX));
  std::array<unsigned char, kBlockBytes> padded{};
  if (key.size() > padded.size()) {
    const Sha256Digest digest = sha256(key);
    std::copy(digest.begin(), digest.end(), padded.begin());
  } else {
    std::copy(key.begin(), key.end(), padded.begin());
  }
  const auto start = [&padded](unsigned char pad, HashState& kept) {
    std::array<unsigned char, kBlockBytes> block;
    for (std::size_t i = 0; i < block.size(); ++i) {
      block[i] = static_cast<unsigned char>(padded[i] ^ pad);
    }
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, block.data(), block.size());
    std::memcpy(kept.bytes.data(), &state, sizeof state);
    OPENSSL_cleanse(block.data(), block.size());
  };
  start(0x36, inner_);
  start(0x5C, outer_);
  OPENSSL_cleanse(padded.data(), padded.size());
}

Sha256Digest SigningKey::digest(std::string_view text) const {
  Sha256Digest result;
  SHA256_CTX state;
  std::memcpy(&state, inner_.bytes.data(), sizeof state);
  SHA256_Update(&state, text.data(), text.size());
  SHA256_Final(result.data(), &state);
  std::memcpy(&state, outer_.bytes.data(), sizeof state);
  SHA256_Update(&state, result.data(), result.size());
  SHA256_Final(result.data(), &state);
  return result;
}

SigningKey::SigningKey(std::string_view secret, const SignatureScope& scope) {
  std::string first = "AWS4" + std::string(secret);
  SigningKey key{std::string_view(first)};
  OPENSSL_cleanse(first.data(), first.size());
  for (const std::string_view part : {scope.date, scope.region, scope.service, kScopeTerminator}) {
    const Sha256Digest next = key.digest(part);
    key = SigningKey(text_of(next));
  }
  *this = key;
}

HexDigest SigningKey::sign(std::string_view text) const { return hexadecimal(digest(text)); }

void append_canonical_request(const RequestToSign& request, std::string_view signed_headers,
                              std::string& out) {
  out.append(request.method).append("\n");
  append_uri_encoded(request.path, "/", out);
  out += '\n';
  if (!request.query.empty()) append_canonical_query(request.query, out);
  out += '\n';
  for (std::string_view rest = signed_headers; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    append_canonical_header(rest.substr(0, end), request.headers, out);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  out.append("\n").append(signed_headers).append("\n");
  append(hexadecimal(sha256(request.body)), out);
}

void append_string_to_sign(std::string_view date_time, const SignatureScope& scope,
                           std::string_view canonical_request, std::string& out) {
  out.append(kSignatureAlgorithm).append("\n").append(date_time).append("\n");
  append_scope(scope, out);
  out += '\n';
  append(hexadecimal(sha256(canonical_request)), out);
}

std::string authorization_of(const RequestToSign& request, std::string_view access_key_id,
                             const SigningKey& key, std::string_view date_time,
                             const SignatureScope& scope) {
  std::vector<std::string> names;
  for (const HeaderField& header : request.headers) {
    std::string& name = names.emplace_back(header.name);
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return in_lower_case(c); });
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string signed_headers;
  for (const std::string& name : names) {
    signed_headers.append(signed_headers.empty() ? "" : ";").append(name);
  }

  std::string canonical, to_sign;
  append_canonical_request(request, signed_headers, canonical);
  append_string_to_sign(date_time, scope, canonical, to_sign);
  std::string authorization(kSignatureAlgorithm);
  authorization.append(" Credential=").append(access_key_id).append("/");
  append_scope(scope, authorization);
  authorization.append(", SignedHeaders=").append(signed_headers).append(", Signature=");
  append(key.sign(to_sign), authorization);
  return authorization;
}

bool equal_secrets(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace partita
