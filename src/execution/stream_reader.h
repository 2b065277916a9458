// StreamReader: the records of a shard, in order, none missing and none twice.
//
// A shard may lie in several lanes, which are read one after the other. So only records up to a
// version are shown of which everything is known to be visible before the first lane is read; that
// version is also durable, so what is shown has happened for good.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "partita/result.h"

#include "base/clock.h"
#include "catalog/stream_schema.h"
#include "execution/change_record.h"
#include "execution/stream_position.h"
#include "storage/engine.h"

namespace partita {

struct KeptRecord {
  StreamPosition position;
  std::string bytes;  // a change record (change_record.h)
};

struct StreamPage {
  std::vector<KeptRecord> records;
  // Where to go on; nothing when the shard is closed and all of it has been read.
  std::optional<StreamPosition> next;
};

class StreamReader {
 public:
  explicit StreamReader(Engine& engine) : engine_(engine) {}

  // The oldest record that can still be read, or where the first one will be.
  Result<StreamPosition> trim_horizon(const StreamSchema& stream, const StreamShard& shard,
                                      TimePoint now);
  // Beyond everything that has been acknowledged.
  StreamPosition latest() const { return {engine_.durable() + 1}; }

  // What a page may show at most. To be asked before the shard is looked up in a settled catalog
  // (Catalog::settle): a shard that a later commit closes would otherwise be read beyond its end.
  Version known() const { return engine_.durable(); }

  // ErrorCode::TrimmedDataAccess when records from `from` on are too old to be read.
  static constexpr std::size_t kPageBytesMax = 1 << 20;
  Result<StreamPage> read(const StreamSchema& stream, const StreamShard& shard, Version known,
                          StreamPosition from, std::size_t limit, TimePoint now);

 private:
  Engine& engine_;
};

Error trimmed_data_access();

}  // namespace partita
