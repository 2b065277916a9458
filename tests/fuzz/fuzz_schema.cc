// Catalog rows: arbitrary bytes are refused, or are a table whose row reads back as itself.
//
// input := sample:u8 { offset:u16le byte:u8 }   a sample table's row with some bytes changed
//        | 0xFF bytes                           any row
#include <cstddef>
#include <cstdint>
#include <string>

#include "catalog/sample_tables.h"
#include "catalog/schema_codec.h"
#include "expect.h"

namespace partita {
namespace {

std::string sample_row(std::uint8_t sample) {
  TableSchema table = sample % 2 == 0 ? simple_table("Simple") : indexed_table("Indexed");
  table.space = 7;
  std::uint8_t slot = 0;
  for (IndexSchema& index : table.local_indexes) {
    index.slot = static_cast<Slot>(++slot);
    index.space = table.space;
  }
  for (IndexSchema& index : table.global_indexes) index.space = 100u + ++slot;
  return encode_schema(table);
}

void try_row(Bytes row) {
  const Result<TableSchema> table = decode_schema(row);
  if (!table) return;
  expect(table->space != 0 && !table->key.partition.empty(), "a table has a place and a key");
  const std::string again = encode_schema(*table);
  const Result<TableSchema> reread = decode_schema(again);
  expect(reread.has_value(), "a table that was read can be stored");
  expect(encode_schema(*reread) == again, "and reads back as itself");
}

}  // namespace
}  // namespace partita

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace partita;
  if (size == 0) return 0;
  if (data[0] == 0xFF) {
    try_row({reinterpret_cast<const char*>(data) + 1, size - 1});
    return 0;
  }
  std::string row = sample_row(data[0]);
  expect(decode_schema(row).has_value(), "a sample is a table");
  for (std::size_t i = 1; i + 3 <= size; i += 3) {
    const std::size_t offset = data[i] + std::size_t{256} * data[i + 1];
    row[offset % row.size()] = static_cast<char>(data[i + 2]);
  }
  try_row(row);
  return 0;
}
