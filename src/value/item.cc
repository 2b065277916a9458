#include "partita/item.h"

#include "value/item_encoding.h"

namespace partita {

Item::Item(std::initializer_list<std::pair<std::string_view, Value>> attributes) {
  ItemWriter writer;
  writer.begin_item();
  for (const auto& [name, value] : attributes) {
    writer.name(name);
    writer.value(value.view());
  }
  writer.end_item();
  bytes_ = writer.bytes();
}

void Item::set(std::string_view name, ValueView value) {
  std::vector<Attribute> attributes;
  attributes.reserve(view().count() + 1);
  bool placed = false;
  for (const Attribute& attribute : view()) {
    if (!placed && attribute.name >= name) {
      attributes.push_back({name, value});
      placed = true;
      if (attribute.name == name) continue;
    }
    attributes.push_back(attribute);
  }
  if (!placed) attributes.push_back({name, value});
  std::string bytes;
  append_item(attributes, bytes);
  bytes_ = std::move(bytes);
}

}  // namespace partita
