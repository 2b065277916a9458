// Signatures made of arbitrary bytes: nobody without the secret gets in, and a claim is complete
// for the quick check exactly when it is for the reading one.
//
// input := Authorization LF query LF date LF body
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "auth/signature_claim.h"
#include "auth/verifier.h"
#include "expect.h"

namespace {

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace partita;
  static const AccessKeys keys("us-east-1", {{"KEY", "a secret of thirty-two characters", ""},
                                             {"TOKEN", "another one, and not a short one", "t"}});
  static SignatureVerifier verifier(keys);
  constexpr std::time_t kNow = 1767225600;  // 2026-01-01 00:00:00

  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view authorization = next_line(rest);
  const std::string_view query = next_line(rest);
  const std::string_view date = next_line(rest);
  const ClaimPlaces places{authorization, query, date};
  const bool complete = read_claim(places).has_value();
  expect(check_claim(places).has_value() == complete, "both checks find the same");

  const std::vector<HeaderField> headers = {{"Host", "h"},
                                            {"X-Amz-Date", date},
                                            {"X-Amz-Target", "DynamoDB_20120810.ListTables"},
                                            {"Authorization", authorization}};
  const RequestToSign request{"POST", "/", query, headers, rest};
  const auto verified = verifier.verify(request, places, kNow);
  expect(!verified, "nobody without the secret gets in");
  expect(verified.error().message().find("secret") == std::string::npos ||
             authorization.find("secret") != std::string_view::npos ||
             query.find("secret") != std::string_view::npos ||
             date.find("secret") != std::string_view::npos,
         "no answer holds a secret");
  std::string canonical;
  append_canonical_request(request, authorization, canonical);
  return 0;
}
