#include "execution/follower_progress.h"

#include "base/coding.h"
#include "value/key_encoding.h"

namespace partita {
namespace {
constexpr std::uint8_t kProgressFormat = 1;
}  // namespace

FollowerProgress::FollowerProgress(std::string_view follower, SpaceId space, Lane lane)
    : space_(space) {
  append_key_component(Value::number(std::int64_t{lane}), key_);
  hash_ = partition_hash(key_);
  append_key_component(Value::string(follower), sort_);
}

std::string FollowerProgress::encode(ChangePosition position) {
  std::string encoded(1, static_cast<char>(kProgressFormat));
  append_u64(encoded, position.version);
  append_u32(encoded, position.ordinal);
  return encoded;
}

Result<ChangePosition> FollowerProgress::read(Engine& engine) const {
  ChangePosition position;
  bool damaged = false;
  const RowKey key = row();
  PARTITA_CHECK(engine.get(partition(), std::span(&key, 1), nullptr, [&](const RowView& found) {
    ByteReader reader(found.value);
    std::uint8_t format = 0;
    damaged = !reader.read_u8(format) || format != kProgressFormat ||
              !reader.read_u64(position.version) || !reader.read_u32(position.ordinal) ||
              !reader.at_end();
    return true;
  }));
  if (damaged) return Error::internal("How far the change log was followed cannot be read.");
  return position;
}

}  // namespace partita
