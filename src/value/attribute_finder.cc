#include "value/attribute_finder.h"

#include <cstring>

namespace partita {

AttributeFinder::AttributeFinder(ItemView item) {
  const Bytes attributes = item.attributes().bytes();
  start_ = at_ = attributes.data();
  end_ = start_ + attributes.size();
}

std::optional<ValueView> AttributeFinder::find(std::string_view name) {
  const int order = name.compare(last_);
  if (order == 0) return last_value_;
  if (order < 0) at_ = start_;
  last_ = name;
  // Most attributes are told apart by their first byte; the value's kind stands in for that of an
  // empty name, which no attribute of an item has.
  const auto first_wanted = static_cast<unsigned char>(name[0]);
  const char* at = at_;
  const char* const end = end_;
  for (; at != end;) {
    const char* next = at;
    const std::uint32_t length = encoding::read_varint32(next);
    if (static_cast<unsigned char>(*next) >= first_wanted) break;
    at = encoding::value_end(next + length);
  }
  at_ = at;  // a later name may be among those that begin alike
  while (at != end) {
    const std::uint32_t length = encoding::read_varint32(at);
    if (static_cast<unsigned char>(*at) != first_wanted) break;
    if (length == name.size() && std::memcmp(at, name.data(), length) == 0) {
      at_ = encoding::value_end(at + length);
      return last_value_ =
                 ValueView(Bytes(at + length, static_cast<std::size_t>(at_ - at - length)));
    }
    at = encoding::value_end(at + length);
  }
  return last_value_ = std::nullopt;
}

}  // namespace partita
