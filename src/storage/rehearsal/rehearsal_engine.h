// The rehearsal engine: the memory engine, made to behave like a store across a network. For tests.
//
// It has no views and no forks, calls commits over several partitions expensive, answers Conflict
// without cause, reads forward only and makes things durable a little later, from another thread.
// What works on it assumes nothing that only one machine can promise.
#pragma once

#include <cstdint>
#include <memory>

#include "storage/engine.h"

namespace partita {

// Of a hundred commits so many are answered Conflict before anything happens; which, the seed
// decides.
std::unique_ptr<Engine> make_rehearsal_engine(std::uint64_t seed, unsigned conflict_percent);

}  // namespace partita
