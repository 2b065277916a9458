// Numbers: text that parses prints as text that parses to the same bytes; bytes that pass for an
// ordered number are one; sums and differences undo each other.

#include <cstddef>
#include <cstdint>

#include "expect.h"
#include "value/number.h"

namespace partita {
namespace {

void try_ordered(Bytes ordered) {
  expect(ordered_number_length(ordered) == ordered.size(), "a number knows its length");
  expect(ordered.size() <= kOrderedNumberBytesMax, "a number fits its room");
  std::string text;
  print_number(ordered, text);
  const Result<OrderedNumber> again = parse_number(text);
  expect(again && again->bytes() == ordered, "a printed number reads back");
  const std::size_t size = number_size_bytes(ordered);
  expect(size >= 1 && size <= 22, "a number's size is within bounds");
}

void try_sum(Bytes left, Bytes right) {
  const Result<OrderedNumber> sum = add_numbers(left, right);
  const Result<OrderedNumber> mirrored = add_numbers(right, left);
  expect(sum.has_value() == mirrored.has_value(), "addition commutes");
  if (!sum) return;
  expect(sum->bytes() == mirrored->bytes(), "addition commutes");
  try_ordered(sum->bytes());
  const Result<OrderedNumber> back = subtract_numbers(sum->bytes(), right);
  expect(back && back->bytes() == left, "subtraction undoes addition");
}

}  // namespace
}  // namespace partita

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace partita;
  const Bytes bytes(reinterpret_cast<const char*>(data), size);
  if (const std::size_t length = ordered_number_length(bytes); length != 0) {
    try_ordered(bytes.substr(0, length));
  }
  const std::size_t space = bytes.find(' ');
  const Result<OrderedNumber> left = parse_number(bytes.substr(0, space));
  if (!left) return 0;
  try_ordered(left->bytes());
  if (space == Bytes::npos) return 0;
  const Result<OrderedNumber> right = parse_number(bytes.substr(space + 1));
  if (right) try_sum(left->bytes(), right->bytes());
  return 0;
}
