// Randomness and ids enter the core through here, so that a test can fix them.
#pragma once

#include <cstdint>
#include <string>

namespace partita {

class RandomSource {
 public:
  virtual ~RandomSource() = default;
  virtual std::uint64_t next() = 0;  // from any thread
};

// Seeded from the operating system; a small generator per thread.
class SystemRandom final : public RandomSource {
 public:
  std::uint64_t next() override;
};

// "1b4e28ba-2fa1-41d2-883f-0016d3cca427": a random UUID.
std::string random_uuid(RandomSource& random);

}  // namespace partita
