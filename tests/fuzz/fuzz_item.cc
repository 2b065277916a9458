// Stored items and values: arbitrary bytes are refused, or are exactly what ItemWriter writes for
// what they say.

#include <cstddef>
#include <cstdint>

#include "expect.h"
#include "value/item_encoding.h"
#include "value/item_size.h"
#include "value/random_values.h"

namespace partita {
namespace {

void try_value(Bytes bytes, testing::DocumentSource& source) {
  const Result<ValueView> value = check_value(bytes);
  if (!value) return;
  ItemWriter writer;
  source.write(testing::document_of(*value), writer);
  expect(writer.bytes() == bytes, "an accepted value is canonical");
  expect(nesting_levels(*value) < kNestingLevelsMax, "an accepted value nests within the limit");

  const Item item{{"name", Value(*value)}};
  expect(check_item(item.view().bytes()).has_value(), "a value makes an item");
  expect(item.find("name") == *value, "an item keeps its value");
  expect(item.view().size_bytes() == 4 + value_size_bytes(*value), "an item knows its size");
}

void try_item(Bytes bytes, testing::DocumentSource& source) {
  const Result<ItemView> item = check_item(bytes);
  if (!item) return;
  ItemWriter writer;
  source.write_item(testing::document_of(*item), writer);
  expect(writer.bytes() == bytes, "an accepted item is canonical");
  for (const auto& [name, value] : *item) {
    expect(item->find(name) == value, "each attribute is found by its name");
  }
}

}  // namespace
}  // namespace partita

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const partita::Bytes bytes(reinterpret_cast<const char*>(data), size);
  partita::testing::DocumentSource source(static_cast<unsigned>(size));
  partita::try_value(bytes, source);
  partita::try_item(bytes, source);
  return 0;
}
