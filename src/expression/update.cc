#include "expression/update.h"

#include <algorithm>
#include <cstring>
#include <memory_resource>

#include "base/coding.h"
#include "expression/item_edit.h"
#include "expression/set_operations.h"
#include "value/item_size.h"
#include "value/number.h"

namespace partita {
namespace {

using Kind = UpdateAction::Kind;

// More than the encoded values of any item take. The worst are lists of sets of one empty text: ten
// bytes, of which DynamoDB charges one.
constexpr std::size_t kSetBytesMax = 16 * kItemBytesMax;

bool writes(const UpdateAction& action) {
  return action.kind == Kind::Set || action.kind == Kind::Add;
}

// Computes what the actions of one update make of one item. New values live in `memory`.
class ActionValues {
 public:
  ActionValues(const BoundTree& bound, ItemView item, std::pmr::memory_resource* memory)
      : bound_(bound), item_(item), memory_(memory) {}

  Result<Edit> edit_of(const UpdateAction& action) const {
    switch (action.kind) {
      case Kind::Set: {
        PARTITA_TRY(const ValueView value, operand(action.value));
        return set(value);
      }
      case Kind::Remove:
        return Edit{Edit::Kind::Remove};
      case Kind::Add:
        return added(old_value(action), bound_.value(bound_.node(action.value)));
      case Kind::Delete:
        return deleted(old_value(action), bound_.value(bound_.node(action.value)));
    }
    __builtin_unreachable();
  }

 private:
  Error wrong_data_type() const {
    return Error::validation(bound_.tree->is_expression
                                 ? "An operand in the update expression has an incorrect data type"
                                 : "Type mismatch for attribute to update");
  }

  static Edit set(ValueView value) { return {Edit::Kind::Set, value.bytes()}; }

  std::optional<ValueView> old_value(const UpdateAction& action) const {
    return find_path(item_, bound_.path(bound_.node(action.path)));
  }

  Result<Edit> added(std::optional<ValueView> old, ValueView value) const {
    if (!old) return set(value);
    if (old->type() != value.type()) return wrong_data_type();
    if (value.is(ValueType::L)) return set(list_append(*old, value));  // AttributeUpdates only
    if (!value.is(ValueType::N)) return set(set_union(*old, value, memory_));
    PARTITA_TRY(const OrderedNumber sum,
                add_numbers(old->ordered_number(), value.ordered_number()));
    return set(number(sum));
  }

  Result<Edit> deleted(std::optional<ValueView> old, ValueView value) const {
    if (!old) return Edit{};
    if (old->type() != value.type()) return wrong_data_type();
    const auto left = set_difference(*old, value, memory_);
    return left ? set(*left) : Edit{Edit::Kind::Remove};
  }

  // The right-hand side of a SET. if_not_exists nests no deeper than 4096 bytes of text allow.
  Result<ValueView> operand(NodeIndex index) const {
    const Node& node = bound_.node(index);
    if (node.kind == NodeKind::Value) return bound_.value(node);
    if (node.kind == NodeKind::Path) {
      const auto found = find_path(item_, bound_.path(node));
      if (found) return *found;
      return Error::validation(
          "The provided expression refers to an attribute that does not exist in the item");
    }
    const auto operands = bound_.tree->operands_of(node);
    switch (node.kind) {
      case NodeKind::IfNotExists: {
        const auto found = find_path(item_, bound_.path(bound_.node(operands[0])));
        return found ? Result<ValueView>(*found) : operand(operands[1]);
      }
      case NodeKind::ListAppend: {
        PARTITA_TRY(const ValueView left, operand_of_type(operands[0], ValueType::L));
        PARTITA_TRY(const ValueView right, operand_of_type(operands[1], ValueType::L));
        return list_append(left, right);
      }
      default: {
        PARTITA_TRY(const ValueView left, operand_of_type(operands[0], ValueType::N));
        PARTITA_TRY(const ValueView right, operand_of_type(operands[1], ValueType::N));
        const auto compute = node.kind == NodeKind::Plus ? add_numbers : subtract_numbers;
        PARTITA_TRY(const OrderedNumber result,
                    compute(left.ordered_number(), right.ordered_number()));
        return number(result);
      }
    }
  }

  Result<ValueView> operand_of_type(NodeIndex index, ValueType type) const {
    PARTITA_TRY(const ValueView value, operand(index));
    if (!value.is(type)) return wrong_data_type();
    return value;
  }

  char* allocate(std::size_t bytes) const {
    return static_cast<char*>(memory_->allocate(bytes, 1));
  }

  ValueView number(const OrderedNumber& result) const {
    const Bytes digits = result.bytes();
    char* const bytes = allocate(2 + digits.size());
    bytes[0] = encoding::kNumber;
    bytes[1] = static_cast<char>(digits.size());
    std::memcpy(bytes + 2, digits.data(), digits.size());
    return ValueView(Bytes(bytes, 2 + digits.size()));
  }

  ValueView list_append(ValueView left, ValueView right) const {
    constexpr std::size_t header_bytes = 9;
    const Bytes more = right.bytes().substr(header_bytes);
    const std::size_t size = left.bytes().size() + more.size();
    char* const bytes = allocate(size);
    std::memcpy(bytes, left.bytes().data(), left.bytes().size());
    std::memcpy(bytes + left.bytes().size(), more.data(), more.size());
    write_u32(bytes + 1, static_cast<std::uint32_t>(size - header_bytes));
    write_u32(bytes + 5, left.count() + right.count());
    return ValueView(Bytes(bytes, size));
  }

  const BoundTree& bound_;
  ItemView item_;
  std::pmr::memory_resource* memory_;
};

}  // namespace

Result<PathSet> target_paths(const BoundTree& bound, std::pmr::memory_resource* memory) {
  PathSet targets(memory);
  targets.reserve(bound.tree->actions.size());
  for (const UpdateAction& action : bound.tree->actions) {
    targets.add(bound.path(bound.node(action.path)));
  }
  PARTITA_CHECK(targets.put_in_order());
  return targets;
}

Error updated_item_too_large() {
  return Error::validation("Item size to update has exceeded the maximum allowed size");
}

Result<Item> Update::apply(ItemView previous) const {
  char edits_room[512], values_room[1024];
  std::pmr::monotonic_buffer_resource edits_memory(edits_room, sizeof edits_room);
  std::pmr::monotonic_buffer_resource memory(values_room, sizeof values_room);
  const std::vector<UpdateAction>& actions = bound_.tree->actions;
  const ActionValues values(bound_, previous, &memory);
  std::pmr::vector<Edit> edits(actions.size(), &edits_memory);
  std::size_t set_bytes = 0;
  // DynamoDB looks at the values of SET first.
  for (const bool sets : {true, false}) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if ((actions[i].kind == Kind::Set) != sets) continue;
      PARTITA_TRY(edits[i], values.edit_of(actions[i]));
      set_bytes += edits[i].value.size();
      if (set_bytes > kSetBytesMax) [[unlikely]]
        memory.release();  // only whether the other actions can be done is still to be told
    }
  }
  if (set_bytes > kSetBytesMax) [[unlikely]] {
    PARTITA_CHECK(check_edited_paths(previous, targets_.ordered(), edits));
    return updated_item_too_large();
  }
  return edit_item(previous, targets_.ordered(), edits);
}

Item Update::touched_attributes(ItemView item) const {
  std::string bytes;
  targets_.project(item, bytes);
  return Item::from_encoded(std::move(bytes));
}

std::optional<Update::Given> Update::given_to(std::string_view attribute) const {
  for (const UpdateAction& action : bound_.tree->actions) {
    const PathView path = bound_.path(bound_.node(action.path));
    if (!writes(action) || path.size() != 1 || path.front().name() != attribute) continue;
    const Node& value = bound_.node(action.value);
    switch (value.kind) {
      case NodeKind::Value:
        return Given{bound_.value(value).type(), bound_.value(value)};
      case NodeKind::Plus:
      case NodeKind::Minus:
        return Given{ValueType::N};
      case NodeKind::ListAppend:
        return Given{ValueType::L};
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

bool Update::writes_top_level(std::string_view attribute) const {
  const OrderedPaths targets = targets_.ordered();
  return std::any_of(targets.begin(), targets.end(), [&](const OrderedPath& target) {
    return target.path.front().name() == attribute;
  });
}

void Update::for_each_target(FunctionRef<void(PathView)> visit) const {
  for (const UpdateAction& action : bound_.tree->actions) {
    visit(bound_.path(bound_.node(action.path)));
  }
}

std::size_t Update::writing_actions() const {
  const auto& actions = bound_.tree->actions;
  return static_cast<std::size_t>(std::count_if(actions.begin(), actions.end(), writes));
}

std::size_t Update::clearing_actions() const {
  return bound_.tree->actions.size() - writing_actions();
}

}  // namespace partita
