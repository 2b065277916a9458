// Errors out of answers: the reverse of wire/error_json.h.
#pragma once

#include <string_view>

#include "partita/error.h"

namespace partita::client {

// `body` is followed by kJsonPaddingBytes readable bytes. What is no error of DynamoDB (a proxy's
// page, a type nobody knows) becomes one by its status, with what it said.
Error read_error(int status, std::string_view body);

// May the same request succeed a little later?
bool is_worth_another_attempt(ErrorCode code);

}  // namespace partita::client
