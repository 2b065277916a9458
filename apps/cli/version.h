// The version of this program, from the project() line of CMakeLists.txt.
#pragma once

#include <string_view>

namespace partita {

std::string_view version();

}  // namespace partita
