// Errors as DynamoDB sends them: {"__type": "…#ValidationException", "message": "…"}.
#pragma once

#include <string>
#include <string_view>

#include "partita/error.h"

#include "base/text_buffer.h"

namespace partita {

// Appends the body and returns the HTTP status.
int write_error(const Error& error, TextBuffer& out);

// "ValidationException" and the like: how clients know the code, for metrics and logs.
std::string_view error_name(ErrorCode code);
int error_status(ErrorCode code);

}  // namespace partita
