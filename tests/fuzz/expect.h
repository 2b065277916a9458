// What a fuzz target holds to be true of every input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace partita {

inline void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace partita
