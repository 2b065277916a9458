#include "model/design/key_overlap.h"

#include <string>
#include <string_view>
#include <vector>

namespace partita::model {
namespace {

// A template as steps: a character, or one of the two signs for "a value of at least one byte".
constexpr char kEscapedValue = '\1';
constexpr char kAnyValue = '\2';

std::string steps_of(const KeyTemplate& key) {
  std::string steps;
  for (std::size_t i = 0; i < key.count; ++i) {
    steps.append(key.pieces[i].literal);
    steps.push_back(key.native ? kAnyValue : kEscapedValue);
  }
  steps.append(key.tail);
  return steps;
}

bool is_value(char step) { return step == kEscapedValue || step == kAnyValue; }
bool accepts(char step, char c) {
  return step == kAnyValue || (step == kEscapedValue ? c != '#' : step == c);
}
bool meet(char one, char other) {
  if (is_value(one) && is_value(other)) return true;
  return is_value(one) ? accepts(one, other) : accepts(other, one);
}

// Both are walked at once, one byte of the common key at a time; a value may take more than one.
class Walk {
 public:
  Walk(std::string one, std::string other)
      : one_(std::move(one)),
        other_(std::move(other)),
        seen_((one_.size() + 1) * (other_.size() + 1)) {}

  bool reaches_the_end(std::size_t i, std::size_t j) {
    if (i == one_.size() || j == other_.size()) return i == one_.size() && j == other_.size();
    const std::size_t place = i * (other_.size() + 1) + j;
    if (seen_[place]) return false;
    seen_[place] = true;
    if (!meet(one_[i], other_[j])) return false;
    return reaches_the_end(i + 1, j + 1) || (is_value(one_[i]) && reaches_the_end(i, j + 1)) ||
           (is_value(other_[j]) && reaches_the_end(i + 1, j));
  }

 private:
  std::string one_, other_;
  std::vector<bool> seen_;
};

}  // namespace

bool keys_can_be_equal(const KeyTemplate& one, const KeyTemplate& other) {
  return Walk(steps_of(one), steps_of(other)).reaches_the_end(0, 0);
}

}  // namespace partita::model
