// TokenSweeper: forgets request tokens whose ten minutes are over (execution/request_tokens.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/clock.h"
#include "execution/request_tokens.h"
#include "storage/engine.h"

namespace partita {

class TokenSweeper {
 public:
  explicit TokenSweeper(Engine& engine) : engine_(engine) {}

  // Looks at some rows, and at more as long as that was worth it. What cannot be removed now is
  // found again the next time round.
  void run(TimePoint now) {
    for (int round = 0; round < kRoundsMax; ++round) {
      const auto removed = remove_expired_tokens(engine_, now, kRowsEach, position_);
      if (!removed || *removed < kRowsEach / 4) return;
    }
  }

 private:
  static constexpr std::size_t kRowsEach = 1000;
  static constexpr int kRoundsMax = 50;  // others want to be run too

  Engine& engine_;
  std::optional<std::string> position_;
};

}  // namespace partita
