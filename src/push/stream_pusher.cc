#include "push/stream_pusher.h"

#include <algorithm>

#include <fcntl.h>
#include <unistd.h>

#include "formats/json_writer.h"
#include "push/json_tree.h"
#include "wire/stream_messages.h"

namespace partita {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kIdle{20};            // between looks at a stream without records
constexpr milliseconds kBetweenLooks{100};   // for new shards
constexpr milliseconds kWithoutStream{100};  // between looks for a stream
constexpr milliseconds kFirstPause{100}, kPauseMax{30'000};
constexpr std::size_t kEventBytesMax = 6 << 20;  // as Lambda's

std::string event_of(const std::deque<std::string>& texts, std::size_t count) {
  std::string event = "{\"Records\":[";
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) event.push_back(',');
    event.append(texts[i]);
  }
  return event.append("]}");
}

std::string text_of(const StreamRecord& record, std::string_view stream_arn) {
  TextBuffer text;
  {
    JsonWriter json(text);
    write_event_record(json, record, stream_arn);
  }
  return std::string(text.view());
}

// How many records come before the first that an answer names as failed:
//   {"batchItemFailures": [{"itemIdentifier": "a sequence number"}]}
// An answer that names none is a success, one that names something else a failure of them all.
std::size_t records_before_failure(std::string_view answer, const std::deque<StreamRecord>& records,
                                   std::size_t count) {
  const auto tree = parse_json(answer);
  const JsonTree* const failures = tree ? tree->find("batchItemFailures") : nullptr;
  if (failures == nullptr || failures->kind != JsonTree::Kind::Array) return count;
  std::size_t first = count;
  for (const JsonTree& failure : failures->elements) {
    const JsonTree* const named = failure.find("itemIdentifier");
    std::size_t place = 0;
    while (place < count && !(named && named->text == records[place].sequence_number)) ++place;
    if (place == count) return 0;
    first = std::min(first, place);
  }
  return first;
}

// One line, in the words of Lambda's failure destinations, with the event itself.
std::string dead_letter(const PushTarget& target, const std::string& stream_arn,
                        const ShardInHand& shard, std::size_t count, std::string_view condition) {
  TextBuffer text;
  {
    JsonWriter json(text);
    const auto member = [&](std::string_view name, std::string_view value) {
      json.member(name);
      json.string(value);
    };
    json.begin_object();
    json.member("requestContext");
    json.begin_object();
    member("functionArn", target.target);
    member("condition", condition);
    json.member("approximateInvokeCount");
    json.integer(shard.attempts);
    json.end_object();
    member("version", "1.0");
    json.member("DDBStreamBatchInfo");
    json.begin_object();
    member("shardId", shard.id);
    member("startSequenceNumber", shard.waiting.front().sequence_number);
    member("endSequenceNumber", shard.waiting[count - 1].sequence_number);
    json.member("batchSize");
    json.integer(static_cast<std::int64_t>(count));
    member("streamArn", stream_arn);
    json.end_object();
    json.end_object();
  }
  std::string line(text.view());
  line.pop_back();  // the last brace: the event is a member too
  return line.append(",\"payload\":").append(event_of(shard.texts, count)).append("}\n");
}

Result<void> append_to_file(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  bool well = file >= 0;
  while (well && !bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    well = written > 0;
    if (well) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  well = well && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (!well) return Error::internal("The file of dead letters '" + path + "' cannot be written.");
  return {};
}

// "Orders=http:" or "Users=exec:" starts here.
bool starts_target(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos || sign == 0) return false;
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  };
  const std::string_view name = text.substr(0, sign), rest = text.substr(sign + 1);
  return std::all_of(name.begin(), name.end(), is_name) &&
         (rest.starts_with("http:") || rest.starts_with("https:") || rest.starts_with("exec:"));
}

}  // namespace

Result<std::vector<PushTarget>> parse_push_targets(std::string_view text) {
  std::vector<PushTarget> targets;
  while (!text.empty()) {
    if (!starts_target(text)) {
      return Error::validation("'" + std::string(text) +
                               "' is no stream target: TABLE=http://… or TABLE=exec:command.");
    }
    std::size_t end = text.find(',');
    while (end != std::string_view::npos && !starts_target(text.substr(end + 1))) {
      end = text.find(',', end + 1);
    }
    const std::string_view one = text.substr(0, end);
    const std::size_t sign = one.find('=');
    targets.push_back({std::string(one.substr(0, sign)), std::string(one.substr(sign + 1))});
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return targets;
}

Result<std::unique_ptr<StreamPusher>> StreamPusher::start(Database& database, PushTarget target,
                                                          PushOptions options, Log& log) {
  PARTITA_TRY(EventFilter filter, EventFilter::parse(options.filter));
  PARTITA_TRY(auto delivery, make_delivery(target.target, options.timeout));
  PARTITA_TRY(const auto saved, database.checkpoint(target.table_name + "=" + target.target));
  ShardProgress progress;
  if (saved) {
    PARTITA_TRY(progress, decode_progress(*saved));
  }
  return std::unique_ptr<StreamPusher>(new StreamPusher(database, std::move(target),
                                                        std::move(options), log, std::move(filter),
                                                        std::move(delivery), std::move(progress)));
}

StreamPusher::StreamPusher(Database& database, PushTarget target, PushOptions options, Log& log,
                           EventFilter filter, std::unique_ptr<Delivery> delivery,
                           ShardProgress progress)
    : database_(database),
      target_(std::move(target)),
      options_(std::move(options)),
      log_(log),
      filter_(std::move(filter)),
      delivery_(std::move(delivery)),
      progress_(std::move(progress)),
      thread_([this] { run(); }) {}

StreamPusher::~StreamPusher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_one();
  thread_.join();
}

void StreamPusher::pause(milliseconds time) {
  std::unique_lock lock(mutex_);
  stopped_.wait_for(lock, time, [this] { return stopping_.load(); });
}

void StreamPusher::run() {
  Steady::time_point look_at{};
  while (!stopping_) {
    if (Steady::now() >= look_at || progress_.all_ended()) {
      if (!find_stream() || !find_shards()) {
        pause(kWithoutStream);
        continue;
      }
      look_at = Steady::now() + kBetweenLooks;
    }
    bool worked = false;
    for (ShardInHand& shard : progress_.shards) {
      if (!stopping_ && progress_.is_readable(shard)) worked |= serve(shard);
    }
    if (!worked) pause(kIdle);
  }
}

// ---- Where to read ----

// The stream that is being read, then those after it; for a start, the newest.
bool StreamPusher::find_stream() {
  ListStreamsRequest request;
  request.table_name = target_.table_name;
  const auto listed = database_.list_streams(request);
  if (!listed || listed->streams.empty()) return false;
  const auto& streams = listed->streams;
  const auto is_read = [&](const StreamSummary& stream) {
    return stream.stream_arn == progress_.stream_arn;
  };
  const auto current = std::find_if(streams.begin(), streams.end(), is_read);
  if (current != streams.end()) {
    const bool over = !progress_.shards.empty() && progress_.all_ended();
    if (!over || current + 1 == streams.end()) return true;
    progress_ = {(current + 1)->stream_arn, {}};
    return true;
  }
  const auto next = std::find_if(streams.begin(), streams.end(), [&](const StreamSummary& stream) {
    return !progress_.stream_arn.empty() && stream.stream_arn > progress_.stream_arn;
  });
  progress_ = {next == streams.end() ? streams.back().stream_arn : next->stream_arn, {}};
  return true;
}

bool StreamPusher::find_shards() {
  DescribeStreamRequest request;
  request.stream_arn = progress_.stream_arn;
  std::vector<std::string> seen;
  do {
    const auto described = database_.describe_stream(request);
    if (!described) return false;
    for (const Shard& shard : described->shards) {
      seen.push_back(shard.shard_id);
      ShardInHand* known = progress_.find(shard.shard_id);
      if (!known) known = &progress_.shards.emplace_back();
      known->id = shard.shard_id;
      known->parent = shard.parent_shard_id.value_or("");
    }
    request.exclusive_start_shard_id = described->last_evaluated_shard_id;
  } while (request.exclusive_start_shard_id);
  std::erase_if(progress_.shards, [&](const ShardInHand& shard) {  // a day after their end
    return shard.waiting.empty() && !std::binary_search(seen.begin(), seen.end(), shard.id);
  });
  return true;
}

// ---- Reading ----

Result<std::string> StreamPusher::first_iterator(const ShardInHand& shard) {
  GetShardIteratorRequest request;
  request.stream_arn = progress_.stream_arn;
  request.shard_id = shard.id;
  if (!shard.read.empty()) {
    request.shard_iterator_type = ShardIteratorType::AfterSequenceNumber;
    request.sequence_number = shard.read;
    auto after = database_.get_shard_iterator(request);
    if (after) return std::move(after->shard_iterator);
    if (after.error().code() != ErrorCode::TrimmedDataAccess) return std::move(after).error();
    log_.warning("push_missed", {{"table", target_.table_name}, {"shard", shard.id}});
    request.sequence_number.reset();
  }
  request.shard_iterator_type = ShardIteratorType::TrimHorizon;
  PARTITA_TRY(GetShardIteratorResponse response, database_.get_shard_iterator(request));
  return std::move(response.shard_iterator);
}

void StreamPusher::take(ShardInHand& shard, StreamRecord record) {
  shard.read = record.sequence_number;
  std::string text = text_of(record, progress_.stream_arn);
  if (!filter_.takes_everything()) {
    const auto tree = parse_json(text);
    if (!tree || !filter_.matches(*tree)) {
      if (shard.waiting.empty()) shard.delivered = shard.read;
      return;
    }
  }
  if (shard.waiting.empty()) shard.waiting_since = Steady::now();
  shard.waiting.push_back(std::move(record));
  shard.texts.push_back(std::move(text));
}

// True if there was something.
bool StreamPusher::read(ShardInHand& shard) {
  if (shard.read_to_end || shard.waiting.size() >= options_.batch_size) return false;
  if (shard.iterator.empty()) {
    auto iterator = first_iterator(shard);
    if (!iterator) return false;
    shard.iterator = *std::move(iterator);
  }
  GetRecordsRequest request;
  request.shard_iterator = shard.iterator;
  request.limit = static_cast<std::int32_t>(
      std::min<std::size_t>(1000, options_.batch_size - shard.waiting.size()));
  auto page = database_.get_records(request);
  if (!page) {
    shard.iterator.clear();  // expired, or what it led to is gone
    return false;
  }
  const bool some = !page->records.empty();
  for (StreamRecord& record : page->records) take(shard, std::move(record));
  shard.iterator = page->next_shard_iterator.value_or("");
  shard.read_to_end = !page->next_shard_iterator;
  return some || shard.read_to_end;
}

// ---- Delivering ----

bool StreamPusher::serve(ShardInHand& shard) {
  const bool some = read(shard);
  if (shard.read_to_end && shard.waiting.empty()) {
    shard.ended = true;
    save_progress();
    return true;
  }
  if (!is_due(shard)) return some;
  return drop_what_is_too_old(shard) || deliver(shard) || some;
}

bool StreamPusher::is_due(const ShardInHand& shard) const {
  const auto now = Steady::now();
  if (shard.waiting.empty() || now < shard.retry_at) return false;
  return shard.read_to_end || shard.attempts > 0 || shard.batch_max != 0 ||
         shard.waiting.size() >= options_.batch_size ||
         now - shard.waiting_since >= options_.batch_window;
}

bool StreamPusher::deliver(ShardInHand& shard) {
  const std::size_t limit = shard.batch_max != 0 ? shard.batch_max : options_.batch_size;
  std::size_t count = 0, bytes = 0;
  while (count < std::min(limit, shard.texts.size())) {
    bytes += shard.texts[count].size() + 1;
    if (bytes > kEventBytesMax && count > 0) break;
    ++count;
  }
  const Result<std::string> done = delivery_->deliver(event_of(shard.texts, count), stopping_);
  if (stopping_ && !done) return false;
  ++shard.attempts;
  if (!done) {
    failed(shard, count, done.error());
    return true;
  }
  const std::size_t good =
      options_.report_failures ? records_before_failure(*done, shard.waiting, count) : count;
  if (good > 0) delivered(shard, good);
  if (good < count) {
    shard.attempts = std::max<std::int64_t>(shard.attempts, 1);
    failed(shard, count - good, Error::internal("the target reported records that failed"));
  }
  return true;
}

void StreamPusher::delivered(ShardInHand& shard, std::size_t count) {
  const auto end = static_cast<std::ptrdiff_t>(count);
  shard.delivered = shard.waiting[count - 1].sequence_number;
  shard.waiting.erase(shard.waiting.begin(), shard.waiting.begin() + end);
  shard.texts.erase(shard.texts.begin(), shard.texts.begin() + end);
  if (shard.waiting.empty()) shard.delivered = shard.read;
  shard.waiting_since = Steady::now();
  shard.retry_at = {};
  shard.attempts = 0;
  if (shard.batch_max != 0) {  // after an error batches grow again step by step
    shard.batch_max = shard.batch_max * 2 < options_.batch_size ? shard.batch_max * 2 : 0;
  }
  save_progress();
}

// Half of the batch alone is likelier to go well; so a record that never will be is found.
void StreamPusher::failed(ShardInHand& shard, std::size_t count, const Error& why) {
  log_.warning("push_failed", {{"table", target_.table_name},
                               {"target", target_.target},
                               {"records", count},
                               {"attempt", shard.attempts},
                               {"message", why.message()}});
  if (options_.bisect_on_error && count > 1) {
    shard.batch_max = (count + 1) / 2;
    shard.attempts = 0;
    return;
  }
  if (options_.retries_max >= 0 && shard.attempts > options_.retries_max) {
    give_up(shard, count, "RetryAttemptsExhausted");
    return;
  }
  milliseconds most = kFirstPause;
  for (std::int64_t i = 1; i < shard.attempts && most < kPauseMax; ++i) most *= 2;
  most = std::min(most, kPauseMax);
  const auto share =
      static_cast<std::int64_t>(random_.next() % static_cast<std::uint64_t>(most.count() + 1));
  shard.retry_at = Steady::now() + milliseconds(share);
}

void StreamPusher::give_up(ShardInHand& shard, std::size_t count, std::string_view why) {
  log_.error("push_gave_up", {{"table", target_.table_name},
                              {"target", target_.target},
                              {"records", count},
                              {"reason", why}});
  if (!options_.dead_letters.empty()) {
    const auto written = append_to_file(
        options_.dead_letters, dead_letter(target_, progress_.stream_arn, shard, count, why));
    if (!written) {  // nothing is thrown away that could not be put down
      log_.error("push_dead_letters", {{"message", written.error().message()}});
      shard.retry_at = Steady::now() + kPauseMax;
      return;
    }
  }
  delivered(shard, count);
}

bool StreamPusher::drop_what_is_too_old(ShardInHand& shard) {
  if (options_.record_age_max.count() < 0) return false;
  const auto now = std::chrono::floor<std::chrono::seconds>(database_.clock().now());
  const std::int64_t oldest = now.time_since_epoch().count() - options_.record_age_max.count();
  std::size_t count = 0;
  while (count < shard.waiting.size() &&
         shard.waiting[count].approximate_creation_seconds < oldest) {
    ++count;
  }
  if (count > 0) give_up(shard, count, "MaximumRecordAgeExceeded");
  return count > 0;
}

void StreamPusher::save_progress() {
  const auto saved = database_.set_checkpoint(target_.table_name + "=" + target_.target,
                                              encode_progress(progress_));
  if (!saved) log_.error("push_checkpoint", {{"message", saved.error().message()}});
}

}  // namespace partita
