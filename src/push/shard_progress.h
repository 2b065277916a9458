// ShardProgress: which stream a consumer reads, and how far it has come in each shard.
//
//   text := "stream " ARN "\n" { "shard " id " " ("-" | "end" | sequence number) "\n" }*
//
// A shard is read when its parent is at its end, or is gone.
#pragma once

#include <chrono>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "partita/requests/streams.h"
#include "partita/result.h"

namespace partita {

struct ShardInHand {
  std::string id;
  std::string parent;
  std::string delivered;  // the last sequence number that needs no delivery any more
  bool ended = false;     // everything has been delivered

  // Of the running program.
  std::string iterator;              // empty: to be asked for
  bool read_to_end = false;          // it has no more records than those that wait
  std::deque<StreamRecord> waiting;  // read, not yet delivered
  std::deque<std::string> texts;     // the same as JSON
  std::string read;                  // the last sequence number that was read
  std::chrono::steady_clock::time_point waiting_since{};
  std::chrono::steady_clock::time_point retry_at{};
  std::int64_t attempts = 0;  // at the batch that comes next
  std::size_t batch_max = 0;  // 0: as the options say; smaller after an error
};

struct ShardProgress {
  std::string stream_arn;
  std::list<ShardInHand> shards;  // addresses hold; in the order of opening

  ShardInHand* find(std::string_view id);
  bool is_readable(const ShardInHand& shard);
  bool all_ended() const;
};

std::string encode_progress(const ShardProgress& progress);
Result<ShardProgress> decode_progress(std::string_view text);

}  // namespace partita
