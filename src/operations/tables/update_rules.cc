#include "operations/tables/update_rules.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "operations/tables/constraint_list.h"
#include "operations/tables/table_rules.h"
#include "operations/tables/table_settings.h"
#include "operations/tables/throughput_rules.h"

namespace partita {
namespace {

using IndexUpdates = std::vector<GlobalSecondaryIndexUpdate>;

bool changes_index_list(const IndexUpdates& updates) {
  for (const auto& update : updates) {
    if (update.create || update.delete_index_name) return true;
  }
  return false;
}

bool creates_index(const IndexUpdates& updates) {
  return std::any_of(updates.begin(), updates.end(),
                     [](const auto& update) { return update.create.has_value(); });
}

Result<void> check_members(const UpdateTableRequest& request) {
  ConstraintList constraints;
  if (request.provisioned_throughput) {
    constraints.check_throughput(*request.provisioned_throughput, "provisionedThroughput");
  }
  if (request.global_secondary_index_updates) {
    const IndexUpdates& updates = *request.global_secondary_index_updates;
    for (std::size_t i = 0; i < updates.size(); ++i) {
      const std::string path = member_path("globalSecondaryIndexUpdates", i);
      if (updates[i].create) {
        check_index_members(*updates[i].create, path + ".create", constraints);
      }
      if (!updates[i].update) continue;
      constraints.check_name(updates[i].update->index_name, path + ".update.indexName");
      if (updates[i].update->provisioned_throughput) {
        constraints.check_throughput(*updates[i].update->provisioned_throughput,
                                     path + ".update.provisionedThroughput");
      }
    }
  }
  return constraints.result();
}

// Changes that DynamoDB makes one at a time.
Result<void> check_combination(const UpdateTableRequest& request) {
  const bool has_index_updates =
      request.global_secondary_index_updates && !request.global_secondary_index_updates->empty();
  const bool on_demand = ceilings_set(request.on_demand_throughput).has_value();
  const bool warm = units_set(request.warm_throughput).has_value();
  const int changes =
      int{request.provisioned_throughput.has_value()} + int{request.billing_mode.has_value()} +
      int{request.stream_specification.has_value()} + int{has_index_updates} +
      int{request.sse_specification.has_value()} + int{request.table_class.has_value()} +
      int{request.deletion_protection_enabled.has_value()} + int{on_demand} + int{warm};
  if (changes == 0) {
    return Error::validation(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
        "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
        "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
        "OnDemandThroughput, WarmThroughput or TableClass is required");
  }
  if (request.global_secondary_index_updates && !has_index_updates) {
    return invalid_parameters("List of GlobalSecondaryIndexUpdates is empty");
  }
  if (changes == 1) return {};
  if (request.sse_specification) {
    return invalid_parameters(
        "Server-Side Encryption modification must be the only operation in the request");
  }
  if (request.table_class) {
    return invalid_parameters("TableClass modification must be the only operation in the request");
  }
  if (request.deletion_protection_enabled) {
    return invalid_parameters(
        "DeletionProtection modification must be the only operation in the request");
  }
  if (warm) {
    if (has_index_updates && creates_index(*request.global_secondary_index_updates)) {
      return invalid_parameters(
          "Create global secondary index cannot be specified when updating WarmThroughput");
    }
    return invalid_parameters("WarmThroughput must be the only operation in the request");
  }
  if (on_demand && (changes > 2 || !request.billing_mode)) {
    return invalid_parameters(
        "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
  }
  const bool capacity_changes = request.provisioned_throughput.has_value() ||
                                request.billing_mode == BillingMode::Provisioned;
  if (request.stream_specification && capacity_changes) {
    return invalid_parameters("You cannot modify stream status while updating table IOPS");
  }
  if (has_index_updates && changes_index_list(*request.global_secondary_index_updates)) {
    if (request.provisioned_throughput) {
      return invalid_parameters("You cannot create or delete index while updating table IOPS");
    }
    if (request.stream_specification) {
      return invalid_parameters("You cannot create or delete index while changing stream status");
    }
  }
  return {};
}

Result<void> check_capacity(const UpdateTableRequest& request) {
  if (request.billing_mode == BillingMode::Provisioned && !request.provisioned_throughput) {
    return invalid_parameters(
        "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  if (!request.provisioned_throughput) return {};
  if (request.billing_mode == BillingMode::PayPerRequest) {
    return invalid_parameters(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  return check_capacity_bounds(*request.provisioned_throughput);
}

Result<void> check_stream(const std::optional<StreamSpecification>& stream) {
  if (!stream || stream->stream_enabled == stream->stream_view_type.has_value()) return {};
  return invalid_parameters(
      stream->stream_enabled
          ? "If stream is being enabled then UpdateViewType is required"
          : "If stream is being disabled, then UpdateViewType must not be specified");
}

Result<void> check_index_updates(const std::optional<IndexUpdates>& updates) {
  if (!updates) return {};
  std::set<std::string_view> names;
  for (const auto& update : *updates) {
    const int actions = int{update.create.has_value()} + int{update.update.has_value()} +
                        int{update.delete_index_name.has_value()};
    if (actions == 0) {
      return invalid_parameters(
          "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
          "GlobalSecondaryIndexUpdate.Delete must not be null");
    }
    if (actions > 1) {
      return invalid_parameters(
          "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate "
          "object");
    }
    const std::string& name = index_named_in(update);
    if (update.update && update.update->warm_throughput &&
        !units_set(update.update->warm_throughput)) {
      return invalid_parameters(
          "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond "
          "specified for index: " +
          name);
    }
    if (!names.insert(name).second) {
      return invalid_parameters(
          "Only one global secondary index update per index is allowed simultaneously. Index: " +
          name);
    }
  }
  return {};
}

}  // namespace

const std::string& index_named_in(const GlobalSecondaryIndexUpdate& update) {
  if (update.create) return update.create->index_name;
  return update.update ? update.update->index_name : *update.delete_index_name;
}

Result<void> check_update_request(const UpdateTableRequest& request) {
  PARTITA_CHECK(check_members(request));
  PARTITA_CHECK(check_combination(request));
  PARTITA_CHECK(check_capacity(request));
  PARTITA_CHECK(check_stream(request.stream_specification));
  PARTITA_CHECK(check_encryption(request.sse_specification));
  return check_index_updates(request.global_secondary_index_updates);
}

}  // namespace partita
