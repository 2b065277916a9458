#include "storage/memory/change_log.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace partita::memory {
namespace {

struct RecordHeader {
  ChangePosition position;
  std::uint32_t length;
};

// A log starts small, since most are; a chunk that is full makes room for more than the last did.
constexpr std::size_t kFirstChunkBytes = 1024;
constexpr std::size_t kChunkBytesMax = 64 * 1024;

}  // namespace

bool ChangeStretch::show(ChangePosition& position, ChangeSink sink) const {
  for (std::size_t at = 0; at < used_;) {
    RecordHeader header;
    std::memcpy(&header, bytes_.get() + at, sizeof(header));
    at += sizeof(header);
    const Bytes record(bytes_.get() + at, header.length);
    at += header.length;
    if (header.position <= position) continue;
    position = header.position;
    if (!sink({position.version, position.ordinal, record})) return false;
  }
  return true;
}

void ChangeLog::append(Version version, Bytes record) {
  last_ = {version, last_.version == version ? last_.ordinal + 1 : 0};
  const std::size_t bytes = sizeof(RecordHeader) + record.size();
  if (sealed_ || chunks_.empty() || chunks_.back().used + bytes > chunks_.back().capacity) {
    const std::size_t wanted =
        chunks_.empty() ? kFirstChunkBytes : std::min(chunks_.back().capacity * 2, kChunkBytesMax);
    Chunk chunk;
    chunk.capacity = std::max(wanted, bytes);
    chunk.bytes = std::shared_ptr<char[]>(new char[chunk.capacity]);
    chunks_.push_back(std::move(chunk));
    sealed_ = false;
  }
  Chunk& chunk = chunks_.back();
  const RecordHeader header{last_, static_cast<std::uint32_t>(record.size())};
  std::memcpy(chunk.bytes.get() + chunk.used, &header, sizeof(header));
  record.copy(chunk.bytes.get() + chunk.used + sizeof(header), record.size());
  chunk.used += bytes;
  chunk.last = last_;
}

std::optional<ChangeStretch> ChangeLog::beyond(ChangePosition& position) const {
  if (position.version < trimmed_before_) {
    position = {trimmed_before_ - 1, std::numeric_limits<std::uint32_t>::max()};
  }
  const auto found = std::upper_bound(
      chunks_.begin(), chunks_.end(), position,
      [](const ChangePosition& at, const Chunk& chunk) { return at < chunk.last; });
  if (found == chunks_.end()) return std::nullopt;
  return ChangeStretch(found->bytes, found->used);
}

void ChangeLog::trim(Version before) {
  trimmed_before_ = std::max(trimmed_before_, before);
  while (!chunks_.empty() && chunks_.front().last.version < before) chunks_.pop_front();
}

ChangeLog ChangeLog::fork() {
  sealed_ = true;
  return *this;
}

}  // namespace partita::memory
