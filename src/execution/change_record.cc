#include "execution/change_record.h"

#include "base/coding.h"
#include "value/item_encoding.h"

namespace partita {
namespace {

constexpr std::uint8_t kChangeFormat = 1;
constexpr std::uint8_t kHasBefore = 1, kHasAfter = 2, kByExpiry = 4;

}  // namespace

std::string encode_change(const ChangeRecord& change) {
  const Bytes before = change.before ? change.before->bytes() : Bytes();
  const Bytes after = change.after ? change.after->bytes() : Bytes();
  std::string record;
  record.reserve(16 + before.size() + after.size());
  record.push_back(static_cast<char>(kChangeFormat));
  record.push_back(static_cast<char>((change.before ? kHasBefore : 0) |
                                     (change.after ? kHasAfter : 0) |
                                     (change.by_expiry ? kByExpiry : 0)));
  append_u64(record, static_cast<std::uint64_t>(change.time.time_since_epoch().count()));
  if (change.before) append_length_prefixed(record, before);
  return record.append(after);
}

Result<ChangeRecord> decode_change(Bytes record) {
  const auto damaged = [] { return Error::internal("A record of the change log is damaged."); };
  ByteReader reader(record);
  std::uint8_t format = 0, parts = 0;
  std::uint64_t time = 0;
  if (!reader.read_u8(format) || format != kChangeFormat || !reader.read_u8(parts) ||
      parts > (kHasBefore | kHasAfter | kByExpiry) || !reader.read_u64(time)) {
    return damaged();
  }
  ChangeRecord change;
  change.by_expiry = (parts & kByExpiry) != 0;
  change.time = TimePoint(std::chrono::milliseconds(static_cast<std::int64_t>(time)));
  if (parts & kHasBefore) {
    Bytes before;
    if (!reader.read_length_prefixed(before) || !check_item(before)) return damaged();
    change.before = ItemView(before);
  }
  if (parts & kHasAfter) {
    if (!check_item(reader.rest())) return damaged();
    change.after = ItemView(reader.rest());
  } else if (!reader.at_end()) {
    return damaged();
  }
  return change;
}

}  // namespace partita
