// Compressed bodies of arbitrary bytes: what comes out stays within its limit, and what is
// compressed comes out again.
//
// input := u8 coding, then the body
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "expect.h"
#include "server/content_coding.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace partita;
  if (size == 0) return 0;
  constexpr std::size_t kBytesMax = 300'000;
  const ContentCoding coding = data[0] % 2 == 0 ? ContentCoding::Gzip : ContentCoding::Deflate;
  // Exactly as long as the body, so that AddressSanitizer sees any step beyond.
  const auto copy = std::make_unique<char[]>(size - 1);
  std::memcpy(copy.get(), data + 1, size - 1);
  const std::string_view body(copy.get(), size - 1);

  TextBuffer decoded;
  decode_content(coding, body, kBytesMax, decoded);
  expect(decoded.size() <= kBytesMax, "a body stays within its limit");

  TextBuffer coded;
  coded.append(body);
  if (encode_content(coding, 0, coded)) {
    TextBuffer again;
    expect(decode_content(coding, coded.view(), kBytesMax, again) == Decoding::Done ||
               body.size() > kBytesMax,
           "what is compressed can be decompressed");
    expect(again.view() == body || body.size() > kBytesMax, "and is the same");
  }
  static_cast<void>(chosen_coding(body));
  return 0;
}
