// `partita clock`: shows and moves the clock of a running server, through its admin API.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace partita {

std::string clock_help();
// Returns the program's exit status: 0, 1 for a failure, 2 for usage.
int clock(const std::vector<std::string_view>& words);

}  // namespace partita
