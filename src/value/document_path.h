// Document paths: a.b[3].c, resolved over a view without decoding.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "partita/item.h"

namespace partita {

// A step is an attribute name or a list index.
class PathStep {
 public:
  explicit PathStep(std::string_view name) : name_(name), is_index_(false) {}
  explicit PathStep(std::uint32_t index) : index_(index), is_index_(true) {}
  bool is_index() const { return is_index_; }
  std::string_view name() const { return name_; }
  std::uint32_t index() const { return index_; }
  friend bool operator==(const PathStep&, const PathStep&) = default;

 private:
  std::string_view name_;
  std::uint32_t index_ = 0;
  bool is_index_;
};

using PathView = std::span<const PathStep>;  // never empty; the first step is a name

std::optional<ValueView> find_path(ItemView item, PathView path);

// "a.b[3].c", for messages.
std::string path_text(PathView path);

}  // namespace partita
