#include "base/base64.h"

#include <random>

#include <gtest/gtest.h>

namespace partita {
namespace {

std::string encoded(std::string_view bytes) {
  std::string out;
  append_base64(bytes, out);
  return out;
}

bool refused(std::string_view text) {
  std::string out = "kept";
  return !append_decoded_base64(text, out) && out == "kept";
}

TEST(Base64, encodes_the_vectors_of_rfc_4648) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xFB\xFF\xFE"), "+//+");
}

TEST(Base64, refuses_what_is_not_padded_standard_base64) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zg=a", "Z=g=", "Zm9v=", "Zm 9v", "Zm9v\n",
        "Zm9-", "Zm9_", "Zm9vZg=a", "Zg==Zm9v", "Zm\xC3\xA4v"}) {
    EXPECT_TRUE(refused(text)) << text;
  }
}

TEST(Base64, refuses_bits_beyond_the_last_byte) {
  EXPECT_TRUE(refused("Zh=="));
  EXPECT_TRUE(refused("Zm9="));
}

TEST(Base64, decodes_what_it_encodes) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (std::size_t length = 0; length < 200; ++length) {
    std::string bytes(length, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    std::string decoded = "before";
    ASSERT_TRUE(append_decoded_base64(encoded(bytes), decoded));
    EXPECT_EQ(decoded, "before" + bytes);
  }
}

}  // namespace
}  // namespace partita
