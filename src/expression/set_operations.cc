#include "expression/set_operations.h"

#include <cstring>

#include "base/coding.h"

namespace partita {
namespace {

constexpr std::uint32_t kHeaderBytes = 9;

// A set being written front to back into room that is surely enough.
class SetBytes {
 public:
  SetBytes(char kind, std::size_t bytes_max, std::pmr::memory_resource* memory)
      : start_(static_cast<char*>(memory->allocate(bytes_max, 1))), at_(start_ + kHeaderBytes) {
    *start_ = kind;
  }
  void append(Bytes member) {
    // A number's length is below 0x80, where u8 and varint32 are the same byte.
    at_ = write_varint32(at_, static_cast<std::uint32_t>(member.size()));
    if (!member.empty()) std::memcpy(at_, member.data(), member.size());
    at_ += member.size();
    ++count_;
  }
  std::uint32_t count() const { return count_; }
  ValueView finish() {
    write_u32(start_ + 1, static_cast<std::uint32_t>(at_ - start_) - kHeaderBytes);
    write_u32(start_ + 5, count_);
    return ValueView(Bytes(start_, static_cast<std::size_t>(at_ - start_)));
  }

 private:
  char* start_;
  char* at_;
  std::uint32_t count_ = 0;
};

}  // namespace

ValueView set_union(ValueView left, ValueView right, std::pmr::memory_resource* memory) {
  SetBytes result(left.bytes()[0], left.bytes().size() + right.bytes().size(), memory);
  const SetView left_set = left.set();
  const SetView right_set = right.set();
  auto l = left_set.begin();
  auto r = right_set.begin();
  while (l != left_set.end() || r != right_set.end()) {
    const int order = l == left_set.end() ? 1 : r == right_set.end() ? -1 : (*l).compare(*r);
    result.append(order <= 0 ? *l : *r);
    if (order <= 0) ++l;
    if (order >= 0) ++r;
  }
  return result.finish();
}

std::optional<ValueView> set_difference(ValueView left, ValueView right,
                                        std::pmr::memory_resource* memory) {
  SetBytes result(left.bytes()[0], left.bytes().size(), memory);
  const SetView right_set = right.set();
  auto r = right_set.begin();
  for (Bytes member : left.set()) {
    while (r != right_set.end() && *r < member) ++r;
    if (r == right_set.end() || *r != member) result.append(member);
  }
  if (result.count() == 0) return std::nullopt;
  return result.finish();
}

}  // namespace partita
