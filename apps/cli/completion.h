// `partita completion SHELL`: lets a shell complete commands, flags and their values.
#pragma once

#include <string>
#include <string_view>

#include "partita/result.h"

namespace partita {

// The script for this shell. Fails with one sentence for the user.
Result<std::string> completion_script(std::string_view shell);

}  // namespace partita
