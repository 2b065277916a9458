// MemoryCommit: one commit on its way into the stripes.
//
// Rows are made before a lock is taken and freed after it is given back, so that a value of 400 KB
// is copied while others write.
#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <span>
#include <vector>

#include "storage/engine.h"
#include "storage/memory/change_log.h"
#include "storage/memory/stripes.h"

namespace partita::memory {

using Lanes = std::array<LaneLogs, kLaneCount>;
using LaneMask = std::uint32_t;

class MemoryCommit {
 public:
  explicit MemoryCommit(std::span<const PartitionBatch> batches);

  StripeMask stripes() const { return stripes_; }
  LaneMask lanes() const { return lanes_; }  // those that get records
  bool removes() const { return removes_; }
  bool puts() const { return puts_; }

  // Each with the locks named by the masks held.
  bool guards_hold(const Stripes& stripes) const;
  void append_changes(Lanes& lanes, Version version) const;
  void apply(Stripes& stripes, Version version);

 private:
  std::span<const PartitionBatch> batches_;
  StripeMask stripes_ = 0;
  LaneMask lanes_ = 0;
  bool removes_ = false;
  bool puts_ = false;
  std::array<std::byte, 256> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  // One for each edit, empty where it deletes; once applied, the row that was there before.
  std::pmr::vector<Ref<Row>> rows_{&memory_};
};

}  // namespace partita::memory
