#include "server/content_coding.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace partita {
namespace {

std::string encoded(ContentCoding coding, std::string_view text) {
  TextBuffer buffer;
  buffer.append(text);
  EXPECT_TRUE(encode_content(coding, 0, buffer));
  return std::string(buffer.view());
}

Decoding decode(ContentCoding coding, std::string_view body, std::string& text,
                std::size_t bytes_max = 1'000'000) {
  TextBuffer out;
  const Decoding decoding = decode_content(coding, body, bytes_max, out);
  text = out.view();
  return decoding;
}

const std::string kText = std::string(5000, 'x') + "the end";

TEST(ContentCoding, what_is_encoded_can_be_decoded) {
  for (const ContentCoding coding : {ContentCoding::Gzip, ContentCoding::Deflate}) {
    const std::string body = encoded(coding, kText);
    EXPECT_LT(body.size(), 200U);
    std::string text;
    EXPECT_EQ(decode(coding, body, text), Decoding::Done);
    EXPECT_EQ(text, kText);
    EXPECT_EQ(decode(coding, body.substr(0, body.size() - 1), text), Decoding::Malformed);
    EXPECT_EQ(decode(coding, "", text), Decoding::Malformed);
    EXPECT_EQ(decode(coding, "{}", text), Decoding::Malformed);
  }
}

TEST(ContentCoding, what_stands_before_the_start_stays) {
  TextBuffer buffer;
  buffer.append("head").append(kText);
  ASSERT_TRUE(encode_content(ContentCoding::Gzip, 4, buffer));
  EXPECT_EQ(buffer.view().substr(0, 4), "head");
  std::string text;
  EXPECT_EQ(decode(ContentCoding::Gzip, buffer.view().substr(4), text), Decoding::Done);
  EXPECT_EQ(text, kText);
}

TEST(ContentCoding, members_of_gzip_are_one_body_and_junk_behind_them_is_ignored) {
  const std::string two =
      encoded(ContentCoding::Gzip, kText) + encoded(ContentCoding::Gzip, kText + "2");
  std::string text;
  EXPECT_EQ(decode(ContentCoding::Gzip, two, text), Decoding::Done);
  EXPECT_EQ(text, kText + kText + "2");
  EXPECT_EQ(decode(ContentCoding::Gzip, two + "junk", text), Decoding::Done);
  EXPECT_EQ(text, kText + kText + "2");
}

TEST(ContentCoding, a_body_grows_no_larger_than_its_limit) {
  const std::string bomb = encoded(ContentCoding::Gzip, std::string(3'000'000, ' '));
  EXPECT_LT(bomb.size(), 20'000U);
  std::string text;
  EXPECT_EQ(decode(ContentCoding::Gzip, bomb, text), Decoding::TooLarge);
  EXPECT_EQ(decode(ContentCoding::Gzip, bomb, text, 3'000'000), Decoding::Done);
  EXPECT_EQ(decode(ContentCoding::Gzip, bomb, text, 2'999'999), Decoding::TooLarge);
  // Many small members are one large body.
  std::string members;
  for (int i = 0; i < 300; ++i) members += encoded(ContentCoding::Gzip, kText);
  EXPECT_EQ(decode(ContentCoding::Gzip, members, text), Decoding::TooLarge);
}

TEST(ContentCoding, what_does_not_shrink_stays_as_it_is) {
  std::string noise;
  unsigned state = 1;
  for (int i = 0; i < 5000; ++i) noise += static_cast<char>((state = state * 1664525 + 1) >> 24);
  TextBuffer buffer;
  buffer.append(noise);
  EXPECT_FALSE(encode_content(ContentCoding::Gzip, 0, buffer));
  EXPECT_EQ(buffer.view(), noise);
}

TEST(ContentCoding, the_client_chooses_as_on_aws) {
  using enum ContentCoding;
  for (const auto& [header, coding] : std::vector<std::pair<std::string_view, ContentCoding>>{
           {"", Identity},
           {"identity", Identity},
           {"br", Identity},
           {"x-gzip", Identity},
           {"gzip", Gzip},
           {"deflate", Deflate},
           {"gzip, deflate", Gzip},
           {"br, identity, deflate, gzip", Deflate},
           {"GZIP, identity", Gzip},
           {"dog, gzip ,, cat", Gzip},
           {"gzip;q=0.8, deflate;q=0.5", Gzip},
           {"br, gzip;q=0, deflate; q = 0.5 , identity;q=0", Deflate},
           {"*", Gzip},
           {"*, deflate;q=0.5", Gzip},
           {"*, deflate", Deflate},
           {"*, identity", Gzip},
           {"*, gzip;q=0.5", Deflate},
           {"gzip ;q=0", Identity},
           {"identity;q=0", Identity},
           {"*;q=0", Identity},
           {"*;q=0.5,identity", Gzip},
           {"gzip;q=0.5,identity;q=0.8", Gzip},
           {"br;q=0.8,identity;q=0.5,*;q=0", Identity},
           {"\"gzip\"", Identity},
           {"gzip br", Identity},
           {"gzip:q=1", Identity},
           {"deflate;q=0.5, gzip;q=31", Gzip},
           {"gzip;q=31,deflate;q=51", Gzip},
           {"deflate;q=0.5, gzip;q=0.2", Deflate},
           {"deflate;q=0.5, gzip;q=1;q=0.2", Gzip},
           {"deflate;q=0.5,gzip;q=0.", Deflate},
           {"deflate;q=0.5,gzip;q=0.x", Gzip},
           {"deflate;q=-0.5,gzip;q=0.2", Gzip},
           {"deflate;q=0.5,gzip;q=0. x", Gzip},
           {"gzip;q= 0;q=1", Identity},
           {"gzip;q =0;q=1", Gzip},
           {"gzip; q=0;q=1", Identity},
           {"gzip;nq=0;q=1", Identity},
           {"gzip;q=0, gzip;q=1, gzip;q=0", Gzip},
           {"br,identity;q=0.5,gzip;q=0.0001", Gzip}}) {
    EXPECT_EQ(chosen_coding(header), coding) << header;
  }
}

TEST(ContentCoding, names_are_found_whatever_their_case) {
  EXPECT_EQ(find_coding(""), ContentCoding::Identity);
  EXPECT_EQ(find_coding("GZip"), ContentCoding::Gzip);
  EXPECT_EQ(find_coding("deflate"), ContentCoding::Deflate);
  EXPECT_EQ(find_coding("garbage"), std::nullopt);
  EXPECT_EQ(find_coding("gzip, gzip"), std::nullopt);
}

}  // namespace
}  // namespace partita
