// A body as the server holds it: followed by readable bytes that must never be believed.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>

#include "formats/json_reader.h"

namespace partita {

class PaddedBody {
 public:
  // On the heap and exactly as long as promised, so that AddressSanitizer sees reads beyond it.
  explicit PaddedBody(std::string_view text)
      : bytes_(new char[text.size() + kJsonPaddingBytes]), length_(text.size()) {
    std::memcpy(bytes_.get(), text.data(), text.size());
    for (std::size_t i = 0; i < kJsonPaddingBytes; ++i) {
      bytes_[text.size() + i] = "\"}]\\,:1"[i % 7];
    }
  }
  std::string_view view() const { return {bytes_.get(), length_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t length_;
};

}  // namespace partita
