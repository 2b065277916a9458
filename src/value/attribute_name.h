// How long the name of an attribute may be.
#pragma once

#include <cstddef>
#include <string_view>

namespace partita {

inline constexpr std::size_t kAttributeNameBytesMax = 65535;

// What is wrong with a name, in DynamoDB's words; null if nothing is.
inline const char* attribute_name_problem(std::string_view name) {
  if (name.size() - 1 < kAttributeNameBytesMax) [[likely]]
    return nullptr;
  return name.empty() ? "Empty attribute name"
                      : "Attribute name is too large, must be less than 65536 bytes";
}

}  // namespace partita
