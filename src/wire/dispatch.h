// AWS JSON 1.0 in, AWS JSON 1.0 out: decode, call the Api, encode.
#pragma once

#include <cstddef>
#include <limits>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "partita/api.h"

#include "base/text_buffer.h"
#include "wire/error_json.h"

namespace partita {

// simdjson reads beyond the end: this many bytes after the body must be readable.
inline constexpr std::size_t kBodyPaddingBytes = 64;

struct WireRequest {
  std::string_view target;  // X-Amz-Target: "DynamoDB_20120810.PutItem"
  std::string_view body;    // followed by kBodyPaddingBytes readable bytes
  std::string_view host{};  // where the client found us; empty if it is in this process
};

// The names of all operations, in an order that holds while the program runs.
std::span<const std::string_view> operation_names();
// "DynamoDB_20120810.PutItem"; operations on streams belong to a service of their own.
std::string target_of(std::string_view operation);
inline constexpr std::size_t kNoOperation = std::numeric_limits<std::size_t>::max();

struct WireAnswer {
  int status = 200;
  // The answer must not leave before this is durable (Api::when_durable). Filled for errors too.
  DurabilityTicket ticket;
  std::size_t operation = kNoOperation;  // an index for operation_names()
  std::optional<ErrorCode> error{};      // why the status is not 200
};

// Appends the answer's JSON body to `out`. `memory` is the request's arena. Never throws. For an
// error that the server itself found (too large a body, no target, a failed sync) there is
// write_error.
WireAnswer dispatch(Api& api, const WireRequest& request, std::pmr::memory_resource* memory,
                    TextBuffer& out);

// Answers a request that is not to be served: with `refusal`, unless its body is no JSON or nobody
// knows its operation, which AWS tells first.
WireAnswer refuse(const WireRequest& request, const Error& refusal,
                  std::pmr::memory_resource* memory, TextBuffer& out);

}  // namespace partita
