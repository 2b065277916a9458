#include "operations/tables/constraint_list.h"

#include <algorithm>

#include "catalog/table_name.h"

namespace partita {
namespace {

constexpr std::size_t kProblemsMax = 10;  // DynamoDB tells no more at once
constexpr std::size_t kSchemaAttributeNameBytesMax = 255;

std::string length_at_least(std::size_t length) {
  return "Member must have length greater than or equal to " + std::to_string(length);
}

std::string length_at_most(std::size_t length) {
  return "Member must have length less than or equal to " + std::to_string(length);
}

std::string as_text(const std::vector<KeySchemaElement>& key_schema) {
  std::string text = "[";
  for (const KeySchemaElement& element : key_schema) {
    if (text.size() > 1) text.append(", ");
    text.append("KeySchemaElement(attributeName=").append(element.name);
    text.append(element.type == KeyType::Hash ? ", keyType=HASH)" : ", keyType=RANGE)");
  }
  return text.append("]");
}

}  // namespace

std::string member_path(std::string_view list, std::size_t index) {
  return std::string(list) + "." + std::to_string(index + 1) + ".member";
}

void ConstraintList::add(std::string_view value, std::string_view path,
                         std::string_view constraint) {
  std::string problem = "Value '";
  problem.append(value).append("' at '").append(path);
  problem.append("' failed to satisfy constraint: ").append(constraint);
  problems_.push_back(std::move(problem));
}

void ConstraintList::check_name(std::string_view name, std::string_view path) {
  if (!name.empty() && !has_name_characters(name)) {
    add(name, path, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  }
  if (name.size() < kTableNameBytesMin) add(name, path, length_at_least(kTableNameBytesMin));
  if (name.size() > kTableNameBytesMax) add(name, path, length_at_most(kTableNameBytesMax));
}

void ConstraintList::check_attribute_name(std::string_view name, std::string_view path) {
  if (name.empty()) add(name, path, length_at_least(1));
  if (name.size() > kSchemaAttributeNameBytesMax) {
    add(name, path, length_at_most(kSchemaAttributeNameBytesMax));
  }
}

void ConstraintList::check_key_schema(const std::vector<KeySchemaElement>& key_schema,
                                      const std::string& path, std::size_t elements_max) {
  if (key_schema.empty()) add("[]", path, length_at_least(1));
  if (key_schema.size() > elements_max) {
    add(as_text(key_schema), path, length_at_most(elements_max));
  }
  for (std::size_t i = 0; i < key_schema.size(); ++i) {
    check_attribute_name(key_schema[i].name, member_path(path, i) + ".attributeName");
  }
}

void ConstraintList::check_at_least_one(std::int64_t value, const std::string& path) {
  if (value < 1) {
    add(std::to_string(value), path, "Member must have value greater than or equal to 1");
  }
}

void ConstraintList::check_throughput(const ProvisionedThroughput& throughput,
                                      const std::string& path) {
  check_at_least_one(throughput.write_capacity_units, path + ".writeCapacityUnits");
  check_at_least_one(throughput.read_capacity_units, path + ".readCapacityUnits");
}

Result<void> ConstraintList::result() const {
  if (problems_.empty()) return {};
  const std::size_t told = std::min(problems_.size(), kProblemsMax);
  std::string message = std::to_string(told);
  message.append(told == 1 ? " validation error detected: " : " validation errors detected: ");
  for (std::size_t i = 0; i < told; ++i) {
    if (i > 0) message.append("; ");
    message.append(problems_[i]);
  }
  return Error::validation(std::move(message));
}

}  // namespace partita
