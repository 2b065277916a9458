// Flags of a command: "--name value", "--name=value" and plain "--name".
#pragma once

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "partita/result.h"

namespace partita {

struct FlagRule {
  std::string_view name;  // with its dashes
  bool takes_value = true;
  bool hidden = false;  // never suggested
};

struct Flag {
  std::string_view name;
  std::string_view value{};
};

// Reads the words of a command line one flag at a time. Failures are sentences for the user.
class FlagReader {
 public:
  FlagReader(std::span<const FlagRule> rules, std::span<const std::string_view> words)
      : rules_(rules), words_(words) {}

  bool done() const { return words_.empty(); }
  Result<Flag> next();

 private:
  Result<Flag> unknown(std::string_view name) const;

  std::span<const FlagRule> rules_;
  std::span<const std::string_view> words_;
};

// The whole number that `flag` has as its value, from `least` to `most`.
Result<std::int64_t> flag_number(const Flag& flag, std::int64_t least, std::int64_t most);

// The word of `choices` that `word` is probably a mistyped form of; empty when none is near.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> choices);
inline std::string_view nearest_word(std::string_view word,
                                     std::initializer_list<std::string_view> choices) {
  return nearest_word(word, std::span(choices.begin(), choices.size()));
}

// An error whose message is one sentence about how the program was called.
Error usage_error(std::string sentence);

}  // namespace partita
