// The memory engine: everything in ordered copy-on-write trees, nothing on disk.
//
// Views and forks cost a pointer per stripe. docs/decisions/0003-memory-engine.md says why it is
// built as it is.
#pragma once

#include <memory>

#include "storage/engine.h"

namespace partita {

std::unique_ptr<Engine> make_memory_engine();

}  // namespace partita
