#include "wire/dispatch.h"

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>

#include "formats/json_reader.h"
#include "formats/json_writer.h"
#include "wire/account_messages.h"
#include "wire/batch_messages.h"
#include "wire/item_messages.h"
#include "wire/query_messages.h"
#include "wire/stream_messages.h"
#include "wire/table_messages.h"
#include "wire/tag_messages.h"
#include "wire/transaction_messages.h"

namespace partita {

static_assert(kBodyPaddingBytes >= kJsonPaddingBytes);

namespace {

constexpr std::string_view kTargetPrefix = "DynamoDB_20120810.";
constexpr std::string_view kStreamsTargetPrefix = "DynamoDBStreams_20120810.";

struct Call {
  Api& api;
  std::string_view body;
  std::pmr::memory_resource* memory;
  TextBuffer& out;
  std::string_view host;
};

template <typename Response>
void encode_response(JsonWriter& json, const Response& response) {
  encode(json, response);
}

// Operations without an answer have an empty body, not an empty object.
template <typename Response>
void encode_nothing(JsonWriter&, const Response&) {}

WireAnswer failed(const Error& error, WireAnswer answer, TextBuffer& out) {
  answer.status = write_error(error, out);
  answer.error = error.code();
  return answer;
}

// One operation: decode, call the Api, encode.
template <typename Message, auto kMethod, auto kEncode>
WireAnswer serve(const Call& call) {
  WireAnswer answer;
  Message message(call.memory);
  if constexpr (requires { message.request.host; }) message.request.host = call.host;
  if (const Result<void> decoded = message.decode(call.body); !decoded) {
    return failed(decoded.error(), answer, call.out);
  }
  const auto response = (call.api.*kMethod)(message.request, &answer.ticket);
  if (!response) {
    return failed(response.error(), answer, call.out);
  }
  JsonWriter json(call.out);
  kEncode(json, *response);
  return answer;
}

struct Operation {
  std::string_view name;
  WireAnswer (*serve)(const Call& call);
};

// Those that are called most come first.
constexpr Operation kOperations[] = {
    {"GetItem", serve<GetItemMessage, &Api::get_item, encode_response<GetItemResponse>>},
    {"PutItem", serve<PutItemMessage, &Api::put_item, encode_response<PutItemResponse>>},
    {"Query", serve<QueryMessage, &Api::query, encode_response<QueryResponse>>},
    {"UpdateItem",
     serve<UpdateItemMessage, &Api::update_item, encode_response<UpdateItemResponse>>},
    {"DeleteItem",
     serve<DeleteItemMessage, &Api::delete_item, encode_response<DeleteItemResponse>>},
    {"Scan", serve<ScanMessage, &Api::scan, encode_response<ScanResponse>>},
    {"TransactWriteItems", serve<TransactWriteItemsMessage, &Api::transact_write_items,
                                 encode_response<TransactWriteItemsResponse>>},
    {"TransactGetItems", serve<TransactGetItemsMessage, &Api::transact_get_items,
                               encode_response<TransactGetItemsResponse>>},
    {"BatchWriteItem",
     serve<BatchWriteItemMessage, &Api::batch_write_item, encode_response<BatchWriteItemResponse>>},
    {"BatchGetItem",
     serve<BatchGetItemMessage, &Api::batch_get_item, encode_response<BatchGetItemResponse>>},
    {"DescribeTable", serve<DescribeTableMessage, &Api::describe_table, encode_described_table>},
    {"ListTables",
     serve<ListTablesMessage, &Api::list_tables, encode_response<ListTablesResponse>>},
    {"CreateTable", serve<CreateTableMessage, &Api::create_table, encode_changed_table>},
    {"UpdateTable", serve<UpdateTableMessage, &Api::update_table, encode_changed_table>},
    {"DeleteTable", serve<DeleteTableMessage, &Api::delete_table, encode_changed_table>},
    {"ListTagsOfResource", serve<ListTagsOfResourceMessage, &Api::list_tags_of_resource,
                                 encode_response<ListTagsOfResourceResponse>>},
    {"TagResource",
     serve<TagResourceMessage, &Api::tag_resource, encode_nothing<TagResourceResponse>>},
    {"UntagResource",
     serve<UntagResourceMessage, &Api::untag_resource, encode_nothing<UntagResourceResponse>>},
    {"UpdateTimeToLive", serve<UpdateTimeToLiveMessage, &Api::update_time_to_live,
                               encode_response<UpdateTimeToLiveResponse>>},
    {"DescribeTimeToLive", serve<DescribeTimeToLiveMessage, &Api::describe_time_to_live,
                                 encode_response<TimeToLiveDescription>>},
    {"DescribeContinuousBackups",
     serve<DescribeContinuousBackupsMessage, &Api::describe_continuous_backups,
           encode_response<ContinuousBackupsDescription>>},
    {"DescribeLimits",
     serve<DescribeLimitsMessage, &Api::describe_limits, encode_response<DescribeLimitsResponse>>},
    {"DescribeEndpoints", serve<DescribeEndpointsMessage, &Api::describe_endpoints,
                                encode_response<DescribeEndpointsResponse>>},
    // From here on under the name of DynamoDB Streams.
    {"GetRecords",
     serve<GetRecordsMessage, &Api::get_records, encode_response<GetRecordsResponse>>},
    {"GetShardIterator", serve<GetShardIteratorMessage, &Api::get_shard_iterator,
                               encode_response<GetShardIteratorResponse>>},
    {"DescribeStream",
     serve<DescribeStreamMessage, &Api::describe_stream, encode_response<StreamDescription>>},
    {"ListStreams",
     serve<ListStreamsMessage, &Api::list_streams, encode_response<ListStreamsResponse>>},
};
constexpr std::size_t kStreamOperations = 4;  // the last ones

const Operation* find_operation(std::string_view target) {
  std::span<const Operation> operations(kOperations);
  if (target.starts_with(kTargetPrefix)) [[likely]] {
    target.remove_prefix(kTargetPrefix.size());
    operations = operations.first(operations.size() - kStreamOperations);
  } else if (target.starts_with(kStreamsTargetPrefix)) {
    target.remove_prefix(kStreamsTargetPrefix.size());
    operations = operations.last(kStreamOperations);
  } else {
    return nullptr;
  }
  for (const Operation& operation : operations) {
    if (operation.name == target) return &operation;
  }
  return nullptr;
}

constexpr auto kOperationNames = [] {
  std::array<std::string_view, std::size(kOperations)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kOperations[i].name;
  return names;
}();

}  // namespace

std::span<const std::string_view> operation_names() { return kOperationNames; }

std::string target_of(std::string_view operation) {
  const auto on_streams = std::span(kOperations).last(kStreamOperations);
  const bool is_on_streams =
      std::any_of(on_streams.begin(), on_streams.end(),
                  [&](const Operation& known) { return known.name == operation; });
  return std::string(is_on_streams ? kStreamsTargetPrefix : kTargetPrefix).append(operation);
}

WireAnswer dispatch(Api& api, const WireRequest& request, std::pmr::memory_resource* memory,
                    TextBuffer& out) {
  const Operation* const operation = find_operation(request.target);
  if (operation == nullptr) {
    return refuse(request, Error(ErrorCode::UnknownOperation, ""), memory, out);
  }
  const std::size_t before = out.size();
  WireAnswer answer;
  try {
    answer = operation->serve({api, request.body, memory, out, request.host});
  } catch (const std::exception&) {  // out of memory, or a library's
    out.set_size(before);
    answer = failed(Error::internal("The request could not be carried out"), {}, out);
  }
  answer.operation = static_cast<std::size_t>(operation - kOperations);
  return answer;
}

WireAnswer refuse(const WireRequest& request, const Error& refusal,
                  std::pmr::memory_resource* memory, TextBuffer& out) {
  if (!request.body.empty()) {
    JsonReader json(memory);
    json.open(request.body);
    json.skip_value();
    if (const Result<void> read = json.finish(); !read) return failed(read.error(), {}, out);
  }
  const Operation* const operation = find_operation(request.target);
  if (operation == nullptr) return failed(Error(ErrorCode::UnknownOperation, ""), {}, out);
  WireAnswer answer = failed(refusal, {}, out);
  answer.operation = static_cast<std::size_t>(operation - kOperations);
  return answer;
}

}  // namespace partita
