#include "operations/streams/shard_iterator.h"

#include "base/base64.h"
#include "base/coding.h"

namespace partita {
namespace {
constexpr std::uint8_t kIteratorFormat = 1;
constexpr std::string_view kMark = "|1|";
// No clock shows a later time, and time is counted on from here without overflow.
constexpr std::uint64_t kCreatedMax = 253'402'300'800'000;  // the year 10000, in milliseconds
}  // namespace

std::string encode_iterator(const ShardIterator& iterator) {
  std::string bytes(1, static_cast<char>(kIteratorFormat));
  append_u64(bytes, static_cast<std::uint64_t>(iterator.created.time_since_epoch().count()));
  append_u64(bytes, iterator.position.version);
  bytes.push_back(static_cast<char>(iterator.position.lane));
  append_u32(bytes, iterator.position.ordinal);
  bytes.append(iterator.shard_id);
  std::string text = iterator.stream_arn;
  text.append(kMark);
  append_base64(bytes, text);
  return text;
}

Result<ShardIterator> decode_iterator(std::string_view text) {
  const auto invalid = [] { return Error::validation("Invalid ShardIterator"); };
  const std::size_t mark = text.find(kMark);
  std::string bytes;
  if (mark == std::string_view::npos ||
      !append_decoded_base64(text.substr(mark + kMark.size()), bytes)) {
    return invalid();
  }
  ByteReader reader(bytes);
  ShardIterator iterator;
  std::uint8_t format = 0, lane = 0;
  std::uint64_t created = 0;
  if (!reader.read_u8(format) || format != kIteratorFormat || !reader.read_u64(created) ||
      created >= kCreatedMax || !reader.read_u64(iterator.position.version) ||
      !reader.read_u8(lane) || !reader.read_u32(iterator.position.ordinal) || lane >= kLaneCount) {
    return invalid();
  }
  iterator.position.lane = lane;
  iterator.created = TimePoint(std::chrono::milliseconds(static_cast<std::int64_t>(created)));
  iterator.stream_arn = text.substr(0, mark);
  iterator.shard_id = reader.rest();
  return iterator;
}

}  // namespace partita
