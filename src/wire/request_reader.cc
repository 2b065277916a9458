#include "wire/request_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "formats/value_json.h"

namespace partita {

namespace {

// In the order in which AWS lists them.
constexpr std::array<std::string_view, 5> kExpressions = {
    "ProjectionExpression", "FilterExpression", "UpdateExpression", "ConditionExpression",
    "KeyConditionExpression"};
constexpr std::array<std::string_view, 7> kLegacyParameters = {
    "AttributesToGet", "QueryFilter",   "ScanFilter",         "AttributeUpdates",
    "Expected",        "KeyConditions", "ConditionalOperator"};

template <std::size_t N>
unsigned bit_of(const std::array<std::string_view, N>& names, std::string_view name) {
  for (unsigned i = 0; i < N; ++i) {
    if (names[i] == name) return 1U << i;
  }
  return 0;
}

// "{A, B}": the names whose bit is set.
template <std::size_t N>
std::string listed(const std::array<std::string_view, N>& names, unsigned bits) {
  std::string list = "{";
  for (unsigned i = 0; i < N; ++i) {
    if ((bits >> i & 1) != 0) list.append(list.size() == 1 ? "" : ", ").append(names[i]);
  }
  return list + "}";
}

// Few placeholders, as nearly always, are compared each with each; never many, which a client could
// send to keep us busy.
template <typename Placeholder>
bool are_few_and_distinct(const std::pmr::vector<Placeholder>& given) {
  constexpr std::size_t kFew = 8;
  if (given.size() > kFew) return false;
  for (std::size_t i = 1; i < given.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (given[i].placeholder == given[j].placeholder) return false;
    }
  }
  return true;
}

// A placeholder given twice keeps its last meaning.
template <typename Placeholder>
void drop_repeated(std::pmr::vector<Placeholder>& given) {
  if (are_few_and_distinct(given)) [[likely]]
    return;
  std::pmr::vector<std::size_t> order(given.size(), given.get_allocator());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    const int by_name = given[left].placeholder.compare(given[right].placeholder);
    return by_name != 0 ? by_name < 0 : left < right;
  });
  std::pmr::vector<std::size_t> repeated(given.get_allocator());
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (given[order[i]].placeholder == given[order[i + 1]].placeholder) {
      repeated.push_back(order[i]);
    }
  }
  std::sort(repeated.begin(), repeated.end());
  std::size_t index = 0;
  auto next = repeated.begin();
  std::erase_if(given, [&](const Placeholder&) {
    if (next == repeated.end() || *next != index++) return false;
    ++next;
    return true;
  });
}

// AWS puts words before what is wrong with a starting key, but not before all of it (recorded by
// dynalite's tests).
bool is_told_bare(std::string_view message) {
  for (std::string_view part : {"contains duplicates", "number set", "numeric value",
                                "significant digits", "number with magnitude"}) {
    if (message.find(part) != std::string_view::npos) return true;
  }
  return false;
}

Error start_key_error(const Error& error) {
  const std::string prefix =
      is_told_bare(error.message()) ? "" : "The provided starting key is invalid: ";
  return Error::validation(prefix + error.message());
}

// {"NULL": false} is told bare (recorded from DynamoDB by Dynoxide).
Error attribute_value_error(const Error& error, std::string_view placeholder) {
  if (error.message().find("Null attribute value") != std::string::npos) {
    return Error::validation(error.message());
  }
  return Error::validation(
      ("ExpressionAttributeValues contains invalid value: " + error.message() + " for key ")
          .append(placeholder));
}

}  // namespace

RequestReader::RequestReader(std::string_view body, std::pmr::memory_resource* memory)
    : memory_(memory), json_(memory) {
  json_.open(body);
  json_.enter_object();
}

std::string_view RequestReader::expression(std::string_view parameter) {
  expressions_ |= bit_of(kExpressions, parameter);
  return read_text(json_);
}

ItemView RequestReader::item(ItemWriter& writer, std::optional<Error>& error) {
  writer.clear();
  ValueJsonReader reader(json_, writer, memory_);
  reader.read_item();
  error = std::move(reader.error());
  return error || json_.failed() ? ItemView() : writer.item();
}

ItemView RequestReader::next_item() {
  std::optional<Error> error;
  if (!items_) items_.emplace(memory_);
  const ItemView read = item(*items_, error);
  if (error && !item_error_) item_error_ = std::move(error);
  return ItemView(kept(read.bytes()));
}

void RequestReader::attribute_names(AttributeStore& store, ExpressionAttributes& attributes) {
  store.names.clear();
  enter_map("java.lang.String");
  for (std::string_view placeholder; next_member(placeholder);) {
    store.names.push_back({placeholder, text()});
  }
  drop_repeated(store.names);
  attributes.names = store.names;
}

void RequestReader::attribute_values(AttributeStore& store, ExpressionAttributes& attributes) {
  store.values.clear();
  ItemWriter writer(memory_);
  ValueJsonReader reader(json_, writer, memory_);
  enter_map(kAttributeValueClass);
  for (std::string_view placeholder; json_.next_member(placeholder);) {
    writer.clear();
    reader.read_value();
    if (reader.error()) {
      if (!attribute_values_error_) {
        attribute_values_error_ = attribute_value_error(*reader.error(), placeholder);
      }
    } else if (!json_.failed()) {
      store.values.push_back({placeholder, ValueView(kept(writer.bytes()))});
    }
  }
  drop_repeated(store.values);
  attributes.values = store.values;
}

Bytes RequestReader::kept(Bytes bytes) {
  char* const copy = static_cast<char*>(memory_->allocate(bytes.size(), 1));
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

void RequestReader::other(std::string_view name) {
  legacy_parameters_ |= bit_of(kLegacyParameters, name);
  json_.skip_value();
}

Result<void> RequestReader::finish_values() {
  if (legacy_parameters_ != 0) return legacy_error();
  if (item_error_) return std::move(*item_error_);
  if (start_key_error_) return start_key_error(*start_key_error_);
  if (attribute_values_error_) return std::move(*attribute_values_error_);
  return {};
}

Error RequestReader::legacy_error() const {
  const std::string legacy = listed(kLegacyParameters, legacy_parameters_);
  if (expressions_ != 0) {
    return Error::validation(
        "Can not use both expression and non-expression parameters in the same request: "
        "Non-expression parameters: " +
        legacy + " Expression parameters: " + listed(kExpressions, expressions_));
  }
  return Error::validation("Legacy parameters are not supported, use expressions instead: " +
                           legacy);
}

}  // namespace partita
