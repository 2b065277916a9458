// ShardIterator: a place in a shard that somebody reads on from, as text.
//
//   text      := stream ARN "|1|" base64(iterator)
//   iterator  := format:u8=1 created:u64 version:u64 lane:u8 ordinal:u32 shard id
//
// It says all there is to say, so it outlives the program; 15 minutes after it was made it is
// refused.
#pragma once

#include <string>
#include <string_view>

#include "partita/result.h"

#include "base/clock.h"
#include "execution/stream_position.h"

namespace partita {

inline constexpr std::chrono::minutes kIteratorLifetime{15};

struct ShardIterator {
  std::string stream_arn;
  std::string shard_id;
  StreamPosition position;
  TimePoint created{};
};

std::string encode_iterator(const ShardIterator& iterator);
// Any text may come in.
Result<ShardIterator> decode_iterator(std::string_view text);

}  // namespace partita
