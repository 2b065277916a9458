#include "storage/memory/row_room.h"

#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace partita::memory {
namespace {

TEST(RowRoom, rooms_in_use_never_overlap) {
  std::mt19937 random(3);
  struct Room {
    char* start;
    std::size_t bytes;
    char mark;
  };
  std::vector<Room> rooms;
  for (int step = 0; step < 20'000; ++step) {
    if (rooms.empty() || random() % 2 == 0) {
      const std::size_t bytes = 1 + random() % 5000;
      Room room{static_cast<char*>(RowRoom::take(bytes)), bytes, static_cast<char>(random())};
      std::memset(room.start, room.mark, bytes);
      rooms.push_back(room);
      continue;
    }
    std::swap(rooms[random() % rooms.size()], rooms.back());
    const Room room = rooms.back();
    rooms.pop_back();
    for (std::size_t i = 0; i < room.bytes; ++i) ASSERT_EQ(room.start[i], room.mark);
    RowRoom::give_back(room.start, room.bytes);
  }
  for (const Room& room : rooms) RowRoom::give_back(room.start, room.bytes);
}

TEST(RowRoom, what_one_thread_takes_another_gives_back) {
  std::vector<void*> rooms;
  std::thread([&] {
    for (int i = 0; i < 500; ++i) rooms.push_back(RowRoom::take(1100));
  }).join();
  EXPECT_EQ(std::set<void*>(rooms.begin(), rooms.end()).size(), rooms.size());
  std::thread([&] {
    for (void* room : rooms) RowRoom::give_back(room, 1100);
  }).join();
}

}  // namespace
}  // namespace partita::memory
