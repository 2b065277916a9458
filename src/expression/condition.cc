#include "expression/condition.h"

#include <algorithm>
#include <cstring>

#include "value/number.h"

namespace partita {
namespace {

// Room for the one value that is made rather than found: what size() yields.
struct NumberRoom {
  char bytes[2 + kOrderedNumberBytesMax];

  ValueView hold(std::uint64_t number) {
    const OrderedNumber ordered = number_from(static_cast<std::int64_t>(number));
    const Bytes digits = ordered.bytes();
    bytes[0] = encoding::kNumber;
    bytes[1] = static_cast<char>(digits.size());
    std::memcpy(bytes + 2, digits.data(), digits.size());
    return ValueView(Bytes(bytes, 2 + digits.size()));
  }
};

// Strings are measured in UTF-16 code units, as Java measures them.
std::uint64_t string_length(std::string_view text) {
  std::uint64_t units = 0;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80 ? 1 : 0;
    units += byte >= 0xF0 ? 1 : 0;  // beyond the basic plane: a surrogate pair
  }
  return units;
}

std::optional<std::uint64_t> size_of(ValueView value) {
  switch (value.type()) {
    case ValueType::S:
      return string_length(value.string());
    case ValueType::B:
      return value.binary().size();
    case ValueType::N:
    case ValueType::BOOL:
    case ValueType::NULL_:
      return std::nullopt;
    default:
      return value.count();
  }
}

// The bytes that order S, N and B; other types have no order.
std::optional<Bytes> ordered_bytes(ValueView value) {
  switch (value.type()) {
    case ValueType::S:
      return value.string();
    case ValueType::N:
      return value.ordered_number();
    case ValueType::B:
      return value.binary();
    default:
      return std::nullopt;
  }
}

bool begins_with(ValueView value, ValueView prefix) {
  if (value.type() != prefix.type()) return false;
  if (value.is(ValueType::S)) return value.string().starts_with(prefix.string());
  return value.is(ValueType::B) && value.binary().starts_with(prefix.binary());
}

// Both may be as long as an item, and what is wanted may be found nearly everywhere: string_view's
// find takes the product of the lengths for that, memmem their sum.
bool contains_part(Bytes whole, Bytes part) {
  return part.empty() || ::memmem(whole.data(), whole.size(), part.data(), part.size()) != nullptr;
}

bool contains(ValueView value, ValueView wanted) {
  switch (value.type()) {
    case ValueType::S:
      return wanted.is(ValueType::S) && contains_part(value.string(), wanted.string());
    case ValueType::B:
      return wanted.is(ValueType::B) && contains_part(value.binary(), wanted.binary());
    case ValueType::SS:
      return wanted.is(ValueType::S) && value.set().contains(wanted.string());
    case ValueType::NS:
      return wanted.is(ValueType::N) && value.set().contains(wanted.ordered_number());
    case ValueType::BS:
      return wanted.is(ValueType::B) && value.set().contains(wanted.binary());
    case ValueType::L: {
      const ListView list = value.list();
      return std::find(list.begin(), list.end(), wanted) != list.end();
    }
    default:
      return false;
  }
}

// One evaluation over one item. Conditions nest no deeper than there are operators (300), operands
// no deeper than size(path), so recursion is bounded.
class Evaluation {
 public:
  Evaluation(const BoundTree& bound, ItemView item) : bound_(bound), item_(item) {}

  bool holds(NodeIndex index) const {
    const Node& node = bound_.node(index);
    const auto operands = bound_.tree->operands_of(node);
    switch (node.kind) {
      case NodeKind::And:
        return holds(operands[0]) && holds(operands[1]);
      case NodeKind::Or:
        return holds(operands[0]) || holds(operands[1]);
      case NodeKind::Not:
        return !holds(operands[0]);
      case NodeKind::Between:
        return compares(NodeKind::LessOrEqual, operands[1], operands[0]) &&
               compares(NodeKind::LessOrEqual, operands[0], operands[2]);
      case NodeKind::In:
        return is_in(operands);
      default:
        return is_function(node.kind) ? function_holds(node.kind, operands)
                                      : compares(node.kind, operands[0], operands[1]);
    }
  }

 private:
  using Operands = std::span<const NodeIndex>;

  std::optional<ValueView> operand(NodeIndex index, NumberRoom& room) const {
    const Node& node = bound_.node(index);
    if (node.kind == NodeKind::Value) return bound_.value(node);
    if (node.kind == NodeKind::Path) return find_path(item_, bound_.path(node));
    const auto measured = operand(bound_.tree->operands_of(node)[0], room);  // size()
    const auto size = measured ? size_of(*measured) : std::nullopt;
    if (!size) return std::nullopt;
    return room.hold(*size);
  }

  bool compares(NodeKind comparator, NodeIndex left_index, NodeIndex right_index) const {
    NumberRoom left_room, right_room;
    const auto left = operand(left_index, left_room);
    const auto right = operand(right_index, right_room);
    if (!left || !right) return comparator == NodeKind::NotEqual;
    if (comparator == NodeKind::Equal) return *left == *right;
    if (comparator == NodeKind::NotEqual) return !(*left == *right);
    if (left->type() != right->type()) return false;
    const auto left_bytes = ordered_bytes(*left);
    if (!left_bytes) return false;
    const int order = left_bytes->compare(*ordered_bytes(*right));
    switch (comparator) {
      case NodeKind::Less:
        return order < 0;
      case NodeKind::LessOrEqual:
        return order <= 0;
      case NodeKind::Greater:
        return order > 0;
      default:
        return order >= 0;
    }
  }

  bool is_in(Operands operands) const {
    NumberRoom room;
    const auto value = operand(operands[0], room);
    if (!value) return false;
    return std::any_of(operands.begin() + 1, operands.end(), [&](NodeIndex listed_index) {
      NumberRoom listed_room;
      const auto listed = operand(listed_index, listed_room);
      return listed && *listed == *value;
    });
  }

  bool function_holds(NodeKind function, Operands operands) const {
    NumberRoom first_room, second_room;
    const auto first = operand(operands[0], first_room);
    if (function == NodeKind::AttributeExists) return first.has_value();
    if (function == NodeKind::AttributeNotExists) return !first;
    const auto second = operand(operands[1], second_room);
    if (!first || !second) return false;
    if (function == NodeKind::AttributeType) return type_name(first->type()) == second->string();
    return function == NodeKind::BeginsWith ? begins_with(*first, *second)
                                            : contains(*first, *second);
  }

  const BoundTree& bound_;
  ItemView item_;
};

}  // namespace

bool Condition::holds(std::optional<ItemView> item) const {
  return Evaluation(bound_, item.value_or(ItemView())).holds(bound_.tree->root());
}

bool Condition::names_top_level(std::string_view attribute) const {
  bool found = false;
  for_each_path([&](PathView path) { found = found || path.front().name() == attribute; });
  return found;
}

}  // namespace partita
