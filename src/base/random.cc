#include "base/random.h"

#include <random>

namespace partita {
namespace {

// xoshiro256++ (Blackman and Vigna, public domain): small, quick, and good enough for ids that need
// only be distinct. Nothing secret is made from it.
class Generator {
 public:
  Generator() {
    std::random_device device;
    for (std::uint64_t& word : state_) word = (std::uint64_t{device()} << 32) | device();
    state_[0] |= 1;  // the state must not be all zero
  }
  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

 private:
  static std::uint64_t rotate(std::uint64_t value, int count) {
    return (value << count) | (value >> (64 - count));
  }
  std::uint64_t state_[4];
};

}  // namespace

std::uint64_t SystemRandom::next() {
  thread_local Generator generator;
  return generator.next();
}

std::string random_uuid(RandomSource& random) {
  // Version 4, variant 1 (RFC 4122).
  const std::uint64_t high = (random.next() & ~0xF000ULL) | 0x4000ULL;
  const std::uint64_t low = (random.next() & ~(3ULL << 62)) | (1ULL << 63);
  std::string text(36, '-');
  std::size_t at = 0;
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) ++at;
    const std::uint64_t word = digit < 16 ? high : low;
    text[at++] = "0123456789abcdef"[(word >> (60 - 4 * (digit % 16))) & 0xF];
  }
  return text;
}

}  // namespace partita
