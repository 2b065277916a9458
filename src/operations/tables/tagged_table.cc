#include "operations/tables/tagged_table.h"

#include <array>
#include <string_view>

#include "catalog/table_lifecycle.h"
#include "catalog/table_name.h"
#include "operations/tables/tag_rules.h"
#include "operations/tables/throughput_rules.h"

namespace partita {
namespace {

// arn:<partition>:<service>:<region>:<account>:<resource>
struct ArnParts {
  std::string_view partition, service, region, account, resource;
};

struct ArnField {
  std::string_view ArnParts::*part;
  const char* missing;  // what AWS says when no colon ends it
};
constexpr std::array<ArnField, 4> kArnFields = {
    {{&ArnParts::partition, "Second colon partition not found: "},
     {&ArnParts::service, "Third colon vendor not found: "},
     {&ArnParts::region, "Fourth colon (region/namespace delimiter) not found: "},
     {&ArnParts::account, "Fifth colon (namespace/relative-id delimiter) not found: "}}};

constexpr std::string_view kArnStart = "arn:";
constexpr std::string_view kTableResource = "table/";

Result<ArnParts> parse_arn(const std::string& arn) {
  if (!arn.starts_with(kArnStart)) {
    return invalid_parameters("ARNs must start with 'arn:': " + arn);
  }
  ArnParts parts;
  std::string_view rest = std::string_view(arn).substr(kArnStart.size());
  for (const auto& [part, missing] : kArnFields) {
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return invalid_parameters(missing + arn);
    parts.*part = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
  }
  parts.resource = rest;
  return parts;
}

Error access_denied() { return Error(ErrorCode::AccessDenied, "Access is denied"); }

Error not_a_table_arn(const std::string& arn) {
  return Error::validation("Invalid TableArn: Invalid ResourceArn provided as input " + arn);
}

Error no_such_resource(const std::string& arn) {
  return Error::resource_not_found("Requested resource not found: ResourceArn: " + arn +
                                   " not found");
}

}  // namespace

Result<void> check_resource_arn(const std::string& arn) {
  PARTITA_TRY(const ArnParts parts, parse_arn(arn));
  if (parts.service != "dynamodb") return access_denied();
  std::string_view name = parts.resource;
  std::string_view part_of_table;
  if (name.starts_with(kTableResource)) {
    name.remove_prefix(kTableResource.size());
    if (const std::size_t slash = name.find('/'); slash != std::string_view::npos) {
      part_of_table = name.substr(slash + 1);
      name = name.substr(0, slash);
    }
  }
  if (part_of_table.starts_with("index/")) {
    return invalid_parameters(
        "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " +
        arn);
  }
  if (part_of_table.starts_with("stream/")) return no_such_resource(arn);
  if (name == parts.resource || !part_of_table.empty()) {
    return invalid_parameters("Provided Arn is not a DynamoDB resource arn: " + arn);
  }
  if (name.size() < kTableNameBytesMin || name.size() > kTableNameBytesMax ||
      !has_name_characters(name) || parts.resource.ends_with('/')) {
    return not_a_table_arn(arn);
  }
  return {};
}

Result<TablePointer> tagged_table(const OperationContext& context, const std::string& arn) {
  PARTITA_TRY(const ArnParts parts, parse_arn(arn));
  const std::string_view name = parts.resource.substr(kTableResource.size());
  TablePointer table = context.catalog.find_any(name, context.now);
  depend_on(context, context.catalog.latest());
  if (table && serves_items(*table, context.now)) return table;
  if (parts.account != context.options.account_id) return access_denied();
  if (parts.region != context.options.region || parts.partition != "aws") {
    return not_a_table_arn(arn);
  }
  return no_such_resource(arn);
}

Result<void> change_tags(const OperationContext& context, const std::string& arn,
                         FunctionRef<bool(std::vector<Tag>&)> change) {
  for (;;) {
    PARTITA_TRY(const TablePointer table, tagged_table(context, arn));
    TableSchema changed = *table;
    if (!change(changed.tags)) return {};
    PARTITA_CHECK(check_tag_count(changed.tags.size()));
    auto updated = context.catalog.update(table, std::move(changed), context.now);
    if (!updated && updated.error().code() == ErrorCode::Conflict) continue;  // decide again
    PARTITA_TRY(const Catalog::Change kept, std::move(updated));
    depend_on(context, kept.version);
    return {};
  }
}

}  // namespace partita
