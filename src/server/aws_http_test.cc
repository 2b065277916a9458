// HTTP as AWS speaks it: the order of faults, CORS, compressed bodies.
#include <string>

#include <gtest/gtest.h>
#include <libdeflate.h>

#include "server/content_coding.h"
#include "server/server_fixture.h"

namespace partita {
namespace {

class AwsHttpTest : public ServerTest {};

// What dynalite recorded from AWS: a body that is no JSON is told before an unknown operation, and
// that before a missing signature.
TEST_F(AwsHttpTest, faults_are_found_in_the_order_of_aws) {
  start();
  TestClient client = connect();
  const auto type_of = [&](std::string_view headers, std::string_view body) {
    client.send("POST / HTTP/1.1\r\nHost: h\r\n" + std::string(headers) +
                "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
    const TestAnswer answer = client.receive();
    EXPECT_EQ(answer.status, 400);
    const std::size_t hash = answer.body.find('#');
    return answer.header("content-type") + " " +
           answer.body.substr(hash + 1, answer.body.find('"', hash) - hash - 1);
  };
  const std::string json = "Content-Type: application/json\r\n";
  const std::string target = "X-Amz-Target: DynamoDB_20120810.ListTables\r\n";
  EXPECT_EQ(type_of(json, "hi"), "application/json SerializationException");
  EXPECT_EQ(type_of("Content-Type: application/x-amz-json-1.0;x\r\n", "hi"),
            "application/x-amz-json-1.0 SerializationException");
  EXPECT_EQ(type_of(json + target, "hi"), "application/json SerializationException");
  EXPECT_EQ(type_of("", ""), "application/json UnknownOperationException");
  EXPECT_EQ(type_of(json, "{}"), "application/json UnknownOperationException");
  EXPECT_EQ(type_of(target, ""), "application/json MissingAuthenticationTokenException");
  EXPECT_EQ(type_of(json + target, "{}"), "application/json MissingAuthenticationTokenException");
  EXPECT_EQ(type_of(target + "Authorization: AWS4-\r\n", ""),
            "application/json IncompleteSignatureException");
  EXPECT_EQ(type_of(json + target + std::string(kSignatureHeaders), ""),
            "application/json SerializationException");
  client.send("POST /?X-Amz-Algorithm HTTP/1.1\r\nHost: h\r\nAuthorization: X\r\n" + target +
              "Content-Length: 0\r\n\r\n");
  EXPECT_NE(client.receive().body.find("#InvalidSignatureException"), std::string::npos);
}

TEST_F(AwsHttpTest, unsigned_requests_are_served_where_that_is_wanted) {
  serve_unsigned_ = true;
  start();
  TestClient client = connect();
  client.send(
      "POST / HTTP/1.1\r\nHost: h\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(client.receive().status, 200);
}

TEST_F(AwsHttpTest, web_pages_of_any_origin_may_ask_as_on_aws) {
  start();
  TestClient client = connect();
  client.send(
      "OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://page\r\n"
      "Access-Control-Request-Headers: a, b, c\r\nAccess-Control-Request-Method: d\r\n\r\n" +
      list_tables());
  const TestAnswer preflight = client.receive();
  EXPECT_EQ(preflight.status, 200);
  EXPECT_EQ(preflight.header("access-control-allow-origin"), "*");
  EXPECT_EQ(preflight.header("access-control-allow-headers"), "a, b, c");
  EXPECT_EQ(preflight.header("access-control-allow-methods"), "d");
  EXPECT_EQ(preflight.header("access-control-max-age"), "172800");
  EXPECT_EQ(preflight.header("content-length"), "0");
  EXPECT_EQ(preflight.header("x-amzn-requestid").size(), 52U);
  const TestAnswer plain = client.receive();  // no origin, no such headers
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.head.find("Access-Control"), std::string::npos);

  std::string crossing = list_tables();
  crossing.insert(crossing.find("\r\n") + 2, "Origin: http://page\r\n");
  client.send(crossing + "GET / HTTP/1.1\r\nHost: h\r\nOrigin: x\r\n\r\n");
  for (const TestAnswer& answer : {client.receive(), client.receive()}) {
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.header("access-control-allow-origin"), "*");
    EXPECT_NE(answer.header("access-control-expose-headers"), "");
    EXPECT_EQ(answer.header("access-control-max-age"), "");
  }
  client.send("GET /metrics HTTP/1.1\r\nHost: h\r\nOrigin: x\r\n\r\n");
  EXPECT_EQ(client.receive().head.find("Access-Control"), std::string::npos);
}

std::string gzip(std::string_view text) {
  TextBuffer buffer;
  buffer.append(std::string(4096, ' ')).append(text);  // blanks, so that it shrinks
  EXPECT_TRUE(encode_content(ContentCoding::Gzip, 0, buffer));
  return std::string(buffer.view());
}

TEST_F(AwsHttpTest, compressed_requests_are_served) {
  start();
  TestClient client = connect();
  const auto status_of = [&](std::string_view coding, std::string_view body) {
    client.send(
        post_head("DynamoDB_20120810.ListTables") + "Content-Encoding: " + std::string(coding) +
        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
    return client.receive().status;
  };
  EXPECT_EQ(status_of("gzip", gzip("{}")), 200);
  EXPECT_EQ(status_of("gzip", gzip("{") + gzip("}")), 200);
  EXPECT_EQ(status_of("gzip", gzip("{")), 400);
  EXPECT_EQ(status_of("identity", "{}"), 200);
  // AWS calls these its own fault.
  EXPECT_EQ(status_of("gzip", "{}"), 500);
  EXPECT_EQ(status_of("gzip", ""), 500);
  EXPECT_EQ(status_of("garbage", "{}"), 500);
  const std::string bomb(20 * 1024 * 1024, ' ');
  EXPECT_EQ(status_of("gzip", gzip(bomb)), 413);
}

TEST_F(AwsHttpTest, large_answers_are_compressed_for_those_who_ask) {
  api_.set_table_name(std::string(5000, 'x'));
  start();
  TestClient client = connect();
  client.send(list_tables());
  const TestAnswer plain = client.receive();
  EXPECT_EQ(plain.header("content-encoding"), "");
  std::string asking = list_tables();
  asking.insert(asking.find("\r\n") + 2, "Accept-Encoding: gzip, deflate\r\n");
  client.send(asking);
  const TestAnswer coded = client.receive();
  EXPECT_EQ(coded.header("content-encoding"), "gzip");
  TextBuffer text;
  ASSERT_EQ(decode_content(ContentCoding::Gzip, coded.body, 10'000, text), Decoding::Done);
  EXPECT_EQ(text.view(), plain.body);
  // The checksum is that of the bytes on the wire; SDKs compare it before they decompress.
  EXPECT_EQ(coded.header("x-amz-crc32"),
            std::to_string(libdeflate_crc32(0, coded.body.data(), coded.body.size())));
}

TEST_F(AwsHttpTest, of_several_wishes_for_compression_the_first_counts) {
  api_.set_table_name(std::string(5000, 'x'));
  start();
  TestClient client = connect();
  const auto coding_for = [&](std::string_view first, std::string_view second) {
    std::string asking = list_tables();
    asking.insert(asking.find("\r\n") + 2, std::string("Accept-Encoding: ").append(first) +
                                               "\r\nAccept-Encoding: " + std::string(second) +
                                               "\r\n");
    client.send(asking);
    return client.receive().header("content-encoding");
  };
  EXPECT_EQ(coding_for("gzip", "identity"), "gzip");
  EXPECT_EQ(coding_for("identity", "gzip"), "");
}

}  // namespace
}  // namespace partita
