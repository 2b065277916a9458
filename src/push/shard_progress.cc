#include "push/shard_progress.h"

#include <algorithm>

namespace partita {
namespace {
constexpr std::string_view kStream = "stream ", kShard = "shard ", kEnd = "end", kNothing = "-";
}  // namespace

ShardInHand* ShardProgress::find(std::string_view id) {
  const auto found = std::find_if(shards.begin(), shards.end(),
                                  [&](const ShardInHand& shard) { return shard.id == id; });
  return found == shards.end() ? nullptr : &*found;
}

bool ShardProgress::is_readable(const ShardInHand& shard) {
  if (shard.ended) return false;
  const ShardInHand* parent = shard.parent.empty() ? nullptr : find(shard.parent);
  return !parent || parent->ended;
}

bool ShardProgress::all_ended() const {
  return std::all_of(shards.begin(), shards.end(),
                     [](const ShardInHand& shard) { return shard.ended; });
}

std::string encode_progress(const ShardProgress& progress) {
  std::string text(kStream);
  text.append(progress.stream_arn).append("\n");
  for (const ShardInHand& shard : progress.shards) {
    const std::string_view place = shard.ended               ? kEnd
                                   : shard.delivered.empty() ? kNothing
                                                             : std::string_view(shard.delivered);
    text.append(kShard).append(shard.id).append(" ").append(place).append("\n");
  }
  return text;
}

Result<ShardProgress> decode_progress(std::string_view text) {
  const auto damaged = [] {
    return Error::internal("The checkpoint of a push target is damaged.");
  };
  ShardProgress progress;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return damaged();
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.starts_with(kStream)) {
      progress.stream_arn = line.substr(kStream.size());
      continue;
    }
    if (!line.starts_with(kShard)) return damaged();
    line.remove_prefix(kShard.size());
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return damaged();
    ShardInHand& shard = progress.shards.emplace_back();
    shard.id = line.substr(0, space);
    const std::string_view place = line.substr(space + 1);
    shard.ended = place == kEnd;
    if (!shard.ended && place != kNothing) shard.delivered = shard.read = place;
  }
  return progress;
}

}  // namespace partita
