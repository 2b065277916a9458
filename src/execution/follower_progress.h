// How far a follower of a table's change log has come, kept in the table's own space.
//
//   slot Progress, partition key N lane, sort key S name of the follower
//   progress := format:u8=1 version:u64 ordinal:u32       the last record it has dealt with
//
// The row is written in the commit that carries out what the record asks for, so that each record
// takes effect once, whatever happens in between.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "partita/result.h"

#include "storage/engine.h"

namespace partita {

// A place in one lane of a change log.
struct ChangePosition {
  Version version = 0;
  std::uint32_t ordinal = 0;
  friend auto operator<=>(const ChangePosition&, const ChangePosition&) = default;
};

// The follower that keeps global indexes.
inline constexpr std::string_view kIndexFollower = "indexes";

class FollowerProgress {
 public:
  FollowerProgress(std::string_view follower, SpaceId space, Lane lane);

  Result<ChangePosition> read(Engine& engine) const;
  // A part of a commit. Both borrow from this object and from `encoded`.
  Edit edit(const std::string& encoded) const { return {row(), Bytes(encoded)}; }
  Partition partition() const { return {space_, hash_, key_}; }
  static std::string encode(ChangePosition position);

 private:
  RowKey row() const { return {Slot::Progress, sort_}; }

  SpaceId space_;
  std::string key_;
  std::uint64_t hash_;
  std::string sort_;
};

}  // namespace partita
