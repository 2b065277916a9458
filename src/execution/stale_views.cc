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
  // A clock that was set back must not bring the order about.
  moments_.push_back({std::max(now, moments_.back().time), std::move(view)});
}

std::shared_ptr<const View> StaleViews::at(TimePoint now) {
  const std::lock_guard lock(mutex_);
  forget_outdated(now);
  return moments_.front().view;
}

// Those for which a newer one is old enough too.
void StaleViews::forget_outdated(TimePoint now) {
  while (moments_.size() > 1 && moments_[1].time <= now - age_) moments_.pop_front();
}

}  // namespace partita
