#include "storage/rocksdb/sync_loop.h"

#include <future>
#include <memory>
#include <optional>

#include <gtest/gtest.h>

namespace partita {

namespace {

// A sync that waits until the test lets it go on, and then does as it is told.
class HeldSync {
 public:
  Result<void> operator()() {
    std::unique_lock lock(mutex_);
    ++started_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return allowed_ > 0; });
    --allowed_;
    if (failure_) return Error(*failure_, "no disk");
    return {};
  }
  void wait_until_started(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return started_ >= count; });
  }
  void allow(int count = 1, std::optional<ErrorCode> failure = std::nullopt) {
    const std::lock_guard lock(mutex_);
    allowed_ += count;
    failure_ = failure;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int started_ = 0, allowed_ = 0;
  std::optional<ErrorCode> failure_;
};

std::future<bool> ticket(SyncLoop& loop, Version version) {
  auto promise = std::make_shared<std::promise<bool>>();
  auto future = promise->get_future();
  loop.when_durable(version,
                    [promise](Result<void> result) { promise->set_value(result.has_value()); });
  return future;
}

bool is_answered(std::future<bool>& future) {
  return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

TEST(SyncLoop, commits_made_during_a_sync_wait_for_the_next_and_share_it) {
  HeldSync sync;
  SyncLoop loop(SyncLoop::Mode::Synced, 10, [&] { return sync(); });
  EXPECT_EQ(loop.durable(), 10u);
  EXPECT_TRUE(ticket(loop, 10).get()) << "durable since the opening";

  loop.committed(11);
  sync.wait_until_started(1);
  auto first = ticket(loop, 11);
  loop.committed(12);
  loop.committed(13);
  auto second = ticket(loop, 12), third = ticket(loop, 13);
  EXPECT_FALSE(is_answered(first));
  sync.allow();
  EXPECT_TRUE(first.get());
  EXPECT_EQ(loop.durable(), 11u);
  EXPECT_FALSE(is_answered(second));
  sync.allow();
  EXPECT_TRUE(second.get());
  EXPECT_TRUE(third.get());
  EXPECT_EQ(loop.durable(), 13u);
  EXPECT_EQ(loop.syncs(), 2u);
}

TEST(SyncLoop, failed_sync_fails_everybody_who_waits_and_all_later_commits) {
  HeldSync sync;
  SyncLoop loop(SyncLoop::Mode::Synced, 0, [&] { return sync(); });
  EXPECT_TRUE(loop.may_commit());
  loop.committed(1);
  sync.wait_until_started(1);
  loop.committed(2);
  auto first = ticket(loop, 1), second = ticket(loop, 2);
  sync.allow(1, ErrorCode::InternalServerError);
  EXPECT_FALSE(first.get());
  EXPECT_FALSE(second.get());
  EXPECT_FALSE(loop.may_commit());
  EXPECT_NE(loop.may_commit().error().message().find("no disk"), std::string::npos);
  EXPECT_FALSE(ticket(loop, 2).get());
  EXPECT_TRUE(ticket(loop, 0).get());
  EXPECT_EQ(loop.durable(), 0u);
}

TEST(SyncLoop, sync_without_room_tells_those_who_wait_and_is_tried_again) {
  HeldSync sync;
  SyncLoop loop(SyncLoop::Mode::Synced, 0, [&] { return sync(); });
  loop.committed(1);
  sync.wait_until_started(1);
  auto first = ticket(loop, 1), later = ticket(loop, 2);
  sync.allow(1, ErrorCode::ServiceUnavailable);
  EXPECT_FALSE(first.get());
  EXPECT_EQ(loop.durable(), 0u);
  EXPECT_TRUE(loop.may_commit());
  sync.wait_until_started(2);
  loop.committed(2);
  sync.allow(100);
  EXPECT_TRUE(later.get());
  EXPECT_TRUE(ticket(loop, 1).get());
}

TEST(SyncLoop, closing_without_room_answers_every_ticket) {
  std::future<bool> waiting;
  {
    SyncLoop loop(SyncLoop::Mode::Synced, 0,
                  []() -> Result<void> { return Error(ErrorCode::ServiceUnavailable, "full"); });
    loop.committed(1);
    waiting = ticket(loop, 2);
  }
  EXPECT_FALSE(waiting.get());
}

TEST(SyncLoop, closing_syncs_what_is_left_and_answers_every_ticket) {
  HeldSync sync;
  sync.allow(100);
  std::future<bool> given, never_given;
  {
    SyncLoop loop(SyncLoop::Mode::Synced, 0, [&] { return sync(); });
    loop.committed(5);
    given = ticket(loop, 5);
    never_given = ticket(loop, 6);
  }
  EXPECT_TRUE(given.get());
  EXPECT_FALSE(never_given.get());
}

TEST(SyncLoop, relaxed_answers_at_once_and_syncs_later) {
  HeldSync sync;
  SyncLoop loop(SyncLoop::Mode::Relaxed, 0, [&] { return sync(); });
  loop.committed(1);
  EXPECT_EQ(loop.durable(), 1u);
  auto answer = ticket(loop, 1);
  EXPECT_TRUE(is_answered(answer));
  sync.wait_until_started(1);
  sync.allow(100);
}

TEST(SyncLoop, ticket_may_be_taken_and_answered_on_the_loop_itself) {
  HeldSync sync;
  sync.allow(100);
  SyncLoop loop(SyncLoop::Mode::Synced, 0, [&] { return sync(); });
  std::promise<void> done;
  loop.committed(1);
  loop.when_durable(1, [&](Result<void>) {
    loop.when_durable(2, [&](Result<void>) { done.set_value(); });
    loop.committed(2);
  });
  done.get_future().get();
  EXPECT_EQ(loop.durable(), 2u);
}

}  // namespace partita
