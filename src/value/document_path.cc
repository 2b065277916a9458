#include "value/document_path.h"

namespace partita {

std::optional<ValueView> find_path(ItemView item, PathView path) {
  std::optional<ValueView> value = item.find(path.front().name());
  for (const PathStep& step : path.subspan(1)) {
    if (!value) break;
    if (step.is_index()) {
      value = value->is(ValueType::L) ? value->list().find(step.index()) : std::nullopt;
    } else {
      value = value->is(ValueType::M) ? value->map().find(step.name()) : std::nullopt;
    }
  }
  return value;
}

std::string path_text(PathView path) {
  std::string text;
  for (const PathStep& step : path) {
    if (step.is_index()) {
      text.append("[").append(std::to_string(step.index())).append("]");
    } else {
      if (!text.empty()) text.push_back('.');
      text.append(step.name());
    }
  }
  return text;
}

}  // namespace partita
