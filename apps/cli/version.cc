#include "cli/version.h"

namespace partita {

std::string_view version() { return PARTITA_VERSION; }

}  // namespace partita
