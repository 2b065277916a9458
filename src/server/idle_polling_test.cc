#include "server/idle_polling.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

// How often the thread sleeps, each time something comes too late for polling, until it polls anew.
int sleeps_until_it_pays(IdlePolling& polling) {
  int sleeps = 0;
  while (!polling.pays()) {
    polling.slept();
    ++sleeps;
  }
  return sleeps;
}

TEST(IdlePolling, goes_on_while_it_meets_something) {
  IdlePolling polling;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(polling.pays());
    polling.met_something();
  }
}

TEST(IdlePolling, becomes_rare_where_it_is_in_vain) {
  IdlePolling polling;
  int sleeps = 0;
  for (int i = 0; i < 100; ++i) {
    polling.was_in_vain();
    sleeps += sleeps_until_it_pays(polling);
  }
  EXPECT_GT(sleeps, 90 * IdlePolling::kMostSleepsBetween);
}

TEST(IdlePolling, one_success_makes_up_for_all_that_was_in_vain) {
  IdlePolling polling;
  for (int i = 0; i < 100; ++i) {
    polling.was_in_vain();
    sleeps_until_it_pays(polling);
  }
  polling.met_something();
  polling.was_in_vain();
  EXPECT_EQ(sleeps_until_it_pays(polling), 2);
}

}  // namespace
}  // namespace partita
