// The elements of a list whose length the client chose.
#pragma once

#include <cstddef>

namespace partita {

// More than any list of structures, keys or actions may have.
inline constexpr std::size_t kElementsKept = 300;

// A place for the next element. Once there are more than any limit allows, the last place is used
// again: all elements are read for their own errors, and the list is refused for its length, but
// "{},{},{}" takes hundreds of times its length when it is decoded.
template <typename List>
auto& next_place(List& list) {
  if (list.size() >= kElementsKept) list.pop_back();
  return list.emplace_back();
}

}  // namespace partita
