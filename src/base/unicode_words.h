// Letters, digits and spaces of every script.
#pragma once

#include <string_view>

namespace partita {

// Is each character of this UTF-8 text a letter, a number or a separator (Unicode's categories L, N
// and Z), or one of `others`, which are ASCII? No for text that is not UTF-8.
bool has_only_words(std::string_view text, std::string_view others);

}  // namespace partita
