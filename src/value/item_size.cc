#include "value/item_size.h"

#include "value/number.h"

namespace partita {
namespace {

// A list and a map cost this, and one more for each element.
constexpr std::size_t kContainerBytes = 3;
constexpr std::size_t kElementBytes = 1;

std::size_t set_size_bytes(ValueView value) {
  std::size_t size = 0;
  const bool numbers = value.is(ValueType::NS);
  for (Bytes member : value.set()) size += numbers ? number_size_bytes(member) : member.size();
  return size;
}

}  // namespace

std::size_t value_size_bytes(ValueView value) {
  switch (value.type()) {
    case ValueType::S:
      return value.string().size();
    case ValueType::B:
      return value.binary().size();
    case ValueType::N:
      return number_size_bytes(value.ordered_number());
    case ValueType::BOOL:
    case ValueType::NULL_:
      return 1;
    case ValueType::M:
      return kContainerBytes + kElementBytes * value.count() + attributes_size_bytes(value.map());
    case ValueType::L: {
      std::size_t size = kContainerBytes;
      for (ValueView element : value.list()) size += kElementBytes + value_size_bytes(element);
      return size;
    }
    case ValueType::SS:
    case ValueType::NS:
    case ValueType::BS:
      return set_size_bytes(value);
  }
  __builtin_unreachable();
}

std::size_t attributes_size_bytes(MapView attributes) {
  std::size_t size = 0;
  for (const auto& [name, value] : attributes) size += name.size() + value_size_bytes(value);
  return size;
}

}  // namespace partita
