// ServedRequest: what is remembered of a request for metrics and logs until its answer may leave.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "partita/error.h"

#include "server/answer_head.h"
#include "wire/dispatch.h"

namespace partita {

struct ServedRequest {
  std::chrono::steady_clock::time_point began{};  // all of it has arrived
  RequestId id{};
  std::size_t operation = kNoOperation;  // an index for operation_names()
  std::optional<ErrorCode> error{};
  int status = 200;
  std::size_t bytes_in = 0;
  std::size_t bytes_out = 0;
};

}  // namespace partita
