// Which engine a database stands on.
#pragma once

#include <memory>

#include "partita/options.h"
#include "partita/result.h"

#include "storage/engine.h"

namespace partita {

Result<std::unique_ptr<Engine>> open_engine(const Options& options);

}  // namespace partita
