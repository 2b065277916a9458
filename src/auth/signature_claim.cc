#include "auth/signature_claim.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/ascii_text.h"

namespace partita {
namespace {

constexpr std::string_view kAlgorithmName = "X-Amz-Algorithm";
constexpr std::string_view kHeaderPrefix = "AWS4-";

Error missing_token() {
  return Error(ErrorCode::MissingAuthenticationToken, "Request is missing Authentication Token");
}

bool is_separator(char c) { return c == ',' || c == ' '; }

// Calls `use` with the place of each comma and blank, as long as it returns true; whether it did.
template <typename Use>
bool for_each_separator(std::string_view text, Use use) {
  std::size_t at = 0;
#if defined(__SSE2__)
  for (; text.size() - at >= 16; at += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i found = _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8(',')),
                                       _mm_cmpeq_epi8(block, _mm_set1_epi8(' ')));
    for (auto left = static_cast<unsigned>(_mm_movemask_epi8(found)); left != 0; left &= left - 1) {
      if (!use(at + static_cast<std::size_t>(std::countr_zero(left)))) return false;
    }
  }
#endif
  for (; at < text.size(); ++at) {
    if (is_separator(text[at]) && !use(at)) return false;
  }
  return true;
}

// The way all SDKs write the header. Every request has one, so it is looked at once and as a whole:
//   AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...
bool is_usual_header(std::string_view authorization) {
  constexpr std::string_view separators = " , , ";
  std::array<std::size_t, separators.size()> places{};
  std::size_t count = 0;
  const bool usual = for_each_separator(authorization, [&](std::size_t at) {
    if (count == separators.size() || authorization[at] != separators[count]) return false;
    places[count++] = at;
    return true;
  });
  if (!usual || count != separators.size()) return false;
  if (places[2] != places[1] + 1 || places[4] != places[3] + 1) return false;
  // Something follows the name.
  const auto is_given = [&](std::size_t start, std::size_t end, std::string_view name) {
    return end - start > name.size() && authorization.substr(start, name.size()) == name;
  };
  return is_given(0, places[0] + 1, kHeaderPrefix) &&
         is_given(places[0] + 1, places[1], "Credential=") &&
         is_given(places[2] + 1, places[3], "SignedHeaders=") &&
         is_given(places[4] + 1, authorization.size(), "Signature=");
}

struct Parameter {
  std::string_view name;
  std::string_view& value;
  bool required = true;
};

// The next of what follows the algorithm, separated by commas, blanks or both; empty at the end.
std::string_view next_word(std::string_view& rest) {
  const char* start = rest.data();
  const char* const end = start + rest.size();
  while (start != end && is_separator(*start)) ++start;
  const char* stop = start;
  while (stop != end && !is_separator(*stop)) ++stop;
  rest = {stop, static_cast<std::size_t>(end - stop)};
  return {start, static_cast<std::size_t>(stop - start)};
}

Result<void> take_words(std::string_view authorization, std::span<const Parameter> parameters) {
  std::string_view rest = authorization;
  next_word(rest);  // the algorithm
  for (std::string_view word; !(word = next_word(rest)).empty();) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      return incomplete_signature(
          "'" + std::string(word) +
          "' not a valid key=value pair (missing equal-sign) in Authorization "
          "header: '" +
          std::string(authorization) + "'.");
    }
    for (const Parameter& parameter : parameters) {
      if (word.substr(0, equals) != parameter.name) continue;
      if (!parameter.value.empty()) {  // which of the two is meant?
        return incomplete_signature("Authorization header has more than one '" +
                                    std::string(parameter.name) + "' parameter.");
      }
      parameter.value = word.substr(equals + 1);
    }
  }
  return {};
}

Result<SignatureClaim> read_header(const ClaimPlaces& places) {
  const std::string_view authorization = trimmed(places.authorization, " ");
  if (!authorization.starts_with(kHeaderPrefix)) return missing_token();
  SignatureClaim claim;
  claim.algorithm = authorization.substr(0, authorization.find_first_of(", "));
  claim.date = places.date;
  const std::array<Parameter, 3> parameters = {Parameter{"Credential", claim.credential},
                                               {"Signature", claim.signature},
                                               {"SignedHeaders", claim.signed_headers}};
  PARTITA_CHECK(take_words(authorization, parameters));
  if (!claim.credential.empty() && !claim.signature.empty() && !claim.signed_headers.empty() &&
      !claim.date.empty()) [[likely]] {
    return claim;
  }
  std::string problems;
  for (const Parameter& parameter : parameters) {
    if (!parameter.value.empty()) continue;
    problems += "Authorization header requires '" + std::string(parameter.name) + "' parameter. ";
  }
  if (claim.date.empty()) {
    problems +=
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  }
  return incomplete_signature(problems + "Authorization=" + std::string(authorization));
}

Result<SignatureClaim> read_query(std::vector<QueryPair> pairs) {
  SignatureClaim claim;
  claim.presigned = true;
  claim.pairs = std::move(pairs);
  const std::array<Parameter, 7> parameters = {
      Parameter{kAlgorithmName, claim.algorithm},
      {"X-Amz-Credential", claim.credential},
      {"X-Amz-Signature", claim.signature},
      {"X-Amz-SignedHeaders", claim.signed_headers},
      {"X-Amz-Date", claim.date},
      {"X-Amz-Expires", claim.expires, false},
      {"X-Amz-Security-Token", claim.security_token, false}};
  std::string problems;
  for (const Parameter& parameter : parameters) {
    for (const QueryPair& given : claim.pairs) {
      if (given.name != parameter.name) continue;
      if (!parameter.value.empty()) {
        return incomplete_signature("AWS query-string parameters must include '" +
                                    std::string(parameter.name) + "' once.");
      }
      parameter.value = given.value;
    }
    if (parameter.required && parameter.value.empty()) {
      problems +=
          "AWS query-string parameters must include '" + std::string(parameter.name) + "'. ";
    }
  }
  if (!problems.empty())
    return incomplete_signature(problems + "Re-examine the query-string parameters.");
  return claim;
}

bool names_algorithm(const std::vector<QueryPair>& pairs) {
  for (const QueryPair& pair : pairs) {
    if (pair.name == kAlgorithmName) return true;
  }
  return false;
}

}  // namespace

Error incomplete_signature(std::string message) {
  return Error(ErrorCode::IncompleteSignature, std::move(message));
}

Result<void> check_claim(const ClaimPlaces& places) {
  if (places.query.empty() && !places.date.empty() && is_usual_header(places.authorization))
      [[likely]] {
    return {};
  }
  PARTITA_CHECK(read_claim(places));
  return {};
}

Result<SignatureClaim> read_claim(const ClaimPlaces& places) {
  std::vector<QueryPair> pairs = query_pairs(places.query);
  if (!names_algorithm(pairs)) return read_header(places);
  if (!places.authorization.empty()) {
    return Error(ErrorCode::InvalidSignature,
                 "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
                 "header.");
  }
  return read_query(std::move(pairs));
}

}  // namespace partita
