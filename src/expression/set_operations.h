// Union and difference of two sets of the same type, as ADD and DELETE want them.
#pragma once

#include <memory_resource>
#include <optional>

#include "partita/value.h"

namespace partita {

// The results live in `memory`.
ValueView set_union(ValueView left, ValueView right, std::pmr::memory_resource* memory);
// Absent when nothing is left.
std::optional<ValueView> set_difference(ValueView left, ValueView right,
                                        std::pmr::memory_resource* memory);

}  // namespace partita
