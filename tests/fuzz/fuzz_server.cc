// A few requests, one after another, through the server's front door (HTTP head, route, decoding,
// operation, memory engine, encoding) into an empty database. Whatever comes: an answer of 200 or
// 400 whose body is JSON, and at the end every table holds as many items as it says.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "partita/database.h"

#include "expect.h"
#include "server/api_route.h"
#include "server/http_parser.h"
#include "server/metrics.h"
#include "server/operator_pages.h"
#include "wire/dispatch.h"

namespace partita {
constexpr std::size_t kRequestLinesMax = 12;
}
#include "request_fuzzer.h"

namespace partita {
namespace {

using Json = nlohmann::json;

class Client {
 public:
  explicit Client(Api& api) { admission_.api = &api; }

  // The status; `answer` is what was answered.
  int send(std::string_view operation, std::string_view body, Json& answer) {
    std::string bytes =
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-amz-json-1.0\r\n";
    bytes.append("X-Amz-Target: ").append(target_of(operation)).append("\r\n");
    bytes.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
    HttpParser parser;
    parser.reset();
    const std::size_t head_bytes = bytes.size();
    bytes.append(body);
    // Exactly as long as the server's buffer would be, so that reading beyond it is seen.
    const std::unique_ptr<char[]> buffer(new char[bytes.size() + kBodyPaddingBytes]);
    std::memcpy(buffer.get(), bytes.data(), bytes.size());
    std::memset(buffer.get() + bytes.size(), '"', kBodyPaddingBytes);
    if (parser.parse({buffer.get(), bytes.size()}) != HttpParser::Progress::Complete ||
        parser.head_bytes() != head_bytes) {
      return 400;  // a name that is no header value
    }
    std::pmr::monotonic_buffer_resource memory;
    TextBuffer out;
    const RouteAnswer routed = route(parser.head(), {buffer.get() + head_bytes, body.size()},
                                     admission_, {options_, pages_}, &memory, out);
    // TagResource and UntagResource answer nothing at all.
    if (routed.status == 200 && out.size() == 0) return 200;
    answer = Json::parse(out.view(), nullptr, /*allow_exceptions=*/false);
    expect(!answer.is_discarded(), "an answer is JSON");
    return routed.status;
  }

 private:
  ServerOptions options_;
  Admission admission_;
  ServerMetrics metrics_{1};
  OperatorPages pages_{options_, metrics_};
};

void expect_true_counts(Client& client) {
  Json names;
  expect(client.send("ListTables", "{}", names) == 200, "tables can be listed");
  for (const Json& name : names["TableNames"]) {
    Json description;
    expect(client.send("DescribeTable", Json{{"TableName", name}}.dump(), description) == 200,
           "a table that is listed can be described");
    if (description["Table"]["TableStatus"] != "ACTIVE") continue;
    std::int64_t count = 0;
    Json page;
    Json request{{"TableName", name}, {"Select", "COUNT"}};
    do {
      expect(client.send("Scan", request.dump(), page) == 200, "a table can be scanned");
      count += page["Count"].get<std::int64_t>();
      request["ExclusiveStartKey"] = page.value("LastEvaluatedKey", Json());
    } while (page.contains("LastEvaluatedKey"));
    expect(description["Table"]["ItemCount"] == count, "a table counts its items right");
  }
}

void run(std::string_view input) {
  const std::unique_ptr<Database> database = Database::in_memory();
  Client client(*database);
  std::size_t left = kRequestLinesMax;
  for (const RequestLine& line : request_lines(input)) {
    if (left-- == 0) break;
    Json answer;
    const int status = client.send(line.operation, line.body, answer);
    expect(status == 200 || status == 400, "bad input is the client's fault");
  }
  expect_true_counts(client);
}

}  // namespace
}  // namespace partita

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  partita::run(partita::input_text(data, size));
  return 0;
}
