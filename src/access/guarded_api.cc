#include "access/guarded_api.h"

#include <optional>
#include <utility>
#include <vector>

#include "access/touched.h"
#include "catalog/table_name.h"

namespace partita {
namespace {

constexpr auto absent = [](ContextKey) { return ContextValues(); };

ContextValues one(std::string_view text) {
  return {.present = true, .values = {std::string(text)}};
}

std::string_view read_select(bool projected) { return select_text({}, projected, false); }

template <typename Request>
bool is_projected(const Request& request) {
  if constexpr (requires { request.attributes_to_get; }) {
    if (request.attributes_to_get) return true;
  }
  return request.projection_expression.has_value();
}

std::string_view action_of(TransactWrite::Kind kind) {
  switch (kind) {
    case TransactWrite::Kind::ConditionCheck:
      return "dynamodb:ConditionCheckItem";
    case TransactWrite::Kind::Delete:
      return "dynamodb:DeleteItem";
    case TransactWrite::Kind::Update:
      return "dynamodb:UpdateItem";
    case TransactWrite::Kind::Put:
      break;
  }
  return "dynamodb:PutItem";
}

std::vector<ItemView> items_of(const TableWrites& table) {
  std::vector<ItemView> items;
  for (const WriteRequest& write : table.requests) {
    if (write.put_item) items.push_back(*write.put_item);
    if (write.delete_key) items.push_back(*write.delete_key);
  }
  return items;
}

}  // namespace

GuardedApi::GuardedApi(Api& api, Policy policy, AccessNames names)
    : api_(api), policy_(std::move(policy)), names_(std::move(names)) {}

Result<void> GuardedApi::ask(std::string_view action, std::string_view resource,
                             Context context) const {
  const Verdict verdict = policy_.judge({action, resource, context});
  if (verdict == Verdict::Allowed) return {};
  std::string message = "User: arn:aws:iam::" + names_.account_id + ":user/" + names_.user +
                        " is not authorized to perform: " + std::string(action) +
                        " on resource: " + std::string(resource);
  message += verdict == Verdict::Denied ? " with an explicit deny in an identity-based policy"
                                        : " because no identity-based policy allows the " +
                                              std::string(action) + " action";
  return Error(ErrorCode::AccessDenied, std::move(message));
}

Result<void> GuardedApi::ask_about_table(std::string_view action, std::string_view table_name,
                                         const std::optional<std::string_view>& index_name,
                                         Context context) const {
  // The function operations use too, so that both mean the same table.
  PARTITA_TRY(const std::string_view name, table_name_in(table_name));
  std::string resource = table_arn(names_.region, names_.account_id, name);
  if (index_name) resource.append("/index/").append(*index_name);
  return ask(action, resource, context);
}

Result<void> GuardedApi::ask_about_table(std::string_view action,
                                         std::string_view table_name) const {
  return ask_about_table(action, table_name, std::nullopt, absent);
}

std::vector<std::string> GuardedApi::find_partition_key(
    std::string_view table_name, const std::optional<std::string_view>& index_name) const {
  DurabilityTicket ticket;  // what it tells of need not be durable for us
  const auto table = api_.describe_table({.table_name = std::string(table_name)}, &ticket);
  std::vector<std::string> names;
  if (!table) return names;
  for (const std::string_view name : partition_key(*table, index_name)) names.emplace_back(name);
  return names;
}

template <typename Request>
Result<void> GuardedApi::ask_about_items(std::string_view action, const Request& request,
                                         std::span<const ItemView> items, Context more) {
  return ask_about_table(action, request.table_name, std::nullopt, [&](ContextKey key) {
    if (key == ContextKey::Attributes) return attributes_of(request, expressions_);
    if (key != ContextKey::LeadingKeys) return more(key);
    const std::vector<std::string> names = find_partition_key(request.table_name, std::nullopt);
    return leading_keys(std::vector<std::string_view>(names.begin(), names.end()), items);
  });
}

template <typename Request>
Result<void> GuardedApi::ask_about_write(std::string_view action, const Request& request,
                                         ItemView item) {
  return ask_about_items(action, request, std::span(&item, 1), [&](ContextKey key) {
    if (key == ContextKey::ReturnValues) return one(text_of(request.return_values));
    if (key == ContextKey::ReturnConsumedCapacity) {
      return one(text_of(request.return_consumed_capacity));
    }
    return ContextValues();
  });
}

template <typename Request>
Result<void> GuardedApi::ask_about_page(std::string_view action, const Request& request) {
  constexpr bool is_scan = std::is_same_v<Request, ScanRequest>;
  return ask_about_table(
      action, request.table_name, request.index_name, [&](ContextKey key) -> ContextValues {
        switch (key) {
          case ContextKey::Attributes:
            return attributes_of(request, expressions_);
          case ContextKey::Select:
            return one(
                select_text(request.select, is_projected(request), request.index_name.has_value()));
          case ContextKey::ReturnConsumedCapacity:
            return one(text_of(request.return_consumed_capacity));
          case ContextKey::FullTableScan:
            if (is_scan) return one("true");
            return {};
          case ContextKey::LeadingKeys:
            break;
          case ContextKey::ReturnValues:
          case ContextKey::EnclosingOperation:
            return {};
        }
        if constexpr (is_scan) {
          return {.present = true, .unbounded = true};  // all of them
        } else {
          const std::vector<std::string> names =
              find_partition_key(request.table_name, request.index_name);
          return leading_keys(std::vector<std::string_view>(names.begin(), names.end()), request,
                              expressions_);
        }
      });
}

Result<TableDescription> GuardedApi::create_table(const CreateTableRequest& request,
                                                  DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:CreateTable", request.table_name));
  if (request.tags && !request.tags->empty()) {
    PARTITA_CHECK(ask_about_table("dynamodb:TagResource", request.table_name));
  }
  return api_.create_table(request, ticket);
}

Result<TableDescription> GuardedApi::describe_table(const DescribeTableRequest& request,
                                                    DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:DescribeTable", request.table_name));
  return api_.describe_table(request, ticket);
}

Result<TableDescription> GuardedApi::update_table(const UpdateTableRequest& request,
                                                  DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:UpdateTable", request.table_name));
  return api_.update_table(request, ticket);
}

Result<TableDescription> GuardedApi::delete_table(const DeleteTableRequest& request,
                                                  DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:DeleteTable", request.table_name));
  return api_.delete_table(request, ticket);
}

Result<ListTablesResponse> GuardedApi::list_tables(const ListTablesRequest& request,
                                                   DurabilityTicket* ticket) {
  PARTITA_CHECK(
      ask("dynamodb:ListTables", table_arn(names_.region, names_.account_id, "*"), absent));
  return api_.list_tables(request, ticket);
}

Result<TagResourceResponse> GuardedApi::tag_resource(const TagResourceRequest& request,
                                                     DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:TagResource", request.resource_arn));
  return api_.tag_resource(request, ticket);
}

Result<UntagResourceResponse> GuardedApi::untag_resource(const UntagResourceRequest& request,
                                                         DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:UntagResource", request.resource_arn));
  return api_.untag_resource(request, ticket);
}

Result<ListTagsOfResourceResponse> GuardedApi::list_tags_of_resource(
    const ListTagsOfResourceRequest& request, DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:ListTagsOfResource", request.resource_arn));
  return api_.list_tags_of_resource(request, ticket);
}

Result<DescribeLimitsResponse> GuardedApi::describe_limits(const DescribeLimitsRequest& request,
                                                           DurabilityTicket* ticket) {
  PARTITA_CHECK(ask("dynamodb:DescribeLimits", "*", absent));
  return api_.describe_limits(request, ticket);
}

Result<DescribeEndpointsResponse> GuardedApi::describe_endpoints(
    const DescribeEndpointsRequest& request, DurabilityTicket* ticket) {
  PARTITA_CHECK(ask("dynamodb:DescribeEndpoints", "*", absent));
  return api_.describe_endpoints(request, ticket);
}

Result<UpdateTimeToLiveResponse> GuardedApi::update_time_to_live(
    const UpdateTimeToLiveRequest& request, DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:UpdateTimeToLive", request.table_name));
  return api_.update_time_to_live(request, ticket);
}

Result<TimeToLiveDescription> GuardedApi::describe_time_to_live(
    const DescribeTimeToLiveRequest& request, DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:DescribeTimeToLive", request.table_name));
  return api_.describe_time_to_live(request, ticket);
}

Result<ContinuousBackupsDescription> GuardedApi::describe_continuous_backups(
    const DescribeContinuousBackupsRequest& request, DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_table("dynamodb:DescribeContinuousBackups", request.table_name));
  return api_.describe_continuous_backups(request, ticket);
}

// Streams are found by their exact ARN, so what a policy says of it holds for the stream that is
// read.
Result<ListStreamsResponse> GuardedApi::list_streams(const ListStreamsRequest& request,
                                                     DurabilityTicket* ticket) {
  const std::string named = request.table_name.value_or("*");
  PARTITA_TRY(const std::string_view table, table_name_in(named));
  PARTITA_CHECK(ask("dynamodb:ListStreams",
                    table_arn(names_.region, names_.account_id, table) + "/stream/*", absent));
  return api_.list_streams(request, ticket);
}

Result<StreamDescription> GuardedApi::describe_stream(const DescribeStreamRequest& request,
                                                      DurabilityTicket* ticket) {
  PARTITA_CHECK(ask("dynamodb:DescribeStream", request.stream_arn, absent));
  return api_.describe_stream(request, ticket);
}

Result<GetShardIteratorResponse> GuardedApi::get_shard_iterator(
    const GetShardIteratorRequest& request, DurabilityTicket* ticket) {
  PARTITA_CHECK(ask("dynamodb:GetShardIterator", request.stream_arn, absent));
  return api_.get_shard_iterator(request, ticket);
}

// An iterator starts with the ARN of its stream. What is read are items of any key, whole.
Result<GetRecordsResponse> GuardedApi::get_records(const GetRecordsRequest& request,
                                                   DurabilityTicket* ticket) {
  const std::string_view iterator = request.shard_iterator;
  PARTITA_CHECK(
      ask("dynamodb:GetRecords", iterator.substr(0, iterator.find('|')), [](ContextKey key) {
        const bool touched = key == ContextKey::LeadingKeys || key == ContextKey::Attributes;
        return ContextValues{.present = touched, .unbounded = touched};
      }));
  return api_.get_records(request, ticket);
}

Result<PutItemResponse> GuardedApi::put_item(const PutItemRequest& request,
                                             DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_write("dynamodb:PutItem", request, request.item));
  return api_.put_item(request, ticket);
}

Result<GetItemResponse> GuardedApi::get_item(const GetItemRequest& request,
                                             DurabilityTicket* ticket) {
  PARTITA_CHECK(
      ask_about_items("dynamodb:GetItem", request, std::span(&request.key, 1), [&](ContextKey key) {
        if (key == ContextKey::Select) return one(read_select(is_projected(request)));
        if (key == ContextKey::ReturnConsumedCapacity) {
          return one(text_of(request.return_consumed_capacity));
        }
        return ContextValues();
      }));
  return api_.get_item(request, ticket);
}

Result<UpdateItemResponse> GuardedApi::update_item(const UpdateItemRequest& request,
                                                   DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_write("dynamodb:UpdateItem", request, request.key));
  return api_.update_item(request, ticket);
}

Result<DeleteItemResponse> GuardedApi::delete_item(const DeleteItemRequest& request,
                                                   DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_write("dynamodb:DeleteItem", request, request.key));
  return api_.delete_item(request, ticket);
}

Result<QueryResponse> GuardedApi::query(const QueryRequest& request, DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_page("dynamodb:Query", request));
  return api_.query(request, ticket);
}

Result<ScanResponse> GuardedApi::scan(const ScanRequest& request, DurabilityTicket* ticket) {
  PARTITA_CHECK(ask_about_page("dynamodb:Scan", request));
  return api_.scan(request, ticket);
}

Result<BatchGetItemResponse> GuardedApi::batch_get_item(const BatchGetItemRequest& request,
                                                        DurabilityTicket* ticket) {
  for (const KeysAndAttributes& table : request.request_items) {
    PARTITA_CHECK(ask_about_items("dynamodb:BatchGetItem", table, table.keys, [&](ContextKey key) {
      if (key == ContextKey::Select) return one(read_select(is_projected(table)));
      if (key == ContextKey::ReturnConsumedCapacity) {
        return one(text_of(request.return_consumed_capacity));
      }
      return ContextValues();
    }));
  }
  return api_.batch_get_item(request, ticket);
}

Result<BatchWriteItemResponse> GuardedApi::batch_write_item(const BatchWriteItemRequest& request,
                                                            DurabilityTicket* ticket) {
  for (const TableWrites& table : request.request_items) {
    PARTITA_CHECK(
        ask_about_items("dynamodb:BatchWriteItem", table, items_of(table), [&](ContextKey key) {
          if (key == ContextKey::ReturnConsumedCapacity) {
            return one(text_of(request.return_consumed_capacity));
          }
          return ContextValues();
        }));
  }
  return api_.batch_write_item(request, ticket);
}

Result<TransactGetItemsResponse> GuardedApi::transact_get_items(
    const TransactGetItemsRequest& request, DurabilityTicket* ticket) {
  for (const TransactGet& get : request.transact_items) {
    PARTITA_CHECK(
        ask_about_items("dynamodb:GetItem", get, std::span(&get.key, 1), [&](ContextKey key) {
          if (key == ContextKey::Select) return one(read_select(is_projected(get)));
          if (key == ContextKey::EnclosingOperation) return one("TransactGetItems");
          return ContextValues();
        }));
  }
  return api_.transact_get_items(request, ticket);
}

Result<TransactWriteItemsResponse> GuardedApi::transact_write_items(
    const TransactWriteItemsRequest& request, DurabilityTicket* ticket) {
  for (const TransactWrite& write : request.transact_items) {
    PARTITA_CHECK(ask_about_items(action_of(write.kind), write, std::span(&write.item, 1),
                                  [&](ContextKey key) {
                                    if (key == ContextKey::EnclosingOperation)
                                      return one("TransactWriteItems");
                                    return ContextValues();
                                  }));
  }
  return api_.transact_write_items(request, ticket);
}

}  // namespace partita
