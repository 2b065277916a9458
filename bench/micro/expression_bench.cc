// Parsing, binding and evaluating expressions.
#include <array>
#include <memory_resource>

#include <benchmark/benchmark.h>

#include "expression/binder.h"
#include "sample_item.h"

namespace partita {
namespace {

constexpr std::string_view kCondition = "attribute_exists(pk) AND visits < :limit";
constexpr std::string_view kUpdate = "SET visits = visits + :one, #last = :limit";

// What a request carries beside its expressions.
struct Request {
  Value one = Value::number(1);
  Value limit = Value::number(1000);
  std::array<ExpressionAttributeName, 1> names{{{"#last", "attribute9"}}};
  std::array<ExpressionAttributeValue, 2> values{{{":one", one.view()}, {":limit", limit.view()}}};

  ExpressionAttributes attributes() const { return {.names = names, .values = values}; }
};

void bind_update_and_condition(benchmark::State& state) {
  const Request request;
  ExpressionCache cache;
  for (auto _ : state) {
    std::array<std::byte, 4096> room;
    std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
    Binder binder(cache, request.attributes(), &memory);
    auto update = binder.update(kUpdate);
    auto condition = binder.condition("ConditionExpression", kCondition);
    if (!update || !condition || !binder.finish()) std::abort();
  }
}
BENCHMARK(bind_update_and_condition);

void evaluate_condition_and_update(benchmark::State& state) {
  const Request request;
  const Item item = sample_item(7);
  ExpressionCache cache;
  std::pmr::monotonic_buffer_resource memory;
  Binder binder(cache, request.attributes(), &memory);
  const auto update = binder.update(kUpdate);
  const auto condition = binder.condition("ConditionExpression", kCondition);
  if (!update || !condition || !binder.finish()) std::abort();
  for (auto _ : state) {
    if (!condition->holds(item.view())) std::abort();
    benchmark::DoNotOptimize(update->apply(item.view()));
  }
}
BENCHMARK(evaluate_condition_and_update);

void project_three_attributes(benchmark::State& state) {
  const Item item = sample_item(7);
  ExpressionCache cache;
  std::pmr::monotonic_buffer_resource memory;
  Binder binder(cache, {}, &memory);
  const auto projection = binder.projection("pk, visits, attribute5");
  if (!projection || !binder.finish()) std::abort();
  std::string out;
  for (auto _ : state) {
    out.clear();
    projection->project(item.view(), out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(project_three_attributes);

}  // namespace
}  // namespace partita
