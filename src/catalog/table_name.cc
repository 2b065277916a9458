#include "catalog/table_name.h"

#include <algorithm>

namespace partita {
namespace {

Error constraint_error(std::string_view value, std::string_view constraint) {
  std::string message = "1 validation error detected: Value '";
  message.append(value);
  message.append("' at 'tableName' failed to satisfy constraint: ");
  message.append(constraint);
  return Error::validation(std::move(message));
}

Error malformed_arn(std::string_view arn) {
  return constraint_error(
      arn,
      "Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/"
      "resourceName', where Resource name must have length less than or equal to 255, Resource "
      "name "
      "must have length greater than or equal to 3, Resource name must satisfy regular expression "
      "pattern: [a-zA-Z0-9_.-]+");
}

}  // namespace

bool has_name_characters(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), allowed);
}

Result<std::string_view> table_name_in(std::string_view name_or_arn) {
  if (!name_or_arn.starts_with("arn:")) return name_or_arn;
  std::string_view rest = name_or_arn;
  for (int field = 0; field < 5; ++field) {  // arn, partition, vendor, region, account
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return malformed_arn(name_or_arn);
    rest.remove_prefix(colon + 1);
  }
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return malformed_arn(name_or_arn);
  if (rest.substr(0, slash) != "table") {
    return constraint_error(name_or_arn, "Invalid resource type");
  }
  const std::string_view name = rest.substr(slash + 1);
  if (name.size() < kTableNameBytesMin) {
    return constraint_error(name_or_arn,
                            "Table name of ARN must have length greater than or equal to 3");
  }
  if (name.size() > kTableNameBytesMax || !has_name_characters(name)) {
    return malformed_arn(name_or_arn);
  }
  return name;
}

std::optional<Error> name_problem(std::string_view table_name) {
  if (table_name.empty()) {
    return constraint_error(table_name, "Member must have length greater than or equal to 1");
  }
  if (table_name.size() < kTableNameBytesMin) {
    return constraint_error(table_name, "Member must have length greater than or equal to 3");
  }
  if (table_name.size() > kTableNameBytesMax) {
    return constraint_error(table_name, "Member must have length less than or equal to 255");
  }
  if (!has_name_characters(table_name)) {
    return constraint_error(table_name,
                            "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  }
  return std::nullopt;
}

std::string table_arn(std::string_view region, std::string_view account_id,
                      std::string_view table_name) {
  std::string arn = "arn:aws:dynamodb:";
  arn.append(region).append(":").append(account_id).append(":table/").append(table_name);
  return arn;
}

}  // namespace partita
