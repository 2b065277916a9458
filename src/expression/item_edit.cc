#include "expression/item_edit.h"

#include <string>

#include "expression/container_writer.h"
#include "value/item_encoding.h"

namespace partita {
namespace {

Error invalid_path() {
  return Error::validation(
      "The document path provided in the update expression is invalid for update");
}

enum class Values : std::uint8_t { Written, NotLookedAt };

class ItemEditor {
 public:
  ItemEditor(std::span<const Edit> edits, Values values, std::string& out)
      : edits_(edits), values_(values), out_(out) {}

  // Appends the entries of a map; `count` is how many there were and becomes how many there are.
  Result<void> edit_map(Bytes entries, OrderedPaths paths, std::size_t depth, std::uint32_t& count);

 private:
  Result<void> edit_list(ListView list, OrderedPaths paths, std::size_t depth,
                         std::uint32_t& count);
  // Appends the new value at the place the paths' first `depth` steps lead to. False: there is
  // none.
  Result<bool> edit_value(std::optional<ValueView> old, OrderedPaths paths, std::size_t depth);
  Result<bool> replace(std::optional<ValueView> old, const Edit& edit, std::size_t depth);

  std::span<const Edit> edits_;
  Values values_;
  std::string& out_;
};

Result<void> ItemEditor::edit_map(Bytes entries, OrderedPaths paths, std::size_t depth,
                                  std::uint32_t& count) {
  const char* at = entries.data();
  const char* const end = at + entries.size();
  while (!paths.empty()) {
    const OrderedPaths group = leading_group(paths, depth);
    paths = paths.subspan(group.size());
    const PathStep& step = group.front().path[depth];

    // What comes before the named entry is copied in one go.
    const char* const untouched = at;
    std::optional<ValueView> old;
    while (at != end) {
      const char* name_start = at;
      const std::uint32_t length = encoding::read_varint32(name_start);
      const int order = std::string_view(name_start, length).compare(step.name());
      if (order == 0) old = ValueView::at(name_start + length);
      if (order >= 0) break;
      at = encoding::value_end(name_start + length);
    }
    out_.append(untouched, at);
    if (old) at = old->bytes().data() + old->bytes().size();

    const std::size_t entry_start = out_.size();
    append_length_prefixed(out_, step.name());
    PARTITA_TRY(const bool is_there, edit_value(old, group, depth + 1));
    if (!is_there) out_.resize(entry_start);
    count = count + (is_there ? 1 : 0) - (old ? 1 : 0);
  }
  out_.append(at, end);
  return {};
}

Result<void> ItemEditor::edit_list(ListView list, OrderedPaths paths, std::size_t depth,
                                   std::uint32_t& count) {
  count = 0;
  std::uint32_t index = 0;
  auto element = list.begin();
  while (!paths.empty()) {
    const OrderedPaths group = leading_group(paths, depth);
    paths = paths.subspan(group.size());
    const std::uint32_t wanted = group.front().path[depth].index();
    for (; element != list.end() && index < wanted; ++element, ++index, ++count) {
      out_.append((*element).bytes());
    }
    std::optional<ValueView> old;
    if (element != list.end()) {
      old = *element;
      ++element;
      ++index;
    }
    PARTITA_TRY(const bool is_there, edit_value(old, group, depth + 1));
    count += is_there ? 1 : 0;
  }
  for (; element != list.end(); ++element, ++count) out_.append((*element).bytes());
  return {};
}

Result<bool> ItemEditor::edit_value(std::optional<ValueView> old, OrderedPaths paths,
                                    std::size_t depth) {
  const PathView path = paths.front().path;
  if (path.size() == depth) return replace(old, edits_[paths.front().number], depth);
  const bool wants_list = path[depth].is_index();
  if (!old || !old->is(wants_list ? ValueType::L : ValueType::M)) return invalid_path();
  ContainerWriter container(wants_list ? encoding::kList : encoding::kMap, out_);
  std::uint32_t count = old->count();
  if (wants_list) {
    PARTITA_CHECK(edit_list(old->list(), paths, depth, count));
  } else {
    PARTITA_CHECK(edit_map(old->map().bytes(), paths, depth, count));
  }
  container.finish(count);
  return true;
}

Result<bool> ItemEditor::replace(std::optional<ValueView> old, const Edit& edit,
                                 std::size_t depth) {
  switch (edit.kind) {
    case Edit::Kind::Set:
      if (values_ == Values::NotLookedAt) return true;
      // A value within the limit may be put too deep.
      if (depth > 1 && depth + nesting_levels(ValueView(edit.value)) > kNestingLevelsMax) {
        return nesting_error();
      }
      out_.append(edit.value);
      return true;
    case Edit::Kind::Remove:
      return false;
    case Edit::Kind::Keep:
      if (old) out_.append(old->bytes());
      return old.has_value();
  }
  __builtin_unreachable();
}

}  // namespace

Result<Item> edit_item(ItemView item, OrderedPaths paths, std::span<const Edit> edits) {
  std::size_t bytes_expected = item.bytes().size();
  for (const OrderedPath& path : paths) {
    const Edit& edit = edits[path.number];
    if (edit.kind != Edit::Kind::Set) continue;
    bytes_expected += path.path.back().name().size() + kVarint32BytesMax + edit.value.size();
  }
  std::string out;
  out.reserve(bytes_expected);
  out.append(kItemHeaderBytes, kItemFormat);
  std::uint32_t count = item.count();
  PARTITA_CHECK(
      ItemEditor(edits, Values::Written, out).edit_map(item.attributes().bytes(), paths, 0, count));
  finish_item(0, count, out);
  return Item::from_encoded(std::move(out));
}

Result<void> check_edited_paths(ItemView item, OrderedPaths paths, std::span<const Edit> edits) {
  std::string ignored;
  std::uint32_t count = item.count();
  return ItemEditor(edits, Values::NotLookedAt, ignored)
      .edit_map(item.attributes().bytes(), paths, 0, count);
}

}  // namespace partita
