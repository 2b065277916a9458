// Percent-encoding as AWS Signature Version 4 wants it, and the pairs of a query.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace partita {

// Appends `text` with every byte but letters, digits, "-._~" and those of `kept` as %XX.
void append_uri_encoded(std::string_view text, std::string_view kept, std::string& out);

// "%41b" → "Ab". A percent sign that no two hexadecimal digits follow stays as it is.
std::string uri_decoded(std::string_view text);

struct QueryPair {
  std::string name;
  std::string value;
};

// The pairs of "a=1&b&c=%20", decoded, in their order. "" has none.
std::vector<QueryPair> query_pairs(std::string_view query);

}  // namespace partita
