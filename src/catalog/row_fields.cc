#include "catalog/row_fields.h"

#include <charconv>

#include "value/number.h"

namespace partita {

std::optional<std::int64_t> whole_number(Bytes ordered) {
  std::string digits;
  print_number(ordered, digits);
  std::int64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<ValueView> RowFields::find(std::string_view name, ValueType type) const {
  const auto value = fields_.find(name);
  if (!value) return std::nullopt;
  if (!value->is(type)) {
    reject(name);
    return std::nullopt;
  }
  return value;
}

void RowFields::reject(std::string_view name) const {
  if (problem_.empty()) problem_.append("field '").append(name).append("' makes no sense");
}

std::optional<std::string> RowFields::find_string(std::string_view name) const {
  const auto value = find(name, ValueType::S);
  if (!value) return std::nullopt;
  return std::string(value->string());
}

std::optional<std::int64_t> RowFields::find_integer(std::string_view name) const {
  const auto value = find(name, ValueType::N);
  if (!value) return std::nullopt;
  const auto number = whole_number(value->ordered_number());
  if (!number) reject(name);
  return number;
}

std::optional<RowFields> RowFields::find_map(std::string_view name) const {
  const auto value = find(name, ValueType::M);
  if (!value) return std::nullopt;
  return RowFields(value->map(), problem_);
}

std::string RowFields::string(std::string_view name) const {
  auto text = find_string(name);
  if (!text) {
    reject(name);
    return {};
  }
  return *std::move(text);
}

std::int64_t RowFields::integer(std::string_view name) const {
  const auto number = find_integer(name);
  if (!number) reject(name);
  return number.value_or(0);
}

bool RowFields::boolean(std::string_view name) const {
  const auto value = find(name, ValueType::BOOL);
  return value && value->boolean();
}

Error damaged_row(std::string_view row, std::string_view problem) {
  std::string message = "The catalog of this database is damaged: ";
  message.append(row).append(": ").append(problem).append(".");
  return Error(ErrorCode::CannotOpen, std::move(message));
}

Result<ItemView> check_row(Bytes bytes, std::int64_t format_known, std::string_view row) {
  const auto item = check_item(bytes);
  if (!item) return damaged_row(row, item.error().message());
  std::string problem;
  const std::int64_t format = RowFields(item->attributes(), problem).integer("format");
  if (!problem.empty() || format < 1) return damaged_row(row, "it has no format");
  if (format > format_known) {
    std::string message = "This database was made by a newer version of Partita: ";
    message.append(row).append(" has format ").append(std::to_string(format));
    message.append(", this version knows formats up to ").append(std::to_string(format_known));
    message.append(".");
    return Error(ErrorCode::CannotOpen, std::move(message));
  }
  return *item;
}

void write_field(ItemWriter& writer, std::string_view name, std::string_view text) {
  writer.name(name);
  writer.string(text);
}

void write_field(ItemWriter& writer, std::string_view name, std::int64_t number) {
  writer.name(name);
  writer.ordered_number(number_from(number).bytes());
}

void write_flag(ItemWriter& writer, std::string_view name, bool value) {
  writer.name(name);
  writer.boolean(value);
}

}  // namespace partita
