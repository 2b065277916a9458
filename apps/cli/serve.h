// `partita serve`: a database behind DynamoDB's HTTP interface.
#pragma once

#include <string_view>
#include <vector>

namespace partita {

// Runs until a signal ends it. Returns the program's exit status: 0, 1 for a failure, 2 for usage.
int serve(const std::vector<std::string_view>& words);

}  // namespace partita
