#include "execution/stale_views.h"

#include <algorithm>
#include <cassert>

namespace partita {

StaleViews::StaleViews(Engine& engine, std::chrono::milliseconds age, TimePoint now)
    : engine_(engine), age_(age) {
  assert(engine.capabilities().views);
  moments_.push_back({now - age, engine.view()});
}

std::chrono::milliseconds StaleViews::interval() const {
  constexpr int kMomentsPerAge = 10;
  return std::max(std::chrono::milliseconds(1), age_ / kMomentsPerAge);
}

void StaleViews::take(TimePoint now) {
  auto view = engine_.view();
  const std::lock_guard lock(mutex_);
  forget_outdated(now);
  // While the clock stands still one moment is enough.
  if (moments_.size() > 1 && moments_.back().time >= now) {
    moments_.back().view = std::move(view);
  } else {
    moments_.push_back({std::max(now, moments_.back().time), std::move(view)});
  }
}

std::shared_ptr<const View> StaleViews::at(TimePoint now) {
  const std::lock_guard lock(mutex_);
  forget_outdated(now);
  return moments_.front().view;
}

// Those for which a newer one is old enough too. What was kept before the clock was set back is old
// enough whatever it shows.
void StaleViews::forget_outdated(TimePoint now) {
  if (moments_.back().time > now + age_) {
    moments_.erase(moments_.begin(), moments_.end() - 1);
    moments_.back().time = now - age_;
  }
  while (moments_.size() > 1 && moments_[1].time <= now - age_) moments_.pop_front();
}

}  // namespace partita
