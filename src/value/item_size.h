// The size DynamoDB charges for: to the byte (docs/formats.md, "Item size").
#pragma once

#include <cstddef>

#include "partita/item.h"

namespace partita {

inline constexpr std::size_t kItemBytesMax = 400 * 1024;

std::size_t value_size_bytes(ValueView value);
std::size_t attributes_size_bytes(MapView attributes);  // an item's size

}  // namespace partita
