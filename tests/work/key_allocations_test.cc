// Keys of up to 256 bytes are made without allocating memory, which this program counts.
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include <gtest/gtest.h>

#include "partita/database.h"
#include "partita/model/model.h"

namespace {
std::atomic<long> allocations{0};
}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations;
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace partita::model {
namespace {

struct Parcel {
  std::string id{};
  std::string depot{};
  std::int64_t weight = 0;
};
inline constexpr auto post =
    define_table<"Post">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">,
                         gsi<"GSI2", "GSI2PK", "GSI2SK">, gsi<"GSI3", "GSI3PK", "GSI3SK">);
inline constexpr auto parcel = define_entity<Parcel, "parcel">(
    post, key<"PARCEL#{id}", "PARCEL#{id}">,
    indexed<"a", "GSI1", "D#{depot}", "W#{weight:08}#{id}">,
    indexed<"b", "GSI2", "DEPOT#{depot}", "{id}">, indexed<"c", "GSI3", "A#{id}", "B#{depot}">);
using Parcels = EntityOf<parcel>;

constexpr std::size_t kKeyBytes = 256;

// What is left of a key of `bytes` bytes behind its longest fixed text, "W#00000000#".
Parcel with_keys_of(std::size_t bytes) {
  return {.id = std::string(bytes - 11, 'i'), .depot = std::string(bytes - 6, 'd'), .weight = 12};
}

template <typename Work>
long count(Work work) {
  work();  // lets the buffers of the thread grow
  const long before = allocations;
  work();
  return allocations - before;
}

TEST(KeyAllocations, keys_of_256_bytes_need_none) {
  const Parcel object = with_keys_of(kKeyBytes);
  EXPECT_EQ(count([&] {
              ItemSink sink;
              EXPECT_TRUE(encode_key(Parcels::plan, &object, sink));
              EXPECT_EQ(sink.item().find("PK")->string().size(), kKeyBytes - 4);
            }),
            0);
  EXPECT_EQ(count([&] {
              ItemSink sink;
              EXPECT_TRUE(encode_entity(Parcels::plan, &object, sink));
              EXPECT_EQ(sink.item().find("GSI1SK")->string().size(), kKeyBytes);
              EXPECT_EQ(sink.item().find("GSI2PK")->string().size(), kKeyBytes);
            }),
            0);
  const Parcel large = with_keys_of(20 * kKeyBytes);
  EXPECT_GT(count([&] {
              ItemSink sink;
              EXPECT_TRUE(encode_key(Parcels::plan, &large, sink));
            }),
            0)
      << "the counter counts";
}

TEST(KeyAllocations, a_typed_read_allocates_no_more_than_the_one_it_makes) {
  const auto database = Database::in_memory();
  auto table = post.in(*database);
  ASSERT_TRUE(table.create_if_missing());
  const auto parcels = table.repository<parcel>();
  const std::string id = with_keys_of(kKeyBytes).id;
  const Item key{{"PK", Value::string("PARCEL#" + id)}, {"SK", Value::string("PARCEL#" + id)}};
  const long by_hand =
      count([&] { EXPECT_FALSE(database->get_item({.table_name = "Post", .key = key})->item); });
  EXPECT_EQ(count([&] { EXPECT_FALSE(*parcels.get(id).run()); }), by_hand);
}

}  // namespace
}  // namespace partita::model
