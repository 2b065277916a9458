// Writing an M, an L or an item around entries that are appended already encoded and in order
// (partita/value.h has the grammar). ItemWriter of value/ is for values that come one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "partita/item.h"

#include "base/coding.h"
#include "value/item_size.h"

namespace partita {

class ContainerWriter {
 public:
  // `kind` is encoding::kMap or kList. Entries are appended to `out` between here and finish().
  ContainerWriter(char kind, std::string& out) : out_(out), start_(out.size()) {
    out_.append(kHeaderBytes, kind);
  }
  void finish(std::uint32_t count) {
    write_u32(out_.data() + start_ + 1,
              static_cast<std::uint32_t>(out_.size() - start_ - kHeaderBytes));
    write_u32(out_.data() + start_ + 5, count);
  }
  void abandon() { out_.resize(start_); }

 private:
  static constexpr std::size_t kHeaderBytes = 9;

  std::string& out_;
  std::size_t start_;
};

// Fills in the header of the item whose header starts at `start` and whose attributes end `out`.
inline void finish_item(std::size_t start, std::uint32_t count, std::string& out) {
  const char* const attributes = out.data() + start + kItemHeaderBytes;
  const std::size_t size = attributes_size_bytes({attributes, out.data() + out.size()});
  write_u32(out.data() + start + 1, static_cast<std::uint32_t>(size));
  write_u32(out.data() + start + 5, count);
}

}  // namespace partita
