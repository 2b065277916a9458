// A change record: what one write did to one item, as it stands in the table's change log.
//
//   change := format:u8=1 parts:u8 time:u64 [varint32(length) item-before] [item-after]
//
// Bit 0 of `parts` says that there was an item before, bit 1 that there is one after, bit 2 that
// the item was deleted because its time was over; time is the writer's clock in milliseconds since
// 1970. Items are in their stored form.
#pragma once

#include <optional>
#include <string>

#include "partita/item.h"
#include "partita/result.h"

#include "base/clock.h"

namespace partita {

// Borrows from the bytes it was read from.
struct ChangeRecord {
  TimePoint time{};
  std::optional<ItemView> before;
  std::optional<ItemView> after;
  bool by_expiry = false;  // nobody asked for it: time to live deleted the item
};

std::string encode_change(const ChangeRecord& change);
// Any bytes may come in; fails if they are not a change record.
Result<ChangeRecord> decode_change(Bytes record);

}  // namespace partita
