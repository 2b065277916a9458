// CreateTable: checks what is asked for, and puts the table into the catalog.
#include "catalog/table_lifecycle.h"
#include "catalog/table_name.h"
#include "operations/tables/table_description.h"
#include "operations/tables/table_operations.h"
#include "operations/tables/table_rules.h"
#include "operations/tables/table_settings.h"
#include "operations/tables/tag_rules.h"
#include "operations/tables/throughput_rules.h"

namespace partita {
namespace {

Result<void> check(const CreateTableRequest& request) {
  PARTITA_CHECK(check_create_members(request));
  PARTITA_CHECK(check_table_billing(request));
  PARTITA_CHECK(check_keys_and_indexes(request));
  const BillingMode mode = request.billing_mode.value_or(BillingMode::Provisioned);
  const auto owner = ThroughputOwner::table();
  PARTITA_CHECK(check_on_demand(request.on_demand_throughput, mode, owner));
  PARTITA_CHECK(check_warm(request.warm_throughput, mode, request.provisioned_throughput, owner));
  PARTITA_CHECK(check_new_stream(request.stream_specification));
  PARTITA_CHECK(check_encryption(request.sse_specification));
  if (request.tags) PARTITA_CHECK(check_tags(*request.tags));
  return {};
}

void add_indexes(const CreateTableRequest& request, TableSchema& table) {
  if (request.local_secondary_indexes) {
    for (const LocalSecondaryIndex& index : *request.local_secondary_indexes) {
      table.local_indexes.push_back(index_from(index, request.attribute_definitions));
    }
  }
  if (request.global_secondary_indexes) {
    for (const GlobalSecondaryIndex& index : *request.global_secondary_indexes) {
      table.global_indexes.push_back(index_from(index, request.attribute_definitions));
    }
  }
}

TableSchema schema_from(const CreateTableRequest& request, const OperationContext& context) {
  TableSchema table;
  table.name = request.table_name;
  table.id = random_uuid(context.random);
  table.arn = table_arn(context.options.region, context.options.account_id, table.name);
  table.key = key_from(request.key_schema, request.attribute_definitions);
  table.attribute_definitions = request.attribute_definitions;
  add_indexes(request, table);
  enter_status(table, TableStatus::Creating, context.options.table_delay, context.now);
  table.created_at = context.now;
  table.billing_mode = request.billing_mode.value_or(BillingMode::Provisioned);
  if (table.billing_mode == BillingMode::PayPerRequest) {
    table.last_update_to_pay_per_request = context.now;
  }
  table.throughput = capacity_of(request.provisioned_throughput);
  table.on_demand_throughput = ceilings_set(request.on_demand_throughput);
  table.warm_throughput = request.warm_throughput;
  if (request.stream_specification && request.stream_specification->stream_enabled) {
    table.stream = request.stream_specification;
  }
  if (request.sse_specification && asks_for_kms_key(*request.sse_specification)) {
    set_kms_key(table, *request.sse_specification, context);
  }
  table.table_class = request.table_class;
  table.deletion_protection = request.deletion_protection_enabled.value_or(false);
  table.tags = request.tags.value_or(std::vector<Tag>());
  table.resource_policy = request.resource_policy;
  return table;
}

// Of a table that is being created what was asked for is shown, and that it is not there yet.
std::optional<WarmThroughputDescription> becoming_warm(const std::optional<WarmThroughput>& asked) {
  if (!asked) return std::nullopt;
  return WarmThroughputDescription{*asked, "UPDATING"};
}

}  // namespace

Result<TableDescription> create_table(const OperationContext& context,
                                      const CreateTableRequest& request) {
  // The name may come as the ARN the table is to have.
  PARTITA_TRY(const std::string_view name, table_name_in(request.table_name));
  CreateTableRequest named = request;
  named.table_name = name;
  PARTITA_CHECK(check(named));
  auto created = context.catalog.create(schema_from(named, context), context.now);
  depend_on(context, context.catalog.latest());  // a failure tells of a table that is there
  PARTITA_TRY(const Catalog::Change change, std::move(created));

  PARTITA_TRY(TableDescription description, describe(context, *change.table));
  // DynamoDB's answer is of the moment before the table is there, however soon that will be.
  description.table_status = TableStatus::Creating;
  for (auto& index : description.global_secondary_indexes) {
    index.index_status = IndexStatus::Creating;
    index.warm_throughput =
        becoming_warm(change.table->find_index(index.index_name)->warm_throughput);
  }
  description.warm_throughput = becoming_warm(change.table->warm_throughput);
  if (description.billing_mode_summary) {
    description.billing_mode_summary->last_update_to_pay_per_request.reset();
  }
  return description;
}

}  // namespace partita
