#include "partita/model/entity_plan.h"

#include "partita/model/raw_item.h"

namespace partita::model {
namespace {

constexpr std::size_t kPatternsMax = 1 + kIndexesMax;

// The keys of one object, as texts in one buffer.
class ObjectKeys {
 public:
  ObjectKeys(const EntityPlan& plan, const void* object) : plan_(plan), object_(object) {}

  Result<void> make() {
    for (std::size_t p = 0; p < plan_.patterns.size(); ++p) {
      PARTITA_CHECK(make_pattern(p));
    }
    return {};
  }
  bool present(std::size_t pattern) const { return present_[pattern]; }
  std::string_view text(std::size_t pattern, std::size_t part) const {
    const Range range = ranges_[pattern][part < kKeyAttributesMax ? 0 : 1];
    return text_.view().substr(range.start, range.length);
  }

 private:
  struct Range {
    std::uint32_t start, length;
  };

  // Only single attributes are made; those of keys with several are members.
  Result<void> make_pattern(std::size_t p) {
    const AccessPattern& pattern = plan_.patterns[p];
    present_[p] = !(pattern.when != nullptr && !is_true(pattern.when(object_)));
    if (!present_[p]) return {};
    PARTITA_CHECK(make_part(p, pattern.partition, 0));
    return make_part(p, pattern.sort, 1);
  }

  Result<void> make_part(std::size_t p, const KeyParts& parts, std::size_t which) {
    const KeyPart& part = parts.all[0];
    if (!present_[p] || parts.count == 0 || !part.written) return {};
    const std::size_t start = text_.size();
    const KeyProblem problem = write_key(*part.key, object_, text_);
    ranges_[p][which] = {static_cast<std::uint32_t>(start),
                         static_cast<std::uint32_t>(text_.size() - start)};
    if (problem == KeyProblem::None) return {};
    if (p != 0 && problem == KeyProblem::Empty) return {};
    if (p != 0 && problem == KeyProblem::Absent) return present_[p] = false, Result<void>();
    return Error(KeyIncomplete, std::string(plan_.name) + ": " + describe(problem, *part.key));
  }

  const EntityPlan& plan_;
  const void* object_;
  KeyText text_;
  Range ranges_[kPatternsMax][2];
  bool present_[kPatternsMax];
};

Error unreadable(const EntityPlan& plan, const Attribute& attribute) {
  return Error(EntityUnreadable, "the attribute '" + std::string(attribute.name) + "' of a " +
                                     std::string(plan.name) + " is " +
                                     std::string(type_name(attribute.value.type())) +
                                     " or has a value that its member cannot hold");
}

// Item and slots both ascend by name, so one pass brings them together.
Result<bool> decode_current(const EntityPlan& plan, ItemView item, void* object) {
  auto slot = plan.slots.begin();
  for (const Attribute attribute : item) {
    int order = 1;
    while (slot != plan.slots.end() && (order = slot->name.compare(attribute.name)) < 0) ++slot;
    if (slot == plan.slots.end()) break;
    if (order != 0) continue;
    if (slot->kind == AttributeSlot::Kind::Type) {
      if (!attribute.value.is(ValueType::S) || attribute.value.string() != plan.name) return false;
    } else if (slot->kind == AttributeSlot::Kind::Member) {
      if (!slot->decode(object, attribute.value)) return unreadable(plan, attribute);
    }
    ++slot;
  }
  return true;
}

int schema_version_of(const EntityPlan& plan, ItemView item) {
  const auto stored = item.find(plan.table->schema_attribute);
  std::int64_t version = 1;
  if (!stored || !stored->is(ValueType::N) ||
      !detail::read_integer(stored->ordered_number(), version)) {
    return 1;
  }
  return static_cast<int>(version);
}

bool is_of_type(const EntityPlan& plan, ItemView item) {
  const auto type = item.find(plan.table->type_attribute);
  return !type || (type->is(ValueType::S) && type->string() == plan.name);
}

}  // namespace

bool is_outdated(const EntityPlan& plan, ItemView item) {
  return plan.upgrade != nullptr && is_of_type(plan, item) &&
         schema_version_of(plan, item) < plan.schema_version;
}

bool is_true(const KeyInput& input) {
  switch (input.kind) {
    case KeyInput::Kind::Absent:
      return false;
    case KeyInput::Kind::Text:
      return !input.text.empty() && input.text != "false";
    default:
      return input.number != 0;
  }
}

void encode_key_value(const KeyPart& part, const KeyInput& native, std::string_view text,
                      ItemSink& sink) {
  sink.name(part.attribute);
  if (part.type == ScalarType::S) {
    sink.string(text);
  } else if (native.kind == KeyInput::Kind::Natural) {
    sink.natural(static_cast<std::uint64_t>(native.number));
  } else {
    sink.integer(native.number);
  }
}

Result<void> encode_entity(const EntityPlan& plan, const void* object, ItemSink& sink) {
  ObjectKeys keys(plan, object);
  PARTITA_CHECK(keys.make());
  sink.begin_item();
  for (const AttributeSlot& slot : plan.slots) {
    switch (slot.kind) {
      case AttributeSlot::Kind::Member:
        slot.encode(object, slot.name, sink);
        break;
      case AttributeSlot::Kind::Key:
        if (!keys.present(slot.pattern)) break;
        sink.name(slot.name);
        sink.string(keys.text(slot.pattern, slot.part));
        break;
      case AttributeSlot::Kind::Type:
        sink.name(slot.name);
        sink.string(plan.name);
        break;
      case AttributeSlot::Kind::Schema:
        sink.name(slot.name);
        sink.integer(plan.schema_version);
        break;
    }
  }
  sink.end_item();
  if (sink.failed()) {
    return Error(EntityInvalid, std::string(plan.name) + ": " + sink.failure());
  }
  return {};
}

Result<bool> decode_entity(const EntityPlan& plan, ItemView item, void* object) {
  if (is_outdated(plan, item)) {
    RawItem raw(item);
    plan.upgrade(schema_version_of(plan, item), raw);
    return decode_current(plan, raw.item(), object);
  }
  return decode_current(plan, item, object);
}

Result<void> encode_key(const EntityPlan& plan, const KeyInput* inputs, ItemSink& sink) {
  KeyText text;
  const AccessPattern& primary = plan.primary();
  sink.begin_item();
  const auto encode_part = [&](const KeyPart& part) -> Result<void> {
    const std::size_t start = text.size();
    const KeyProblem problem = write_key(*part.key, inputs, part.key->count, text);
    if (problem != KeyProblem::None) {
      return Error(KeyIncomplete, std::string(plan.name) + ": " + describe(problem, *part.key));
    }
    encode_key_value(part, inputs[0], text.view().substr(start), sink);
    inputs += part.key->count;
    return {};
  };
  PARTITA_CHECK(encode_part(primary.partition.all[0]));
  if (primary.sort.count != 0) PARTITA_CHECK(encode_part(primary.sort.all[0]));
  sink.end_item();
  return {};
}

Result<void> encode_key(const EntityPlan& plan, const void* object, ItemSink& sink) {
  KeyInput inputs[2 * kKeyPiecesMax];
  std::size_t next = 0;
  const auto add = [&](const KeyPart& part) {
    for (std::size_t i = 0; i < part.key->count; ++i) {
      inputs[next++] = part.key->pieces[i].input(object);
    }
  };
  add(plan.primary().partition.all[0]);
  if (plan.primary().sort.count != 0) add(plan.primary().sort.all[0]);
  return encode_key(plan, inputs, sink);
}

}  // namespace partita::model
