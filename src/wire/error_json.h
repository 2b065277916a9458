// Errors as DynamoDB sends them: {"__type": "…#ValidationException", "message": "…"}.
#pragma once

#include <string>
#include <string_view>

#include "partita/error.h"

namespace partita {

// Appends the body and returns the HTTP status.
int write_error(const Error& error, std::string& out);

}  // namespace partita
