// Arbitrary text as each kind of expression: parsed, bound with fixed placeholders, evaluated over
// one item. Whatever an update yields must be a well-formed item.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

#include "partita/item.h"

#include "expect.h"
#include "expression/binder.h"
#include "value/item_encoding.h"

namespace {

using namespace partita;

const Item& sample_item() {
  static const Item item{
      {"a", Value::map({{"b", Value::list({Value::number(1), Value::string("x")})}})},
      {"l", Value::list({Value::number(3), Value::list({Value::null()})})},
      {"n", Value::number(7)},
      {"s", Value::string("text")},
      {"t", Value::string_set(std::array<std::string_view, 2>{"p", "q"}).value()}};
  return item;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Value number = Value::number(5);
  const Value string = Value::string("te");
  const Value list = Value::list({Value::boolean(true)});
  const Value set = Value::string_set(std::array<std::string_view, 2>{"q", "r"}).value();
  const ExpressionAttributeName names[] = {{"#n", "n"}, {"#a", "a"}, {"#x", "x.y"}};
  const ExpressionAttributeValue values[] = {
      {":n", number}, {":s", string}, {":l", list}, {":t", set}};
  ExpressionAttributes attributes;
  attributes.names = names;
  attributes.values = values;

  static ExpressionCache cache(64);
  std::pmr::monotonic_buffer_resource memory;
  Binder binder(cache, attributes, &memory);
  const ItemView item = sample_item();
  if (const auto condition = binder.condition("ConditionExpression", text)) {
    (void)condition->holds(item);
    (void)condition->holds(std::nullopt);
  }
  if (const auto projection = binder.projection(text)) {
    std::string projected;
    projection->project(item, projected);
    expect(check_item(projected).has_value(), "a projection is an item");
  }
  if (const auto update = binder.update(text)) {
    if (const auto updated = update->apply(item)) {
      expect(check_item(updated->view().bytes()).has_value(), "an updated item is an item");
      expect(check_item(update->touched_attributes(*updated).view().bytes()).has_value(),
             "what an update touched is an item");
    }
  }
  if (const auto key = binder.key_condition(text)) (void)key->clauses().size();
  (void)binder.finish();
  return 0;
}
