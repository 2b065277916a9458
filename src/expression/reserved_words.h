// The 573 words that cannot be written as attribute names in an expression, in any case.
#pragma once

#include <span>
#include <string_view>

namespace partita {

bool is_reserved_word(std::string_view word);

std::span<const std::string_view> reserved_words();  // upper case, ascending

}  // namespace partita
