// TokenBucket: so many units a second; what is not used is kept for a while.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/clock.h"

namespace partita {

class TokenBucket {
 public:
  // Adds what has come up to `now`, at most `seconds_max` worth. The first time counts from
  // `since`, and at least a second's worth is there. Time that goes backwards adds nothing.
  void refill(TimePoint now, TimePoint since, double units_per_second, double seconds_max) {
    const double most = units_per_second * seconds_max;
    if (!filled_until_) {
      units_ = std::clamp(units_per_second * seconds(now - since), units_per_second, most);
      filled_until_ = now;
      return;
    }
    if (now > *filled_until_) {
      units_ += units_per_second * seconds(now - *filled_until_);
      filled_until_ = now;
    }
    units_ = std::min(units_, most);
  }

  bool is_empty() const { return units_ <= 0; }
  void take(double units) { units_ -= units; }  // also more than there is

 private:
  static double seconds(std::chrono::milliseconds time) {
    return static_cast<double>(time.count()) / 1000;
  }

  double units_ = 0;
  std::optional<TimePoint> filled_until_;
};

}  // namespace partita
