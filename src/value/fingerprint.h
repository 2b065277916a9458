// Fingerprint: 128 bits that stand for some bytes (XXH3; stored, so it never changes).
#pragma once

#include <array>
#include <string_view>

#include "partita/value.h"

namespace partita {

using Fingerprint = std::array<char, 16>;

Fingerprint fingerprint_of(Bytes bytes);

inline Bytes bytes_of(const Fingerprint& fingerprint) {
  return {fingerprint.data(), fingerprint.size()};
}

}  // namespace partita
