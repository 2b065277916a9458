// Engine: ordered bytes, views, atomic commits, a change log. The whole storage interface.
//
// Below this line nobody has heard of attributes. The unit of routing and atomicity is the
// partition: one table or global index (a space) and one partition key value, with its rows in a
// few slots. Within a space no partition key is a proper prefix of another (keys are
// self-delimiting tuples, value/key_encoding.h), and every partition key comes with the same stable
// hash each time.
//
// Engines are thread-safe and do not throw. storage/engine_contract_test.h holds every engine to
// what is written here.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/figures.h"
#include "partita/result.h"

#include "base/clock.h"
#include "base/function_ref.h"
#include "storage/key_range.h"
#include "storage/partition.h"
#include "storage/slot.h"

namespace partita {

using Lane = std::uint8_t;  // a stretch of a space's change log

// A change record goes to lane_of(hash). A power of two, so that lanes are ranges of the hash.
inline constexpr unsigned kLaneCount = 4;
constexpr Lane lane_of(std::uint64_t hash) { return static_cast<Lane>(hash >> 62); }

// Valid until the sink returns.
struct RowView {
  Partition partition;
  RowKey key;
  Version version = 0;
  Bytes value;
};

// False stops the read: pages, limits and filters stay above the waist.
using RowSink = FunctionRef<bool(const RowView&)>;

// The row must have this version when the commit happens; 0: it must be absent.
struct Guard {
  RowKey key;
  Version expected = 0;
};

struct Edit {
  RowKey key;
  std::optional<Bytes> value;  // nullopt deletes
};

struct Size {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  Size& operator+=(Size delta) {
    items += delta.items;
    bytes += delta.bytes;
    return *this;
  }
  friend bool operator==(const Size&, const Size&) = default;
};

// A change record and the log it belongs to: that of the partition's own space, or of a space that
// holds nothing but a log, which then may outlive the rows (a stream).
struct LoggedChange {
  SpaceId log = 0;
  Bytes record;
};

// One atom.
struct PartitionBatch {
  Partition partition;
  std::span<const Guard> guards;
  std::span<const Edit> edits;
  // Numbered by the commit's version, in the lane of the partition's hash.
  std::span<const LoggedChange> changes;
  Size delta;  // added to the partition's and the space's size in the same atom
  // False: nobody will ever ask for the size of this partition, only of its space. All batches of a
  // space agree on it.
  bool keeps_partition_size = true;
};

struct Capabilities {
  bool views = false;
  bool forks = false;
  bool cheap_multi_partition = false;  // false: global-index rows follow the change log instead
};

// Figures for work-count tests and metrics; each counts from the engine's opening.
struct EngineCounters {
  std::uint64_t lookups = 0;  // rows asked for by get
  std::uint64_t cursors = 0;  // range and scan calls
  std::uint64_t commits = 0;
  std::uint64_t syncs = 0;
  std::chrono::nanoseconds sync_time{0};  // spent in them
  std::uint64_t unsynced_versions = 0;    // not a count: committed and not yet safe, now
};

// One moment of the whole engine.
class View {
 public:
  virtual ~View() = default;
};

// Where a scan starts: beyond this row, in (hash, partition key, sort) order. The row need not
// exist.
struct ScanStart {
  std::uint64_t hash = 0;
  Bytes key;
  Bytes sort;
};

struct ChangeView {
  Version version = 0;        // of the commit that wrote it
  std::uint32_t ordinal = 0;  // among that commit's records in the lane, from 0
  Bytes record;               // valid until the sink returns
};
using ChangeSink = FunctionRef<bool(const ChangeView&)>;

class Engine {
 public:
  virtual ~Engine() = default;

  virtual Capabilities capabilities() const = 0;
  virtual EngineCounters counters() const = 0;
  // What no other engine has, for metrics.
  virtual std::vector<EngineFigure> own_figures() const { return {}; }
  // Ok, or why a commit would fail now, in one sentence that says what to do.
  virtual Result<void> accepts_writes() const { return {}; }

  // O(1). Null when !capabilities().views.
  virtual std::shared_ptr<const View> view() = 0;

  // Calls the sink for each of the keys that exists, in the order given. Without a view, a call
  // sees one moment of each partition it visits.
  virtual Result<void> get(const Partition&, std::span<const RowKey>, const View*, RowSink) = 0;
  virtual Result<void> range(const Partition&, const KeyRange&, Direction, ReadHint, const View*,
                             RowSink) = 0;
  // One cursor over a slot of a whole space, ascending by (hash, partition key, sort).
  virtual Result<void> scan(SpaceId, Slot, HashRange, const std::optional<ScanStart>&, ReadHint,
                            const View*, RowSink) = 0;

  // All batches or none. Returns once visible and ordered, not yet durable. ErrorCode::Conflict
  // when a guard failed: nothing happened, read again. A partition may come in several batches; a
  // row that is edited twice in one commit is a bug of the caller. A batch may have guards alone.
  // `now` is what version_at answers from.
  virtual Result<Version> commit(std::span<const PartitionBatch>, TimePoint now) = 0;

  // Calls back when every version <= v survives a power cut, or with the error of the sync that
  // failed: from then on the engine is read-only and says so. A full disk answers
  // ServiceUnavailable instead and is got over when there is room. May call back on any thread, and
  // before it returns.
  virtual void when_durable(Version v, std::function<void(Result<void>)> done) = 0;
  virtual Version durable() const = 0;  // everything up to here survives a power cut
  // The newest commit that deleted a row. A reader that found nothing may have seen its effect, so
  // that answer depends on this version as it does on the versions of rows it saw. Never less than
  // the version of a delete that a read already showed: raised before the delete becomes visible.
  virtual Version last_removal() const = 0;

  // The last version committed at or before t.
  virtual Result<Version> version_at(TimePoint t) = 0;

  // Change records of a lane beyond (after, ordinal), in order, never past a commit still under
  // way: a record seen means every earlier one of the lane has been seen.
  virtual Result<void> changes(SpaceId, Lane, Version after, std::uint32_t after_ordinal, ReadHint,
                               ChangeSink) = 0;
  virtual Result<void> trim_changes(SpaceId, Lane, Version before) = 0;

  // The sum of the deltas of a space, or of one partition of it that keeps its size.
  virtual Result<Size> size(SpaceId, const Partition* = nullptr) = 0;

  // Forgets a space: rows, changes, sizes. O(1) to the caller; the room is freed in the background.
  // Nothing of it is seen again, also after a crash once the drop is durable.
  virtual Result<void> drop(SpaceId) = 0;

  // A second engine with the same content that goes its own way from here. Null when !forks.
  virtual Result<std::unique_ptr<Engine>> fork(std::string_view where) = 0;
};

}  // namespace partita
