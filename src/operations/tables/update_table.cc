// UpdateTable: billing mode, capacity, global indexes, stream, encryption, class, deletion
// protection.
#include <algorithm>

#include "catalog/table_lifecycle.h"
#include "operations/tables/capacity_decreases.h"
#include "operations/tables/index_updates.h"
#include "operations/tables/named_table.h"
#include "operations/tables/table_description.h"
#include "operations/tables/table_operations.h"
#include "operations/tables/table_settings.h"
#include "operations/tables/throughput_rules.h"
#include "operations/tables/update_rules.h"

namespace partita {
namespace {

// "the table" or "the index gsi1" in the message about a capacity that stays as it is.
Error capacity_unchanged(const ProvisionedThroughput& current, const ThroughputOwner& owner) {
  const std::string subject = owner.is_table() ? "the table" : "the index " + owner.index_name();
  const std::string place = owner.is_table() ? "the table" : "index " + owner.index_name();
  const std::string read = std::to_string(current.read_capacity_units);
  const std::string write = std::to_string(current.write_capacity_units);
  return Error::validation(
      "The provisioned throughput for " + subject +
      " will not change. The requested value equals the current value. Current ReadCapacityUnits "
      "provisioned for " +
      place + ": " + read + ". Requested ReadCapacityUnits: " + read +
      ". Current WriteCapacityUnits provisioned for " + place + ": " + write +
      ". Requested WriteCapacityUnits: " + write +
      ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher "
      "limits.");
}

ProvisionedThroughput units(const ProvisionedThroughputDescription& description) {
  return {description.read_capacity_units, description.write_capacity_units};
}

bool lowers(const ProvisionedThroughput& wanted, const ProvisionedThroughputDescription& capacity) {
  return wanted.read_capacity_units < capacity.read_capacity_units ||
         wanted.write_capacity_units < capacity.write_capacity_units;
}

void set_capacity(ProvisionedThroughputDescription& capacity, const ProvisionedThroughput& wanted,
                  TimePoint now) {
  const double time = seconds_since_epoch(now);
  if (wanted.read_capacity_units > capacity.read_capacity_units ||
      wanted.write_capacity_units > capacity.write_capacity_units) {
    capacity.last_increase = time;
  }
  if (lowers(wanted, capacity)) {
    capacity.number_of_decreases_today = decreases_today(capacity, now) + 1;
    capacity.last_decrease = time;
  }
  capacity.read_capacity_units = wanted.read_capacity_units;
  capacity.write_capacity_units = wanted.write_capacity_units;
}

// One UpdateTable on a copy of the table's schema.
class TableUpdate {
 public:
  TableUpdate(const OperationContext& context, const UpdateTableRequest& request,
              const TableSchema& table)
      : context_(context), request_(request), table_(table), before_(table) {}

  Result<TableSchema> apply() {
    PARTITA_CHECK(change_capacity());
    PARTITA_CHECK(change_indexes());
    PARTITA_CHECK(change_billing_mode());
    stay_warm(table_, before_);
    for (std::size_t i = 0; i < before_.global_indexes.size();
         ++i) {  // a new one stands at the end
      stay_warm(table_.global_indexes[i], before_.global_indexes[i]);
    }
    PARTITA_CHECK(change_ceilings());
    PARTITA_CHECK(change_warm_throughput());
    PARTITA_CHECK(change_stream());
    PARTITA_CHECK(change_encryption());
    if (request_.table_class &&
        (table_.table_class || *request_.table_class != TableClass::Standard)) {
      table_.table_class = request_.table_class;
    }
    if (request_.deletion_protection_enabled) {
      table_.deletion_protection = *request_.deletion_protection_enabled;
    }
    return std::move(table_);
  }

 private:
  BillingMode mode_wanted() const { return request_.billing_mode.value_or(before_.billing_mode); }

  // Of the table or of an index, whose capacity may have gone down: what it was ready for it stays
  // ready for.
  template <typename Owner>
  void stay_warm(Owner& owner, const Owner& before) const {
    const WarmThroughput was =
        warm_throughput_of(before.warm_throughput, before_.billing_mode, before.throughput);
    const WarmThroughput is =
        warm_throughput_of(owner.warm_throughput, table_.billing_mode, owner.throughput);
    if (was.read_units_per_second <= is.read_units_per_second &&
        was.write_units_per_second <= is.write_units_per_second) {
      return;
    }
    owner.warm_throughput =
        WarmThroughput{std::max(was.read_units_per_second, is.read_units_per_second),
                       std::max(was.write_units_per_second, is.write_units_per_second)};
  }

  Result<void> change_capacity() {
    if (!request_.provisioned_throughput) return {};
    if (mode_wanted() == BillingMode::PayPerRequest) {
      return invalid_parameters(
          "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
          "PAY_PER_REQUEST");
    }
    if (*request_.provisioned_throughput == units(table_.throughput)) {
      return capacity_unchanged(*request_.provisioned_throughput, ThroughputOwner::table());
    }
    if (lowers(*request_.provisioned_throughput, table_.throughput)) {
      PARTITA_CHECK(check_decrease(table_.throughput, context_.now));
    }
    set_capacity(table_.throughput, *request_.provisioned_throughput, context_.now);
    return {};
  }

  Result<void> change_indexes() {
    if (!request_.global_secondary_index_updates) return {};
    PARTITA_CHECK(check_one_at_a_time(request_, table_));
    for (const auto& update : *request_.global_secondary_index_updates) {
      if (update.create) {
        PARTITA_CHECK(create_index(request_, *update.create, mode_wanted(), table_));
        continue;
      }
      const auto action = update.update ? IndexAction::Update : IndexAction::Delete;
      PARTITA_TRY(IndexSchema * index, find_global_index(index_named_in(update), action, table_));
      if (update.update) {
        PARTITA_CHECK(change_index(*index, *update.update));
      } else {
        index->phase = IndexPhase::Leaving;
        index->backfilling = false;
      }
    }
    return {};
  }

  Result<void> change_index(IndexSchema& index,
                            const GlobalSecondaryIndexThroughputUpdate& update) {
    const auto owner = ThroughputOwner::index(index.name);
    const bool warms_or_limits =
        ceilings_set(update.on_demand_throughput) || update.warm_throughput;
    if (mode_wanted() == BillingMode::PayPerRequest &&
        (update.provisioned_throughput || !warms_or_limits)) {
      return invalid_parameters("The only Updates for index: " + index.name +
                                " when TableThroughputMode is PAY_PER_REQUEST can be to "
                                "OnDemandThroughput, WarmThroughput");
    }
    if (update.provisioned_throughput) {
      PARTITA_CHECK(check_capacity_bounds(*update.provisioned_throughput));
      if (*update.provisioned_throughput == units(index.throughput)) {
        return capacity_unchanged(*update.provisioned_throughput, owner);
      }
      if (lowers(*update.provisioned_throughput, index.throughput)) {
        PARTITA_CHECK(check_decrease(index.throughput, context_.now));
      }
      set_capacity(index.throughput, *update.provisioned_throughput, context_.now);
    }
    PARTITA_CHECK(merge_ceilings(index.on_demand_throughput, update.on_demand_throughput, owner));
    if (update.warm_throughput) {
      return merge_warm(index.warm_throughput, *update.warm_throughput, index.throughput, owner);
    }
    return {};
  }

  Result<void> change_billing_mode() {
    if (!request_.billing_mode || *request_.billing_mode == before_.billing_mode) return {};
    table_.billing_mode = *request_.billing_mode;
    if (table_.billing_mode == BillingMode::PayPerRequest) {
      table_.last_update_to_pay_per_request = context_.now;
      set_capacity(table_.throughput, {0, 0}, context_.now);
      for (IndexSchema& index : table_.global_indexes) {
        set_capacity(index.throughput, {0, 0}, context_.now);
      }
      return {};
    }
    std::string without_capacity;
    for (IndexSchema& index : table_.global_indexes) {
      index.on_demand_throughput.reset();
      if (index.throughput.read_capacity_units > 0) continue;
      if (!without_capacity.empty()) without_capacity.append(",");
      without_capacity.append(index.name);
    }
    table_.on_demand_throughput.reset();
    if (without_capacity.empty()) return {};
    return invalid_parameters("ProvisionedThroughput must be specified for index: " +
                              without_capacity);
  }

  Result<void> change_ceilings() {
    return merge_ceilings(table_.on_demand_throughput, request_.on_demand_throughput,
                          ThroughputOwner::table());
  }

  // Member by member; -1 lifts a ceiling.
  Result<void> merge_ceilings(std::optional<OnDemandThroughput>& current,
                              const std::optional<OnDemandThroughput>& wanted,
                              const ThroughputOwner& owner) const {
    if (!ceilings_set(wanted)) return {};
    OnDemandThroughput checked = *wanted;
    for (auto* member : {&checked.max_read_request_units, &checked.max_write_request_units}) {
      if (*member == -1) *member = 1;  // any value that is in range
    }
    PARTITA_CHECK(check_on_demand(checked, mode_wanted(), owner, CapacityChange::Update));
    OnDemandThroughput merged = current.value_or(OnDemandThroughput{});
    const auto merge = [](std::optional<std::int64_t>& member,
                          const std::optional<std::int64_t>& value) {
      if (value) member = *value == -1 ? std::nullopt : value;
    };
    merge(merged.max_read_request_units, wanted->max_read_request_units);
    merge(merged.max_write_request_units, wanted->max_write_request_units);
    current = ceilings_set(merged);
    return {};
  }

  Result<void> change_warm_throughput() {
    if (!units_set(request_.warm_throughput)) return {};
    return merge_warm(table_.warm_throughput, *request_.warm_throughput, table_.throughput,
                      ThroughputOwner::table());
  }

  Result<void> merge_warm(std::optional<WarmThroughput>& current, const WarmThroughput& wanted,
                          const ProvisionedThroughputDescription& provisioned,
                          const ThroughputOwner& owner) const {
    WarmThroughput now = warm_throughput_of(current, mode_wanted(), provisioned);
    const auto raise = [&](const char* name, std::optional<std::int64_t>& member,
                           const std::optional<std::int64_t>& value) -> Result<void> {
      if (!value) return {};
      if (*value < *member) {
        return invalid_parameters(
            std::string("Requested ") + name + " for WarmThroughput for " +
            (owner.is_table() ? "table" : "index " + owner.index_name()) +
            " is lower than current WarmThroughput, decreasing WarmThroughput is not supported");
      }
      member = value;
      return {};
    };
    PARTITA_CHECK(
        raise("ReadUnitsPerSecond", now.read_units_per_second, wanted.read_units_per_second));
    PARTITA_CHECK(
        raise("WriteUnitsPerSecond", now.write_units_per_second, wanted.write_units_per_second));
    current = now;
    return {};
  }

  Result<void> change_stream() {
    if (!request_.stream_specification) return {};
    if (request_.stream_specification->stream_enabled) {
      if (table_.stream) {
        return Error::validation("Table already has an enabled stream: TableName: " + table_.name);
      }
      table_.stream = request_.stream_specification;
      return {};
    }
    if (!table_.stream) {
      return Error::validation("Table has no stream to disable: TableName: " + table_.name);
    }
    table_.stream.reset();
    table_.stream_space = 0;
    return {};
  }

  Result<void> change_encryption() {
    if (!request_.sse_specification) return {};
    const SseSpecification& wanted = *request_.sse_specification;
    if (!asks_for_kms_key(wanted)) {
      if (!table_.sse) return invalid_parameters("Table is already encrypted by default");
      table_.sse.reset();
      return {};
    }
    if (table_.sse && wanted.kms_master_key_id &&
        wanted.kms_master_key_id == table_.sse->kms_master_key_id) {
      return invalid_parameters(
          "Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if "
          "you want to change Master Key");
    }
    if (!table_.sse || wanted.kms_master_key_id) set_kms_key(table_, wanted, context_);
    return {};
  }

  const OperationContext& context_;
  const UpdateTableRequest& request_;
  TableSchema table_;
  const TableSchema& before_;
};

// Changes that DynamoDB works on for a while; the others are done when it answers.
bool takes_time(const UpdateTableRequest& request) {
  return request.provisioned_throughput || request.billing_mode || request.stream_specification ||
         request.table_class || request.global_secondary_index_updates;
}

Result<void> check_status(const TableSchema& table, const UpdateTableRequest& request,
                          TimePoint now) {
  const TableStatus status = status_at(table, now);
  const bool allowed = status == TableStatus::Active ||
                       (status == TableStatus::Updating && request.deletion_protection_enabled);
  if (!allowed) return table_in_use(table, status);
  return {};
}

// DynamoDB answers with what was, already UPDATING.
void show_as_updating(const TableSchema& before, TableDescription& description) {
  description.table_status = TableStatus::Updating;
  const bool mode_changes = before.billing_mode == BillingMode::Provisioned
                                ? description.provisioned_throughput.read_capacity_units == 0
                                : description.provisioned_throughput.read_capacity_units > 0;
  if (mode_changes) {
    for (auto& index : description.global_secondary_indexes) {
      if (index.index_status == IndexStatus::Active) index.index_status = IndexStatus::Updating;
    }
    return;
  }
  const auto as_before = [](ProvisionedThroughputDescription& shown,
                            const ProvisionedThroughputDescription& was) {
    const bool changes = !(units(shown) == units(was));
    shown.read_capacity_units = was.read_capacity_units;
    shown.write_capacity_units = was.write_capacity_units;
    shown.number_of_decreases_today = was.number_of_decreases_today;
    return changes;
  };
  as_before(description.provisioned_throughput, before.throughput);
  // A new index stands at the end.
  for (std::size_t i = 0; i < before.global_indexes.size(); ++i) {
    auto& index = description.global_secondary_indexes[i];
    if (as_before(index.provisioned_throughput, before.global_indexes[i].throughput)) {
      index.index_status = IndexStatus::Updating;
    }
  }
}

bool changes_encryption(const TableSchema& before, const TableSchema& after) {
  if (before.sse.has_value() != after.sse.has_value()) return true;
  return before.sse && before.sse->kms_master_key_id != after.sse->kms_master_key_id;
}

// The key that is in use is shown, and that it is about to change, while the table stays ACTIVE.
SseDescription encryption_to_change(const TableSchema& before) {
  SseDescription description{.status = "UPDATING"};
  if (before.sse) {
    description.sse_type = "KMS";
    description.kms_master_key_arn = before.sse->kms_master_key_id.value_or("");
  }
  return description;
}

}  // namespace

Result<TableDescription> update_table(const OperationContext& context,
                                      const UpdateTableRequest& request) {
  PARTITA_CHECK(check_update_request(request));
  for (;;) {
    PARTITA_TRY(const TablePointer table, named_table(context, request.table_name));
    PARTITA_CHECK(check_status(*table, request, context.now));
    PARTITA_TRY(TableSchema changed, TableUpdate(context, request, *table).apply());
    if (takes_time(request)) {
      enter_status(changed, TableStatus::Updating, context.options.table_delay, context.now);
    }
    auto updated = context.catalog.update(table, std::move(changed), context.now);
    if (!updated && updated.error().code() == ErrorCode::Conflict) continue;  // decide again
    PARTITA_TRY(const Catalog::Change change, std::move(updated));
    depend_on(context, change.version);
    PARTITA_TRY(TableDescription description, describe(context, *change.table));
    if (takes_time(request)) show_as_updating(*table, description);
    if (changes_encryption(*table, *change.table)) {
      description.sse_description = encryption_to_change(*table);
    }
    return description;
  }
}

}  // namespace partita
