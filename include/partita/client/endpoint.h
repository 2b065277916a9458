// client::Endpoint: the Api of any DynamoDB that is reached over HTTP: AWS, Partita's server,
// others.
//
//   client::Endpoint dynamodb({.url = "https://dynamodb.eu-central-1.amazonaws.com",
//                              .region = "eu-central-1",
//                              .credentials = {.access_key_id = id, .secret_access_key = secret}});
//   auto table = park.in(dynamodb);            // everything that takes an Api takes it
//
// Requests are signed (Signature Version 4) and go over connections that are kept open. What may
// succeed when it is tried again (throttling, a server's failure, a lost connection) is tried
// again, after a random delay whose limit doubles each time. As with every client of DynamoDB, a
// write whose answer was lost may happen twice unless it has a condition; transactions get a token
// that prevents it.
//
// May be used by several threads; each call under way has a connection of its own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "partita/api.h"

namespace partita::client {

struct Credentials {
  std::string access_key_id{};
  std::string secret_access_key{};
  std::string session_token{};  // empty: none
};
// What AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN say.
Credentials credentials_from_environment();
// AWS_REGION, AWS_DEFAULT_REGION, or us-east-1.
std::string region_from_environment();

struct EndpointOptions {
  std::string url{};          // "http://127.0.0.1:8000", "https://dynamodb.us-east-1.amazonaws.com"
  std::string streams_url{};  // where streams are read; empty: what belongs to the url
  std::string region = "us-east-1";
  Credentials credentials{};  // without an access key, requests are not signed

  std::chrono::milliseconds connect_timeout{2'000};
  std::chrono::milliseconds request_timeout{30'000};  // of each attempt
  int attempts_max = 10;
  std::chrono::milliseconds retry_delay_base{50};  // the limit of the first delay
  std::chrono::milliseconds retry_delay_max{5'000};
  std::size_t idle_connections_max = 64;

  // Who may vouch for a server: a file in PEM format. Empty: SSL_CERT_FILE, or those the system
  // has.
  std::string certificate_authorities{};
  bool verify_certificate = true;

  // How to wait before the next attempt; for tests. Null: the thread sleeps.
  std::function<void(std::chrono::milliseconds)> wait{};
};

// Errors are those the server has: code, message, the item of a failed condition, the reasons of a
// canceled transaction or of throttling. A failure to reach it is ErrorCode::ServiceUnavailable
// with what happened, or CannotOpen if trying again is no use: an address that is none, a
// certificate nobody vouches for. Answers are durable when they arrive, so tickets stay empty.
class Endpoint final : public Api {
 public:
  explicit Endpoint(EndpointOptions options);
  ~Endpoint() override;

  Result<TableDescription> create_table(const CreateTableRequest&,
                                        DurabilityTicket* = nullptr) override;
  Result<TableDescription> describe_table(const DescribeTableRequest&,
                                          DurabilityTicket* = nullptr) override;
  Result<TableDescription> update_table(const UpdateTableRequest&,
                                        DurabilityTicket* = nullptr) override;
  Result<TableDescription> delete_table(const DeleteTableRequest&,
                                        DurabilityTicket* = nullptr) override;
  Result<ListTablesResponse> list_tables(const ListTablesRequest&,
                                         DurabilityTicket* = nullptr) override;

  Result<TagResourceResponse> tag_resource(const TagResourceRequest&,
                                           DurabilityTicket* = nullptr) override;
  Result<UntagResourceResponse> untag_resource(const UntagResourceRequest&,
                                               DurabilityTicket* = nullptr) override;
  Result<ListTagsOfResourceResponse> list_tags_of_resource(const ListTagsOfResourceRequest&,
                                                           DurabilityTicket* = nullptr) override;
  Result<DescribeLimitsResponse> describe_limits(const DescribeLimitsRequest&,
                                                 DurabilityTicket* = nullptr) override;
  Result<DescribeEndpointsResponse> describe_endpoints(const DescribeEndpointsRequest&,
                                                       DurabilityTicket* = nullptr) override;
  Result<UpdateTimeToLiveResponse> update_time_to_live(const UpdateTimeToLiveRequest&,
                                                       DurabilityTicket* = nullptr) override;
  Result<TimeToLiveDescription> describe_time_to_live(const DescribeTimeToLiveRequest&,
                                                      DurabilityTicket* = nullptr) override;
  Result<ContinuousBackupsDescription> describe_continuous_backups(
      const DescribeContinuousBackupsRequest&, DurabilityTicket* = nullptr) override;

  Result<PutItemResponse> put_item(const PutItemRequest&, DurabilityTicket* = nullptr) override;
  Result<GetItemResponse> get_item(const GetItemRequest&, DurabilityTicket* = nullptr) override;
  Result<UpdateItemResponse> update_item(const UpdateItemRequest&,
                                         DurabilityTicket* = nullptr) override;
  Result<DeleteItemResponse> delete_item(const DeleteItemRequest&,
                                         DurabilityTicket* = nullptr) override;
  Result<QueryResponse> query(const QueryRequest&, DurabilityTicket* = nullptr) override;
  Result<ScanResponse> scan(const ScanRequest&, DurabilityTicket* = nullptr) override;

  Result<BatchGetItemResponse> batch_get_item(const BatchGetItemRequest&,
                                              DurabilityTicket* = nullptr) override;
  Result<BatchWriteItemResponse> batch_write_item(const BatchWriteItemRequest&,
                                                  DurabilityTicket* = nullptr) override;
  Result<TransactGetItemsResponse> transact_get_items(const TransactGetItemsRequest&,
                                                      DurabilityTicket* = nullptr) override;
  Result<TransactWriteItemsResponse> transact_write_items(const TransactWriteItemsRequest&,
                                                          DurabilityTicket* = nullptr) override;

  Result<ListStreamsResponse> list_streams(const ListStreamsRequest&,
                                           DurabilityTicket* = nullptr) override;
  Result<StreamDescription> describe_stream(const DescribeStreamRequest&,
                                            DurabilityTicket* = nullptr) override;
  Result<GetShardIteratorResponse> get_shard_iterator(const GetShardIteratorRequest&,
                                                      DurabilityTicket* = nullptr) override;
  Result<GetRecordsResponse> get_records(const GetRecordsRequest&,
                                         DurabilityTicket* = nullptr) override;

  bool is_durable(DurabilityTicket) const override { return true; }
  void when_durable(DurabilityTicket, std::function<void(Result<void>)> done) override {
    done(Result<void>());
  }

 private:
  class Caller;
  std::unique_ptr<Caller> caller_;
};

}  // namespace partita::client
