// DynamoDB's numbers: exact decimals of 38 significant digits, 1E-130 to 9.99…E+125.
//
// They are kept as ordered bytes, the same in items and in keys, so that memcmp compares them:
//
//   zero     := 0x12
//   positive := 0x13 u8(exponent + 129) pair* 0x00          pair := two digits as 1 + (0…99)
//   negative := 0x11 ~u8(exponent + 129) ~pair* 0xFF        (~x is 0xFF - x)
//
// where value = 0.d1d2d3… * 10^exponent with d1 not 0 and no trailing zero digit except one that
// fills the last pair. Equal numbers have equal bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "partita/result.h"
#include "partita/value.h"

namespace partita {

inline constexpr std::size_t kOrderedNumberBytesMax = 22;

// Ordered bytes on the stack.
class OrderedNumber {
 public:
  Bytes bytes() const { return {data_, length_}; }

 private:
  friend class NumberCoder;
  char data_[kOrderedNumberBytesMax];
  unsigned char length_ = 0;
};

// Text as a client sends it. The errors are DynamoDB's: what is not a number, too many digits,
// overflow, underflow.
Result<OrderedNumber> parse_number(std::string_view text);
OrderedNumber number_from(std::int64_t value);

// Appends the number as DynamoDB prints it: plain decimal digits.
void print_number(Bytes ordered, std::string& out);

// Exact, or an error when the result needs more than 38 digits or leaves the range.
Result<OrderedNumber> add_numbers(Bytes left, Bytes right);
Result<OrderedNumber> subtract_numbers(Bytes left, Bytes right);

// What a number adds to an item's size.
std::size_t number_size_bytes(Bytes ordered);

// Length of the ordered number that starts `bytes`, or 0 if there is none.
std::size_t ordered_number_length(Bytes bytes);

}  // namespace partita
