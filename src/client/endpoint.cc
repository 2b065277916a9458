#include "partita/client/endpoint.h"

#include <cstdlib>

#include "client/message_reader.h"
#include "client/message_writer.h"
#include "client/request_sender.h"
#include "client/stream_shapes.h"

namespace partita::client {

namespace {
std::string from_environment(const char* name, std::string otherwise = {}) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// {"Table": value}
template <typename T>
struct Wrapped {
  std::string_view member;
  T value{};
};
// A value that a decoder could not make sense of cannot be sent.
template <typename Request>
const Error* fault_of(const Request& request) {
  if constexpr (requires { request.value_faults; }) {
    if (const ValueFaults* faults = request.value_faults; faults != nullptr) {
      for (const auto* fault :
           {&faults->item, &faults->parameter, &faults->start_key, &faults->key_condition}) {
        if (fault->has_value()) return &**fault;
      }
    }
  }
  if constexpr (requires { request.expression_attributes.value_fault; }) {
    return request.expression_attributes.value_fault;
  }
  return nullptr;
}

}  // namespace

template <typename T>
struct Shape<Wrapped<T>> {
  static void each(auto& visit, auto& s) { visit(s.member, s.value); }
};

// Requests as text, and answers out of it.
class Endpoint::Caller {
 public:
  explicit Caller(EndpointOptions options) : options_(std::move(options)) {
    if (auto found = find_addresses(); !found) problem_ = std::move(found).error();
  }

  template <typename Response, typename Request>
  Result<Response> call(std::string_view operation, const Request& request) {
    Response response;
    PARTITA_CHECK(call_into(operation, request, response));
    return response;
  }
  // The answer is this member of an object.
  template <typename Response, typename Request>
  Result<Response> call(std::string_view operation, const Request& request,
                        std::string_view member) {
    Wrapped<Response> response{member};
    PARTITA_CHECK(call_into(operation, request, response));
    return std::move(response.value);
  }
  template <typename Request>
  Result<PageResponse> call_for_page(std::string_view operation, const Request& request) {
    PageResponse page;
    page.items_wanted = false;  // until Items is there
    PARTITA_CHECK(call_into(operation, request, page));
    return page;
  }

  RandomSource& random() { return random_; }

 private:
  Result<void> find_addresses() {
    PARTITA_TRY(const HttpUrl url, parse_http_url(options_.url));
    PARTITA_TRY(const HttpUrl streams_url, streams_url_of(url));
    items_ = std::make_unique<RequestSender>(options_, url, random_);
    streams_ = std::make_unique<RequestSender>(options_, streams_url, random_);
    return {};
  }

  // AWS answers for streams at an address of their own; others do it where they answer for all.
  Result<HttpUrl> streams_url_of(const HttpUrl& url) const {
    if (!options_.streams_url.empty()) return parse_http_url(options_.streams_url);
    HttpUrl streams = url;
    if (url.host.starts_with("dynamodb.") && url.host.find(".amazonaws.com") != std::string::npos) {
      streams.host.insert(0, "streams.");
      streams.authority.insert(0, "streams.");
    }
    return streams;
  }

  template <typename Request, typename Response>
  Result<void> call_into(std::string_view operation, const Request& request, Response& response) {
    if (problem_) return told_fault(*problem_);
    if (const Error* fault = fault_of(request)) return told_fault(*fault);
    TextBuffer body;
    write_request(request, body);
    PARTITA_TRY(
        const HttpAnswer answer,
        AboutStreams<Request>
            ? streams_->send("DynamoDBStreams_20120810." + std::string(operation), body.view())
            : items_->send("DynamoDB_20120810." + std::string(operation), body.view()));
    if (answer.body.empty()) return {};  // what TagResource answers
    const auto read = MessageReader(answer.body).read_whole(response);
    if (read) return {};
    return Error::internal("the answer to " + std::string(operation) +
                           " is not understood: " + read.error().message());
  }

  const EndpointOptions options_;
  SystemRandom random_;
  std::optional<Error> problem_;  // with the addresses; then there is nobody to send anything
  std::unique_ptr<RequestSender> items_;
  std::unique_ptr<RequestSender> streams_;
};

Credentials credentials_from_environment() {
  return {.access_key_id = from_environment("AWS_ACCESS_KEY_ID"),
          .secret_access_key = from_environment("AWS_SECRET_ACCESS_KEY"),
          .session_token = from_environment("AWS_SESSION_TOKEN")};
}

std::string region_from_environment() {
  return from_environment("AWS_REGION", from_environment("AWS_DEFAULT_REGION", "us-east-1"));
}

Endpoint::Endpoint(EndpointOptions options)
    : caller_(std::make_unique<Caller>(std::move(options))) {}
Endpoint::~Endpoint() = default;

// ---- Tables

Result<TableDescription> Endpoint::create_table(const CreateTableRequest& request,
                                                DurabilityTicket*) {
  return caller_->call<TableDescription>("CreateTable", request, "TableDescription");
}
Result<TableDescription> Endpoint::describe_table(const DescribeTableRequest& request,
                                                  DurabilityTicket*) {
  return caller_->call<TableDescription>("DescribeTable", request, "Table");
}
Result<TableDescription> Endpoint::update_table(const UpdateTableRequest& request,
                                                DurabilityTicket*) {
  return caller_->call<TableDescription>("UpdateTable", request, "TableDescription");
}
Result<TableDescription> Endpoint::delete_table(const DeleteTableRequest& request,
                                                DurabilityTicket*) {
  return caller_->call<TableDescription>("DeleteTable", request, "TableDescription");
}
Result<ListTablesResponse> Endpoint::list_tables(const ListTablesRequest& request,
                                                 DurabilityTicket*) {
  return caller_->call<ListTablesResponse>("ListTables", request);
}
Result<TagResourceResponse> Endpoint::tag_resource(const TagResourceRequest& request,
                                                   DurabilityTicket*) {
  return caller_->call<TagResourceResponse>("TagResource", request);
}
Result<UntagResourceResponse> Endpoint::untag_resource(const UntagResourceRequest& request,
                                                       DurabilityTicket*) {
  return caller_->call<UntagResourceResponse>("UntagResource", request);
}
Result<ListTagsOfResourceResponse> Endpoint::list_tags_of_resource(
    const ListTagsOfResourceRequest& request, DurabilityTicket*) {
  return caller_->call<ListTagsOfResourceResponse>("ListTagsOfResource", request);
}
Result<DescribeLimitsResponse> Endpoint::describe_limits(const DescribeLimitsRequest& request,
                                                         DurabilityTicket*) {
  return caller_->call<DescribeLimitsResponse>("DescribeLimits", request);
}
Result<DescribeEndpointsResponse> Endpoint::describe_endpoints(
    const DescribeEndpointsRequest& request, DurabilityTicket*) {
  return caller_->call<DescribeEndpointsResponse>("DescribeEndpoints", request);
}
Result<UpdateTimeToLiveResponse> Endpoint::update_time_to_live(
    const UpdateTimeToLiveRequest& request, DurabilityTicket*) {
  return caller_->call<UpdateTimeToLiveResponse>("UpdateTimeToLive", request);
}
Result<TimeToLiveDescription> Endpoint::describe_time_to_live(
    const DescribeTimeToLiveRequest& request, DurabilityTicket*) {
  return caller_->call<TimeToLiveDescription>("DescribeTimeToLive", request,
                                              "TimeToLiveDescription");
}
Result<ContinuousBackupsDescription> Endpoint::describe_continuous_backups(
    const DescribeContinuousBackupsRequest& request, DurabilityTicket*) {
  return caller_->call<ContinuousBackupsDescription>("DescribeContinuousBackups", request,
                                                     "ContinuousBackupsDescription");
}

// ---- Streams

Result<ListStreamsResponse> Endpoint::list_streams(const ListStreamsRequest& request,
                                                   DurabilityTicket*) {
  return caller_->call<ListStreamsResponse>("ListStreams", request);
}
Result<StreamDescription> Endpoint::describe_stream(const DescribeStreamRequest& request,
                                                    DurabilityTicket*) {
  return caller_->call<StreamDescription>("DescribeStream", request, "StreamDescription");
}
Result<GetShardIteratorResponse> Endpoint::get_shard_iterator(
    const GetShardIteratorRequest& request, DurabilityTicket*) {
  return caller_->call<GetShardIteratorResponse>("GetShardIterator", request);
}
Result<GetRecordsResponse> Endpoint::get_records(const GetRecordsRequest& request,
                                                 DurabilityTicket*) {
  return caller_->call<GetRecordsResponse>("GetRecords", request);
}

// ---- Items

Result<PutItemResponse> Endpoint::put_item(const PutItemRequest& request, DurabilityTicket*) {
  return caller_->call<PutItemResponse>("PutItem", request);
}
Result<GetItemResponse> Endpoint::get_item(const GetItemRequest& request, DurabilityTicket*) {
  return caller_->call<GetItemResponse>("GetItem", request);
}
Result<UpdateItemResponse> Endpoint::update_item(const UpdateItemRequest& request,
                                                 DurabilityTicket*) {
  return caller_->call<UpdateItemResponse>("UpdateItem", request);
}
Result<DeleteItemResponse> Endpoint::delete_item(const DeleteItemRequest& request,
                                                 DurabilityTicket*) {
  return caller_->call<DeleteItemResponse>("DeleteItem", request);
}
Result<QueryResponse> Endpoint::query(const QueryRequest& request, DurabilityTicket*) {
  return caller_->call_for_page("Query", request);
}
Result<ScanResponse> Endpoint::scan(const ScanRequest& request, DurabilityTicket*) {
  return caller_->call_for_page("Scan", request);
}

// ---- Several items

Result<BatchGetItemResponse> Endpoint::batch_get_item(const BatchGetItemRequest& request,
                                                      DurabilityTicket*) {
  return caller_->call<BatchGetItemResponse>("BatchGetItem", request);
}
Result<BatchWriteItemResponse> Endpoint::batch_write_item(const BatchWriteItemRequest& request,
                                                          DurabilityTicket*) {
  return caller_->call<BatchWriteItemResponse>("BatchWriteItem", request);
}
Result<TransactGetItemsResponse> Endpoint::transact_get_items(
    const TransactGetItemsRequest& request, DurabilityTicket*) {
  return caller_->call<TransactGetItemsResponse>("TransactGetItems", request);
}
Result<TransactWriteItemsResponse> Endpoint::transact_write_items(
    const TransactWriteItemsRequest& request, DurabilityTicket*) {
  if (request.client_request_token) {
    return caller_->call<TransactWriteItemsResponse>("TransactWriteItems", request);
  }
  const std::string token = random_uuid(caller_->random());
  TransactWriteItemsRequest with_token = request;
  with_token.client_request_token = token;
  return caller_->call<TransactWriteItemsResponse>("TransactWriteItems", with_token);
}

}  // namespace partita::client
