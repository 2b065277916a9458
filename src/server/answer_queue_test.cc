#include "server/answer_queue.h"

#include <array>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "server/durability_mailbox.h"

namespace partita {
namespace {

void add(AnswerQueue& queue, std::string_view head, std::string_view body,
         ParkedAnswer* parked = nullptr) {
  queue.open().append(body);
  queue.close(head, parked);
}

// Takes what may be sent, at most `limit` bytes.
std::string take(AnswerQueue& queue, std::size_t limit = 1 << 30) {
  std::array<iovec, 3> vectors;
  std::string taken;
  const std::size_t count = queue.gather(vectors);
  for (std::size_t i = 0; i < count; ++i) {
    taken.append(static_cast<const char*>(vectors[i].iov_base), vectors[i].iov_len);
  }
  taken.resize(std::min(taken.size(), limit));
  if (!taken.empty()) queue.sent(taken.size());
  return taken;
}

TEST(AnswerQueue, a_parked_answer_holds_back_those_behind_it) {
  SpareBuffers spare;
  AnswerQueue queue(spare);
  ParkedAnswer parked;
  add(queue, "h1", "b1");
  const std::uint64_t number = queue.next_number();
  add(queue, "h2", "b2", &parked);
  add(queue, "h3", "b3");
  EXPECT_EQ(take(queue), "h1b1");
  EXPECT_FALSE(queue.has_sendable());
  EXPECT_EQ(take(queue), "");
  queue.release(number);
  EXPECT_EQ(take(queue), "h2b2h3b3");
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.bytes(), 0U);
}

TEST(AnswerQueue, a_failed_answer_is_replaced_in_its_place) {
  SpareBuffers spare;
  AnswerQueue queue(spare);
  ParkedAnswer parked;
  const std::uint64_t number = queue.next_number();
  add(queue, "h1", "b1", &parked);
  add(queue, "h2", "b2");
  add(queue, "error", "!");
  queue.replace_by_last(number);
  EXPECT_EQ(take(queue), "error!h2b2");
}

TEST(AnswerQueue, random_answers_leave_whole_and_in_order) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  SpareBuffers spare;
  AnswerQueue queue(spare);
  std::string expected;
  std::string sent;
  ParkedAnswer parked;
  std::vector<std::uint64_t> parked_numbers;
  for (int step = 0; step < 2000; ++step) {
    if (random() % 2 == 0 && queue.bytes() < 4'000'000) {
      const std::string head = "<" + std::to_string(step) + ">";
      const std::string body(random() % 10 == 0 ? random() % 50'000 : random() % 300, 'b');
      const bool park = random() % 4 == 0;
      if (park) parked_numbers.push_back(queue.next_number());
      add(queue, head, body, park ? &parked : nullptr);
      expected += head + body;
    } else if (random() % 2 == 0 && !parked_numbers.empty()) {
      const std::size_t which = random() % parked_numbers.size();
      queue.release(parked_numbers[which]);
      parked_numbers.erase(parked_numbers.begin() + static_cast<std::ptrdiff_t>(which));
    } else {
      sent += take(queue, 1 + random() % 100'000);
    }
  }
  for (const std::uint64_t number : parked_numbers) queue.release(number);
  while (queue.has_sendable()) sent += take(queue);
  EXPECT_TRUE(sent == expected) << "seed " << seed;
}

TEST(AnswerQueue, an_empty_queue_holds_no_memory) {
  SpareBuffers spare;
  AnswerQueue first(spare);
  AnswerQueue second(spare);
  const std::string body(100'000, 'b');
  add(first, "h", body);
  add(second, "h", body);
  EXPECT_EQ(spare.count(), 0U);
  take(first);
  take(second);
  EXPECT_EQ(spare.count(), 2U);
  AnswerQueue third(spare);
  EXPECT_GE(third.open().capacity(), body.size());  // what was given back is lent again
  EXPECT_EQ(spare.count(), 1U);
}

TEST(SpareBuffers, what_is_given_back_last_is_taken_first) {
  SpareBuffers spare;
  TextBuffer cold, warm;
  cold.append("c");
  warm.append("w");
  const char* const warm_memory = warm.data();
  spare.give_back(std::move(cold));
  spare.give_back(std::move(warm));
  const TextBuffer taken = spare.take();
  EXPECT_EQ(static_cast<const void*>(taken.data()), warm_memory);
  EXPECT_TRUE(taken.empty());
}

TEST(SpareBuffers, more_than_enough_is_freed) {
  SpareBuffers spare;
  AnswerQueue queue(spare);
  add(queue, "h", std::string(10'000'000, 'b'));
  take(queue);
  EXPECT_EQ(spare.count(), 0U);
  for (int i = 0; i < 10; ++i) {
    TextBuffer buffer;
    buffer.room(1'000'000);
    spare.give_back(std::move(buffer));
  }
  EXPECT_EQ(spare.count(), 4U);
}

}  // namespace
}  // namespace partita
