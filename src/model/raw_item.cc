#include "partita/model/raw_item.h"

#include "partita/model/item_sink.h"

namespace partita::model {

RawItem::RawItem(ItemView item) {
  for (const Attribute attribute : item) {
    attributes_.emplace_hint(attributes_.end(), attribute.name, Value(attribute.value));
  }
}

std::optional<ValueView> RawItem::find(std::string_view name) const {
  const auto found = attributes_.find(name);
  if (found == attributes_.end()) return std::nullopt;
  return found->second.view();
}

void RawItem::set(std::string_view name, ValueView value) {
  attributes_.insert_or_assign(std::string(name), Value(value));
}

void RawItem::remove(std::string_view name) {
  if (const auto found = attributes_.find(name); found != attributes_.end()) {
    attributes_.erase(found);
  }
}

void RawItem::rename(std::string_view from, std::string_view to) {
  const auto found = attributes_.find(from);
  if (found == attributes_.end()) return;
  auto node = attributes_.extract(found);
  node.key() = std::string(to);
  attributes_.insert(std::move(node));
}

ItemView RawItem::item() {
  ItemSink sink;
  sink.begin_item();
  for (const auto& [name, value] : attributes_) {
    sink.name(name);
    sink.value(value);
  }
  sink.end_item();
  item_ = Item(sink.item());
  return item_;
}

}  // namespace partita::model
