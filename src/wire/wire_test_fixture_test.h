// Sends a body through dispatch and shows what came back.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "formats/padded_body_test.h"
#include "wire/dispatch.h"
#include "wire/recording_api_test.h"

namespace partita {

class WireTest : public testing::Test {
 protected:
  // The answer's body; its status is in `answer`.
  std::string send(std::string_view operation, std::string_view json) {
    const PaddedBody body(json);
    std::pmr::monotonic_buffer_resource memory;
    TextBuffer out;
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    answer = dispatch(api, {target, body.view()}, &memory, out);
    return std::string(out.view());
  }

  void expect_validation(std::string_view operation, std::string_view json,
                         std::string_view message) {
    const int calls = api.calls;
    EXPECT_EQ(send(operation, json),
              std::string("{\"__type\":\"com.amazon.coral.validate#ValidationException\","
                          "\"message\":\"")
                  .append(message)
                  .append("\"}"))
        << json;
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(api.calls, calls) << "the Api was called";
  }

  void expect_serialization(std::string_view operation, std::string_view json,
                            std::string_view message) {
    const int calls = api.calls;
    std::string expected = "{\"__type\":\"com.amazon.coral.service#SerializationException\"";
    if (!message.empty()) expected.append(",\"Message\":\"").append(message).append("\"");
    EXPECT_EQ(send(operation, json), expected + "}") << json;
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(api.calls, calls) << "the Api was called";
  }

  RecordingApi api;
  WireAnswer answer;
};

}  // namespace partita
