// Is this text UTF-8, as Unicode defines it: no overlong forms, no surrogates, nothing past
// U+10FFFF?
#pragma once

#include <string_view>

namespace partita {

bool is_utf8(std::string_view text);

}  // namespace partita
