#include "cli/flags.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace partita {
namespace {

// How many letters must be inserted, removed, replaced or swapped with their neighbour.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last(to.size() + 1);
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> current(to.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[to.size()];
}

}  // namespace

Error usage_error(std::string sentence) {
  return Error(ErrorCode::Validation, std::move(sentence));
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> choices) {
  std::string_view nearest;
  std::size_t nearest_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view choice : choices) {
    const std::size_t distance = edit_distance(word, choice);
    if (distance < nearest_distance) {
      nearest = choice;
      nearest_distance = distance;
    }
  }
  return nearest;
}

Result<Flag> FlagReader::next() {
  const std::string_view word = words_.front();
  words_ = words_.subspan(1);
  if (!word.starts_with("-")) {
    return usage_error("'" + std::string(word) + "' is not a flag; flags start with --.");
  }
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const auto rule = std::find_if(rules_.begin(), rules_.end(),
                                 [&](const FlagRule& known) { return known.name == name; });
  if (rule == rules_.end()) return unknown(name);
  if (!rule->takes_value) {
    if (equals == std::string_view::npos) return Flag{.name = rule->name};
    return usage_error(std::string(name) + " takes no value.");
  }
  if (equals != std::string_view::npos) {
    return Flag{.name = rule->name, .value = word.substr(equals + 1)};
  }
  if (words_.empty() || words_.front().starts_with("--")) {
    return usage_error(std::string(name) + " needs a value.");
  }
  const Flag flag{.name = rule->name, .value = words_.front()};
  words_ = words_.subspan(1);
  return flag;
}

Result<Flag> FlagReader::unknown(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const FlagRule& rule : rules_) {
    if (!rule.hidden) names.push_back(rule.name);
  }
  std::string sentence = "there is no flag " + std::string(name);
  const std::string_view meant = nearest_word(name, names);
  sentence += meant.empty() ? "; see --help." : "; did you mean " + std::string(meant) + "?";
  return usage_error(std::move(sentence));
}

Result<std::int64_t> flag_number(const Flag& flag, std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  const char* const end = flag.value.data() + flag.value.size();
  const auto [stop, failure] = std::from_chars(flag.value.data(), end, number);
  if (failure != std::errc() || stop != end || number < least || number > most) {
    return usage_error(std::string(flag.name) + " wants a whole number from " +
                       std::to_string(least) + " to " + std::to_string(most) + ", not '" +
                       std::string(flag.value) + "'.");
  }
  return number;
}

}  // namespace partita
