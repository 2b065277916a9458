// Keys: arbitrary bytes are refused or are what the components they hold encode to; the order of
// keys is the order of the values in them.

#include <cstddef>
#include <cstdint>

#include "expect.h"
#include "value/key_encoding.h"

namespace partita {
namespace {

std::string encoded(ValueView value) {
  std::string key;
  append_key_component(value, key);
  return key;
}

int sign(int comparison) { return (comparison > 0) - (comparison < 0); }

void try_decoding(Bytes bytes) {
  Bytes rest = bytes;
  std::string again;
  while (!rest.empty()) {
    const Result<Value> component = read_key_component(rest);
    if (!component) break;
    append_key_component(*component, again);
  }
  expect(bytes.substr(0, bytes.size() - rest.size()) == again,
         "what was read encodes to its bytes");
}

void try_order(Bytes left, Bytes right) {
  const std::string left_key = encoded(Value::binary(left));
  const std::string right_key = encoded(Value::binary(right));
  expect(sign(left_key.compare(right_key)) == sign(left.compare(right)), "keys order like values");

  std::string lower;
  append_key_prefix(Value::binary(left), lower);
  const bool within = right_key >= lower && right_key < after_prefix(lower);
  expect(within == right.starts_with(left), "begins_with is a byte range");

  Bytes rest = right_key;
  const Result<Value> read = read_key_component(rest);
  expect(read && rest.empty() && read->view().binary() == right, "a key reads back");
}

}  // namespace
}  // namespace partita

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const partita::Bytes bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t middle = data[0] % size;
  partita::try_decoding(bytes);
  partita::try_order(bytes.substr(0, middle), bytes.substr(middle));
  return 0;
}
