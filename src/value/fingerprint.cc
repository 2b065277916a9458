#include "value/fingerprint.h"

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace partita {

Fingerprint fingerprint_of(Bytes bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  Fingerprint fingerprint;
  static_assert(sizeof canonical.digest == sizeof(Fingerprint));
  std::memcpy(fingerprint.data(), canonical.digest, sizeof canonical.digest);
  return fingerprint;
}

}  // namespace partita
