// From JSON to the stored form and back, attribute lookup, keys and numbers.
#include <memory_resource>

#include <benchmark/benchmark.h>

#include "formats/json_reader.h"
#include "formats/json_writer.h"
#include "formats/padded_body_test.h"
#include "formats/value_json.h"
#include "sample_item.h"
#include "value/item_encoding.h"
#include "value/key_encoding.h"
#include "value/number.h"

namespace partita {
namespace {

void json_to_item(benchmark::State& state) {
  const PaddedBody body(sample_json(7));
  std::pmr::unsynchronized_pool_resource memory;
  ItemWriter writer(&memory);
  for (auto _ : state) {
    JsonReader json(&memory);
    json.open(body.view());
    writer.clear();
    ValueJsonReader(json, writer, &memory).read_item();
    benchmark::DoNotOptimize(writer.item().bytes().data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(body.view().size()));
}
BENCHMARK(json_to_item);

void item_to_json(benchmark::State& state) {
  const Item item = sample_item(7);
  TextBuffer out;
  for (auto _ : state) {
    out.clear();
    JsonWriter json(out);
    write_json(json, item.view());
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(item.view().bytes().size()));
}
BENCHMARK(item_to_json);

void find_last_attribute(benchmark::State& state) {
  const Item item = sample_item(7);
  for (auto _ : state) benchmark::DoNotOptimize(item.view().find("visits"));
}
BENCHMARK(find_last_attribute);

void encode_and_hash_key(benchmark::State& state) {
  const Value key = Value::string("customer#0001234567");
  std::string encoded;
  for (auto _ : state) {
    encoded.clear();
    append_key_component(key.view(), encoded);
    benchmark::DoNotOptimize(partition_hash(encoded));
  }
}
BENCHMARK(encode_and_hash_key);

void parse_and_print_number(benchmark::State& state) {
  std::string printed;
  for (auto _ : state) {
    printed.clear();
    print_number(parse_number("-12345.678901").value().bytes(), printed);
    benchmark::DoNotOptimize(printed.data());
  }
}
BENCHMARK(parse_and_print_number);

}  // namespace
}  // namespace partita
