// The entries of a JSON map whose names the client chose: each name once.
#pragma once

#include <algorithm>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "partita/requests/items.h"

namespace partita {

// What an entry of a map is called.
inline std::string_view name_of(const ExpressionAttributeName& entry) { return entry.placeholder; }
inline std::string_view name_of(const ExpressionAttributeValue& entry) { return entry.placeholder; }
template <typename Entry>
std::string_view name_of(const Entry& entry) {
  return entry.attribute;
}

// Few entries, as nearly always, are compared each with each; never many, which a client could
// send to keep us busy.
template <typename Entry>
bool are_few_and_distinct(const std::pmr::vector<Entry>& given) {
  constexpr std::size_t kFew = 8;
  if (given.size() > kFew) return false;
  for (std::size_t i = 1; i < given.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (name_of(given[i]) == name_of(given[j])) return false;
    }
  }
  return true;
}

// A name given twice keeps its last meaning.
template <typename Entry>
void drop_repeated(std::pmr::vector<Entry>& given) {
  if (are_few_and_distinct(given)) [[likely]]
    return;
  std::pmr::vector<std::size_t> order(given.size(), given.get_allocator());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    const int by_name = name_of(given[left]).compare(name_of(given[right]));
    return by_name != 0 ? by_name < 0 : left < right;
  });
  std::pmr::vector<std::size_t> repeated(given.get_allocator());
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (name_of(given[order[i]]) == name_of(given[order[i + 1]])) repeated.push_back(order[i]);
  }
  std::sort(repeated.begin(), repeated.end());
  std::size_t index = 0;
  auto next = repeated.begin();
  std::erase_if(given, [&](const Entry&) {
    if (next == repeated.end() || *next != index++) return false;
    ++next;
    return true;
  });
}

}  // namespace partita
