// Arbitrary bodies, sent to every operation: whatever comes, there is an answer, it is JSON, and an
// item that was understood is written as JSON that is understood as the same item.
//
// input := operation SP body
//
// With PARTITA_FUZZ_OPERATION in the environment every body goes to that operation.

#include <cstdint>
#include <cstdlib>
#include <memory_resource>
#include <string>
#include <string_view>

#include "expect.h"
#include "formats/json_reader.h"
#include "formats/padded_body_test.h"
#include "formats/value_json.h"
#include "value/item_encoding.h"
#include "wire/dispatch.h"
#include "wire/recording_api_test.h"

namespace partita {
constexpr std::size_t kRequestLinesMax = 1;
}
#include "request_fuzzer.h"

namespace partita {
namespace {

void expect_same_after_json(ItemView item) {
  expect(check_item(item.bytes()).has_value(), "a decoded item is canonical");
  TextBuffer text;
  {
    JsonWriter json(text);
    write_json(json, item);
  }
  const PaddedBody body(text.view());
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  ItemWriter writer(&memory);
  ValueJsonReader reader(json, writer, &memory);
  json.open(body.view());
  reader.read_item();
  expect(json.finish().has_value() && !reader.error(), "a written item is read again");
  expect(writer.item() == item, "as the same item");
}

WriteItemResponse echo(ItemView item) {
  expect_same_after_json(item);
  WriteItemResponse response;
  response.attributes = Item(item);
  return response;
}

// Answers with what it was asked.
void teach_to_echo(RecordingApi& api) {
  api.on_put_item = [](const PutItemRequest& request) { return echo(request.item); };
  api.on_update_item = [](const UpdateItemRequest& request) { return echo(request.key); };
  api.on_delete_item = [](const DeleteItemRequest& request) { return echo(request.key); };
  api.on_scan = [](const ScanRequest& request) {
    ScanResponse response;
    if (request.exclusive_start_key) response.items.append(*request.exclusive_start_key);
    return response;
  };
  api.on_update_table = [](const UpdateTableRequest& request) {
    TableDescription description;
    description.table_name = request.table_name;
    if (request.attribute_definitions) {
      description.attribute_definitions = *request.attribute_definitions;
    }
    return description;
  };
}

void expect_json(std::string_view text) {
  const PaddedBody body(text);
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  json.open(body.view());
  json.skip_value();
  expect(json.finish().has_value(), "an answer is JSON");
}

void run(std::string_view input) {
  static const char* const chosen = std::getenv("PARTITA_FUZZ_OPERATION");
  const std::vector<RequestLine> lines = request_lines(input);
  if (lines.empty()) return;
  const std::string target = target_of(chosen != nullptr ? chosen : lines[0].operation);
  const PaddedBody body(lines[0].body);
  RecordingApi api;
  teach_to_echo(api);
  std::pmr::monotonic_buffer_resource memory;
  TextBuffer out;
  const WireAnswer answer = dispatch(api, {target, body.view()}, &memory, out);
  expect(answer.status == 200 || answer.status == 400, "bad input is the client's fault");
  expect((answer.status == 200) == (api.calls == 1), "only good input reaches the Api");
  // TagResource and UntagResource answer nothing at all.
  if (answer.status != 200 || out.size() != 0) expect_json(out.view());
}

}  // namespace
}  // namespace partita

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  partita::run(partita::input_text(data, size));
  return 0;
}
