// What the durable engine reads from its store: rows, sizes, states, counters. Arbitrary bytes are
// refused or are what would be written for what they say.
#include <cstddef>
#include <cstdint>
#include <string>

#include "expect.h"
#include "storage/rocksdb/row_layout.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace partita;
  namespace layout = rocksdb_layout;
  // A copy whose end is the end of its memory.
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (const auto row = layout::decode_row(bytes)) {
    const layout::RowHeader header = layout::row_header(row->version, row->partition_key_bytes);
    expect(std::string(header.bytes, sizeof header.bytes) + std::string(row->value) == bytes,
           "a row is its header and its value");
  }
  if (const auto size_read = layout::decode_size(bytes)) {
    expect(layout::encode_size(*size_read) == bytes, "a size reads back");
  }
  if (const auto state = layout::decode_space_state(bytes)) {
    expect(layout::encode_space_state(*state) == bytes, "a state reads back");
  }
  if (const auto number = layout::decode_u64(bytes)) {
    expect(layout::encode_u64(*number) == bytes, "a counter reads back");
  }
  return 0;
}
