// toml++ as this program uses it: errors are values, and its code is compiled once (toml.cc).
//
// Its own assertions are off: parse_key asserts what its next lines check, so a table header such
// as
// `[!` would stop the program instead of being refused with its line.
#pragma once

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_HEADER_ONLY 0
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
