#include "partita/client/endpoint.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "partita/database.h"

#include "auth/tls.h"
#include "server/callers.h"
#include "server/server.h"
#include "wire/recording_api_test.h"

namespace partita::client {
namespace {

using std::chrono::milliseconds;

class EndpointTest : public testing::Test {
 protected:
  void start(Api& api, const CallerBook* callers = nullptr, const TlsBook* tls = nullptr) {
    ServerOptions options;
    options.port = 0;
    options.threads = 1;
    options.callers = callers;
    options.tls = tls;
    options.find_database = [&api](const RequestHead&) { return &api; };
    auto server = Server::start(std::move(options));
    ASSERT_TRUE(server) << server.error().message();
    server_ = *std::move(server);
  }
  EndpointOptions options(std::uint16_t port) {
    EndpointOptions made;
    made.url = "http://127.0.0.1:" + std::to_string(port);
    made.credentials = {.access_key_id = "AKID", .secret_access_key = "secret"};
    made.wait = [this](milliseconds delay) { waits_.push_back(delay); };
    return made;
  }
  EndpointOptions options() { return options(server_->port()); }

  static CreateTableRequest table(const std::string& name) {
    CreateTableRequest request;
    request.table_name = name;
    request.attribute_definitions = {{"pk", ScalarType::S}, {"sk", ScalarType::N}};
    request.key_schema = {{"pk", KeyType::Hash}, {"sk", KeyType::Range}};
    request.billing_mode = BillingMode::PayPerRequest;
    return request;
  }

  std::vector<milliseconds> waits_;
  std::unique_ptr<Server> server_;
};

TEST_F(EndpointTest, items_of_every_type_go_there_and_back) {
  const auto database = Database::in_memory();
  start(*database);
  Endpoint endpoint(options());
  ASSERT_TRUE(endpoint.create_table(table("Things")));
  const std::string_view words[] = {"a", "ü\"\n"};
  const std::string_view numbers[] = {"1", "-2.5", "1E+100"};
  const Bytes bytes[] = {Bytes("\0\1", 2)};
  const Item item{{"pk", Value::string("a")},
                  {"sk", Value::number(1)},
                  {"text", Value::string("\"quoted\" \\ ü \t")},
                  {"number", *Value::number("3.14159265358979323846")},
                  {"bytes", Value::binary(Bytes("\0\xff", 2))},
                  {"yes", Value::boolean(true)},
                  {"null", Value::null()},
                  {"list", Value::list({Value::number(1), Value::string("")})},
                  {"map", Value::map({{"a", Value::map({{"b", Value::null()}})}})},
                  {"words", *Value::string_set(words)},
                  {"numbers", *Value::number_set(numbers)},
                  {"bytes set", *Value::binary_set(bytes)}};
  ASSERT_TRUE(endpoint.put_item({.table_name = "Things", .item = item}));
  const Item key{{"pk", Value::string("a")}, {"sk", Value::number(1)}};
  const auto read = endpoint.get_item({.table_name = "Things", .key = key});
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->item, item);
  EXPECT_EQ(database->get_item({.table_name = "Things", .key = key})->item, item);
}

TEST_F(EndpointTest, errors_keep_type_message_item_and_reasons) {
  const auto database = Database::in_memory();
  start(*database);
  Endpoint endpoint(options());
  ASSERT_TRUE(endpoint.create_table(table("Things")));
  const Item item{{"pk", Value::string("a")}, {"sk", Value::number(1)}, {"n", Value::number(7)}};
  ASSERT_TRUE(endpoint.put_item({.table_name = "Things", .item = item}));

  const auto missing = endpoint.describe_table({"Nowhere"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::ResourceNotFound);
  EXPECT_EQ(missing.error().message(), database->describe_table({"Nowhere"}).error().message());

  PutItemRequest put{
      .table_name = "Things",
      .item = item,
      .condition_expression = "attribute_not_exists(pk)",
      .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::AllOld};
  const auto failed = endpoint.put_item(put);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), ErrorCode::ConditionalCheckFailed);
  EXPECT_EQ(failed.error().message(), "The conditional request failed");
  EXPECT_EQ(failed.error().item(), item);

  const Item other{{"pk", Value::string("b")}, {"sk", Value::number(1)}};
  const TransactWrite writes[] = {
      {.kind = TransactWrite::Kind::Put, .table_name = "Things", .item = other},
      {.kind = TransactWrite::Kind::Put,
       .table_name = "Things",
       .item = item,
       .condition_expression = "attribute_not_exists(pk)",
       .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::AllOld}};
  const auto canceled = endpoint.transact_write_items({.transact_items = writes});
  ASSERT_FALSE(canceled);
  EXPECT_EQ(canceled.error().code(), ErrorCode::TransactionCanceled);
  const auto& reasons = canceled.error().cancellation_reasons();
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].code, "None");
  EXPECT_EQ(reasons[1].code, "ConditionalCheckFailed");
  EXPECT_EQ(reasons[1].item, item);
  EXPECT_TRUE(waits_.empty()) << "none of them is worth another attempt";
}

TEST_F(EndpointTest, a_throttled_request_says_what_it_ran_into) {
  RecordingApi api;
  api.on_list_tables = [](const ListTablesRequest&) -> Result<ListTablesResponse> {
    Error error(ErrorCode::ProvisionedThroughputExceeded, "slow down");
    error.set_throttling_reasons({{"TableReadProvisionedThroughputExceeded", "arn:aws:x"}});
    return error;
  };
  start(api);
  EndpointOptions once = options();
  once.attempts_max = 1;
  const auto throttled = Endpoint(once).list_tables({});
  ASSERT_FALSE(throttled);
  const auto& reasons = throttled.error().throttling_reasons();
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_EQ(reasons[0].reason, "TableReadProvisionedThroughputExceeded");
  EXPECT_EQ(reasons[0].resource, "arn:aws:x");
}

TEST_F(EndpointTest, a_stream_is_read) {
  const auto database = Database::in_memory();
  start(*database);
  Endpoint endpoint(options());
  CreateTableRequest create = table("Things");
  create.stream_specification = {.stream_enabled = true,
                                 .stream_view_type = StreamViewType::NewAndOldImages};
  ASSERT_TRUE(endpoint.create_table(create));
  const Item item{{"pk", Value::string("a")}, {"sk", Value::number(1)}, {"n", Value::number(7)}};
  const Item key{{"pk", Value::string("a")}, {"sk", Value::number(1)}};
  ASSERT_TRUE(endpoint.put_item({.table_name = "Things", .item = item}));
  ASSERT_TRUE(endpoint.delete_item({.table_name = "Things", .key = key}));

  const auto streams = endpoint.list_streams({.table_name = "Things"});
  ASSERT_TRUE(streams) << streams.error().message();
  ASSERT_EQ(streams->streams.size(), 1u);
  const std::string arn = streams->streams[0].stream_arn;
  const auto described = endpoint.describe_stream({.stream_arn = arn});
  ASSERT_TRUE(described) << described.error().message();
  EXPECT_EQ(described->stream_status, StreamStatus::Enabled);
  EXPECT_EQ(described->key_schema.size(), 2u);

  std::vector<StreamRecord> records;
  for (const Shard& shard : described->shards) {
    EXPECT_FALSE(shard.starting_sequence_number.empty());
    const auto iterator =
        endpoint.get_shard_iterator({.stream_arn = arn, .shard_id = shard.shard_id});
    ASSERT_TRUE(iterator) << iterator.error().message();
    auto read = endpoint.get_records({.shard_iterator = iterator->shard_iterator});
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_TRUE(read->next_shard_iterator) << "the shard is open";
    for (StreamRecord& record : read->records) records.push_back(std::move(record));
  }
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].event_name, StreamEventName::Insert);
  EXPECT_EQ(records[0].keys, key);
  EXPECT_EQ(records[0].new_image, item);
  EXPECT_EQ(records[0].old_image, std::nullopt);
  EXPECT_EQ(records[1].event_name, StreamEventName::Remove);
  EXPECT_EQ(records[1].old_image, item);
  EXPECT_GT(records[1].approximate_creation_seconds, 0);
  EXPECT_GT(records[1].size_bytes, 0);
  EXPECT_FALSE(records[1].by_expiry);
}

TEST_F(EndpointTest, a_record_of_expiry_is_known_by_who_made_it) {
  RecordingApi api;
  api.on_get_records = [](const GetRecordsRequest&) -> Result<GetRecordsResponse> {
    GetRecordsResponse response;
    response.records.resize(2);
    response.records[0].by_expiry = true;
    return response;
  };
  start(api);
  const auto read = Endpoint(options()).get_records({.shard_iterator = "x"});
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->records.size(), 2u);
  EXPECT_TRUE(read->records[0].by_expiry);
  EXPECT_FALSE(read->records[1].by_expiry);
  EXPECT_EQ(read->next_shard_iterator, std::nullopt);
}

TEST_F(EndpointTest, answers_of_many_megabytes_arrive) {
  RecordingApi api;
  const std::string text(300'000, 'x');
  api.on_batch_get_item = [&](const BatchGetItemRequest&) -> Result<BatchGetItemResponse> {
    BatchGetItemResponse response;
    TableItems& found = response.responses.emplace_back();
    found.table_name = "Things";
    for (int i = 0; i < 50; ++i) {
      found.items.append(Item{{"pk", Value::number(i)}, {"text", Value::string(text)}});
    }
    return response;
  };
  start(api);
  const Item key{{"pk", Value::number(1)}};
  const ItemView keys[] = {key};
  const KeysAndAttributes wanted[] = {{.table_name = "Things", .keys = keys}};
  const auto read = Endpoint(options()).batch_get_item({.request_items = wanted});
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->responses.size(), 1u);
  ASSERT_EQ(read->responses[0].items.size(), 50u);
  EXPECT_EQ(read->responses[0].items[49].find("text")->string(), text);
}

TEST_F(EndpointTest, signatures_are_those_the_server_computes) {
  const auto database = Database::in_memory();
  auto callers = std::make_shared<Callers>(
      "eu-central-1",
      std::vector<AccessKey>{{"AKID", "secret", ""}, {"TEMP", "other", "token/+="}});
  callers->apis = {database.get(), database.get()};
  const CallerBook book(callers);
  start(*database, &book);

  EndpointOptions good = options();
  good.region = "eu-central-1";
  const auto listed = Endpoint(good).list_tables({});
  EXPECT_TRUE(listed) << listed.error().message();

  EndpointOptions temporary = good;
  temporary.credentials = {"TEMP", "other", "token/+="};
  EXPECT_TRUE(Endpoint(temporary).list_tables({}));

  EndpointOptions wrong = good;
  wrong.credentials.secret_access_key = "guessed";
  EXPECT_EQ(Endpoint(wrong).list_tables({}).error().code(), ErrorCode::InvalidSignature);
  EndpointOptions nobody = good;
  nobody.credentials.access_key_id = "NOBODY";
  EXPECT_EQ(Endpoint(nobody).list_tables({}).error().code(), ErrorCode::UnrecognizedClient);
}

TEST_F(EndpointTest, without_a_key_nothing_is_signed) {
  const auto database = Database::in_memory();
  start(*database);
  EndpointOptions unsigned_requests = options();
  unsigned_requests.credentials = {};
  EXPECT_EQ(Endpoint(unsigned_requests).list_tables({}).error().code(),
            ErrorCode::MissingAuthenticationToken);
}

// A certificate for 127.0.0.1 that signs itself.
class Certificate {
 public:
  Certificate() {
    std::string pattern = std::filesystem::temp_directory_path() / "partita-tls-XXXXXX";
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=test -addext subjectAltName=IP:127.0.0.1 -keyout " +
        key() + " -out " + path() + " 2> /dev/null && chmod 600 " + key();
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
  ~Certificate() { std::filesystem::remove_all(directory_); }
  std::string path() const { return directory_ + "/cert.pem"; }
  std::string key() const { return directory_ + "/key.pem"; }

 private:
  std::string directory_;
};

TEST_F(EndpointTest, tls_is_spoken_with_those_whose_certificate_is_trusted) {
  std::signal(SIGPIPE, SIG_IGN);  // as the server asks for
  const Certificate certificate;
  auto context = TlsContext::load(certificate.path(), certificate.key());
  ASSERT_TRUE(context) << context.error().message();
  const TlsBook book(*std::move(context));
  const auto database = Database::in_memory();
  start(*database, nullptr, &book);

  EndpointOptions trusting = options();
  trusting.url.replace(0, 4, "https");
  trusting.certificate_authorities = certificate.path();
  Endpoint endpoint(trusting);
  ASSERT_TRUE(endpoint.create_table(table("Things")));
  const auto listed = endpoint.list_tables({});
  ASSERT_TRUE(listed) << listed.error().message();
  EXPECT_EQ(listed->table_names, std::vector<std::string>{"Things"});

  EndpointOptions careful = trusting;
  careful.certificate_authorities = "";
  const auto refused = Endpoint(careful).list_tables({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::CannotOpen) << refused.error().message();
  EXPECT_TRUE(waits_.empty()) << "another attempt is no use";
  careful.verify_certificate = false;
  EXPECT_TRUE(Endpoint(careful).list_tables({}));
}

TEST_F(EndpointTest, an_address_that_is_none_is_told_at_once) {
  for (const std::string wrong : {"", "ftp://x", "http://", "127.0.0.1:8000", "http://x:99999"}) {
    EndpointOptions nowhere = options(1);
    nowhere.url = wrong;
    const auto listed = Endpoint(nowhere).list_tables({});
    ASSERT_FALSE(listed) << wrong;
    EXPECT_EQ(listed.error().message(), "'" + wrong + "' is not an http:// or https:// address.");
    nowhere.url = "http://127.0.0.1:1";
    nowhere.streams_url = "ftp://x";
    EXPECT_EQ(Endpoint(nowhere).list_tables({}).error().code(), ErrorCode::CannotOpen);
  }
  EXPECT_TRUE(waits_.empty());
}

TEST_F(EndpointTest, streams_may_be_elsewhere) {
  RecordingApi items, streams;
  streams.on_list_streams = [](const ListStreamsRequest&) { return ListStreamsResponse{}; };
  items.on_list_tables = [](const ListTablesRequest&) { return ListTablesResponse{}; };
  start(streams);
  const auto streams_server = std::move(server_);
  start(items);
  EndpointOptions apart = options();
  apart.streams_url = "http://127.0.0.1:" + std::to_string(streams_server->port());
  Endpoint endpoint(apart);
  EXPECT_TRUE(endpoint.list_tables({}));
  EXPECT_TRUE(endpoint.list_streams({}));
  EXPECT_EQ(items.calls, 1);
  EXPECT_EQ(streams.calls, 1);
}

TEST_F(EndpointTest, throttling_is_tried_again_after_growing_random_delays) {
  RecordingApi api;
  int calls = 0;
  api.on_list_tables = [&](const ListTablesRequest&) -> Result<ListTablesResponse> {
    if (++calls < 6) return Error(ErrorCode::ProvisionedThroughputExceeded, "slow down");
    return ListTablesResponse{.table_names = {"Things"}};
  };
  start(api);
  EndpointOptions patient = options();
  patient.retry_delay_base = milliseconds(100);
  patient.retry_delay_max = milliseconds(400);
  const auto listed = Endpoint(patient).list_tables({});
  ASSERT_TRUE(listed) << listed.error().message();
  EXPECT_EQ(listed->table_names, std::vector<std::string>{"Things"});
  ASSERT_EQ(waits_.size(), 5u);
  const milliseconds limits[] = {milliseconds(100), milliseconds(200), milliseconds(400),
                                 milliseconds(400), milliseconds(400)};
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    EXPECT_GE(waits_[i], milliseconds(0));
    EXPECT_LE(waits_[i], limits[i]);
  }

  calls = 0;
  patient.attempts_max = 3;
  const auto refused = Endpoint(patient).list_tables({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::ProvisionedThroughputExceeded);
  EXPECT_EQ(calls, 3);
}

TEST_F(EndpointTest, a_transaction_that_is_tried_again_has_one_token) {
  RecordingApi api;
  std::vector<std::string> tokens;
  api.on_transact_write_items =
      [&](const TransactWriteItemsRequest& request) -> Result<TransactWriteItemsResponse> {
    tokens.emplace_back(request.client_request_token.value_or(""));
    if (tokens.size() == 1) return Error::internal("once");
    return TransactWriteItemsResponse{};
  };
  start(api);
  const Item item{{"pk", Value::string("a")}};
  const TransactWrite writes[] = {{.table_name = "Things", .item = item}};
  ASSERT_TRUE(Endpoint(options()).transact_write_items({.transact_items = writes}));
  ASSERT_EQ(tokens.size(), 2u);
  EXPECT_EQ(tokens[0].size(), 36u);
  EXPECT_EQ(tokens[0], tokens[1]);
}

// Answers every request of one connection with the same bytes, and accepts no second one.
class OneConnection {
 public:
  explicit OneConnection(std::string answer) : answer_(std::move(answer)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), length), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~OneConnection() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  std::uint16_t port() const { return port_; }

 private:
  void serve() {
    const int connection = ::accept(listener_, nullptr, nullptr);
    if (connection < 0) return;
    std::string received;
    char buffer[4096];
    for (ssize_t count; (count = ::read(connection, buffer, sizeof buffer)) > 0;) {
      received.append(buffer, static_cast<std::size_t>(count));
      // Every request here has the body {}.
      if (answer_.empty() || !received.ends_with("\r\n\r\n{}")) continue;
      received.clear();
      if (::write(connection, answer_.data(), answer_.size()) < 0) break;
    }
    ::close(connection);
  }

  std::string answer_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

std::string http_answer(std::string_view status, std::string_view body) {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

TEST_F(EndpointTest, a_connection_is_used_again) {
  OneConnection server(http_answer("200 OK", R"({"TableNames":["A"],"NewMember":{"x":[1]}})"));
  Endpoint endpoint(options(server.port()));
  for (int i = 0; i < 5; ++i) {
    const auto listed = endpoint.list_tables({});
    ASSERT_TRUE(listed) << listed.error().message();
    EXPECT_EQ(listed->table_names, std::vector<std::string>{"A"});
  }
}

TEST_F(EndpointTest, what_does_not_answer_is_unavailable) {
  OneConnection silent("");
  EndpointOptions impatient = options(silent.port());
  impatient.request_timeout = milliseconds(50);
  impatient.attempts_max = 1;
  const auto late = Endpoint(impatient).list_tables({});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), ErrorCode::ServiceUnavailable);
  EXPECT_NE(late.error().message().find("timed out"), std::string::npos) << late.error().message();

  EndpointOptions nowhere = options(1);  // nobody listens there
  nowhere.attempts_max = 3;
  const auto lost = Endpoint(nowhere).list_tables({});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code(), ErrorCode::ServiceUnavailable);
  EXPECT_EQ(waits_.size(), 2u);
}

TEST_F(EndpointTest, answers_that_are_not_dynamodbs_are_told) {
  OneConnection proxy(http_answer("502 Bad Gateway", "<html>no</html>"));
  EndpointOptions once = options(proxy.port());
  once.attempts_max = 2;
  const auto bad = Endpoint(once).list_tables({});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), ErrorCode::ServiceUnavailable);
  EXPECT_EQ(bad.error().message(), "HTTP status 502: <html>no</html>");
  EXPECT_EQ(waits_.size(), 1u);

  OneConnection page(http_answer("200 OK", "<html>yes</html>"));
  const auto strange = Endpoint(options(page.port())).list_tables({});
  ASSERT_FALSE(strange);
  EXPECT_EQ(strange.error().code(), ErrorCode::InternalServerError);
}

TEST_F(EndpointTest, threads_share_an_endpoint) {
  const auto database = Database::in_memory();
  start(*database);
  Endpoint endpoint(options());
  ASSERT_TRUE(endpoint.create_table(table("Things")));
  std::atomic<int> stored = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const Item item{{"pk", Value::string("a")}, {"sk", Value::number(100 * t + i)}};
        if (endpoint.put_item({.table_name = "Things", .item = item})) ++stored;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stored, 80);
  const auto counted = endpoint.scan({.table_name = "Things", .select = Select::Count});
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->count, 80);
  EXPECT_FALSE(counted->items_wanted);
}

}  // namespace
}  // namespace partita::client
