#include "partita/model/stream.h"

#include <algorithm>

#include "partita/model/write_set.h"

namespace partita::model {

// A shard, and how far it has been read. One that was neither passed nor ended is read from its
// start.
struct StreamRun::ShardInHand {
  std::string id;
  std::string parent{};
  std::string passed{};  // the last sequence number handed on
  std::string start{};   // where it begins, if what comes first must not be missing
  bool closed = false;   // gets no more records
  bool ended = false;    // closed, and all has been handed on
  std::string iterator{};
  bool at_end = false;  // it ends behind the page that is being read

  bool is_begun() const { return ended || !passed.empty(); }
};

namespace {

// checkpoint := "stream " ARN "\n" { "shard " id " " (sequence number | "end") "\n" }*
//
// Shards whose children are named too are left out: they have ended.
constexpr std::string_view kStream = "stream ", kShard = "shard ", kEnd = "end";

Error bad_checkpoint() {
  return Error(CursorInvalid,
               "this checkpoint is damaged or belongs to the stream of another table");
}
Error too_old(const std::string& what) {
  return Error(ErrorCode::TrimmedDataAccess,
               what +
                   " is no longer kept, so that changes behind the checkpoint may be lost; "
                   "without a checkpoint a reader starts with the oldest change there is");
}

// "…:table/Deals/stream/2024-06-01T12:00:00.000"
std::string_view label_of(std::string_view arn) { return arn.substr(arn.rfind('/') + 1); }

Item checkpoint_key(const Store& store, std::string_view name) {
  return detail::text_key(store.shape(), "CHECKPOINT#" + std::string(name));
}

}  // namespace

StreamRun::StreamRun(const Store& store, std::string_view checkpoint)
    : store_(&store), saved_(checkpoint) {}
StreamRun::~StreamRun() = default;
StreamRun::StreamRun(StreamRun&&) noexcept = default;

StreamRun::ShardInHand* StreamRun::find(std::string_view id) const {
  const auto found = std::find_if(shards_.begin(), shards_.end(),
                                  [&](const auto& shard) { return shard->id == id; });
  return found == shards_.end() ? nullptr : found->get();
}

// ---- Checkpoints

std::string StreamRun::checkpoint() const {
  if (!saved_.empty()) return saved_;
  if (arn_.empty()) return {};
  std::string text(kStream);
  text.append(arn_).append("\n");
  for (const auto& shard : shards_) {
    const bool followed = std::any_of(shards_.begin(), shards_.end(), [&](const auto& other) {
      return other->parent == shard->id && other->is_begun();
    });
    if (!shard->is_begun() || followed) continue;
    text.append(kShard).append(shard->id).append(" ");
    text.append(shard->ended ? kEnd : std::string_view(shard->passed)).append("\n");
  }
  return text;
}

Result<void> StreamRun::resume() {
  std::string_view rest = saved_;
  const auto line = [&](std::string_view start) -> std::string_view {
    const std::size_t end = rest.find('\n');
    if (!rest.starts_with(start) || end == std::string_view::npos) return {};
    const std::string_view text = rest.substr(start.size(), end - start.size());
    rest.remove_prefix(end + 1);
    return text;
  };
  const std::string_view arn = line(kStream);
  if (arn.find(":table/" + store_->table_name() + "/stream/") == std::string_view::npos) {
    return bad_checkpoint();
  }
  std::vector<std::unique_ptr<ShardInHand>> shards;
  while (!rest.empty()) {
    const std::string_view text = line(kShard);
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos || space + 1 == text.size()) return bad_checkpoint();
    auto shard = std::make_unique<ShardInHand>(ShardInHand{std::string(text.substr(0, space))});
    const std::string_view place = text.substr(space + 1);
    shard->ended = place == kEnd;
    if (!shard->ended) shard->passed = place;
    shards.push_back(std::move(shard));
  }
  arn_ = arn;
  shards_ = std::move(shards);
  saved_.clear();
  return {};
}

// ---- Which shards there are

Result<void> StreamRun::find_first_stream() {
  PARTITA_TRY(const TableDescription table,
              store_->api().describe_table({.table_name = store_->table_name()}));
  if (table.latest_stream_arn.empty()) {
    return Error::validation("the table " + store_->table_name() +
                             " has no stream: declare it with define_table<…>(…, streamed)");
  }
  arn_ = table.latest_stream_arn;
  return {};
}

// Streams that were switched on later have later labels.
Result<bool> StreamRun::find_later_stream() {
  std::string later;
  ListStreamsRequest request;
  request.table_name = store_->table_name();
  while (true) {
    PARTITA_TRY(const ListStreamsResponse listed, store_->api().list_streams(request));
    for (const StreamSummary& stream : listed.streams) {
      const std::string_view label = label_of(stream.stream_arn);
      if (label <= label_of(arn_)) continue;
      if (later.empty() || label < label_of(later)) later = stream.stream_arn;
    }
    if (!listed.last_evaluated_stream_arn) break;
    request.exclusive_start_stream_arn = listed.last_evaluated_stream_arn;
  }
  if (later.empty()) return false;
  arn_ = later;
  shards_.clear();
  return true;
}

Result<void> StreamRun::describe(std::vector<Shard>& shards, StreamStatus& status) {
  DescribeStreamRequest request;
  request.stream_arn = arn_;
  while (true) {
    PARTITA_TRY(StreamDescription stream, store_->api().describe_stream(request));
    if (stream.stream_view_type != StreamViewType::NewAndOldImages) {
      return Error::validation("the stream of the table " + store_->table_name() +
                               " does not keep old and new images, which typed changes need");
    }
    status = stream.stream_status;
    for (Shard& shard : stream.shards) shards.push_back(std::move(shard));
    if (!stream.last_evaluated_shard_id) return {};
    request.exclusive_start_shard_id = std::move(stream.last_evaluated_shard_id);
  }
}

// Takes note of new shards and of those that were closed or are gone. True if there may be
// something to read now that there was not before.
Result<bool> StreamRun::find_shards() {
  bool news = !saved_.empty();
  if (news) PARTITA_CHECK(resume());
  if (arn_.empty()) PARTITA_CHECK(find_first_stream());
  std::vector<Shard> described;
  StreamStatus status = StreamStatus::Enabled;
  const auto all_ended = [this] {
    return std::all_of(shards_.begin(), shards_.end(), [](const auto& s) { return s->ended; });
  };
  auto known = describe(described, status);
  if (!known) {
    if (known.error().code() != ErrorCode::ResourceNotFound) return std::move(known).error();
    if (!all_ended()) return too_old("the stream " + arn_);
    return find_later_stream();
  }
  const auto is_there = [&](std::string_view id) {
    return std::any_of(described.begin(), described.end(),
                       [&](const Shard& each) { return each.shard_id == id; });
  };
  for (const Shard& shard : described) {
    ShardInHand* mine = find(shard.shard_id);
    const std::string parent_id = shard.parent_shard_id.value_or("");
    if (mine == nullptr) {
      mine = shards_.emplace_back(std::make_unique<ShardInHand>(ShardInHand{shard.shard_id})).get();
      news = true;
      // While a shard is there its children are younger than what is trimmed, unless somebody is
      // about to trim.
      const ShardInHand* const parent = find(parent_id);
      if (parent != nullptr && parent->is_begun() && is_there(parent_id)) {
        mine->start = shard.starting_sequence_number;
      }
    }
    mine->parent = parent_id;
    const bool closed = shard.ending_sequence_number.has_value();
    news |= closed && !std::exchange(mine->closed, closed) && !mine->ended;
  }
  end_ancestors();
  for (const auto& shard : shards_) {
    const bool there = is_there(shard->id);
    if (!there && !shard->ended) return too_old("the shard " + shard->id);
    if (!there) shard->id.clear();
  }
  std::erase_if(shards_, [](const auto& shard) { return shard->id.empty(); });
  if (!news && status == StreamStatus::Disabled && all_ended()) return find_later_stream();
  return news;
}

// Whoever has begun with a shard is done with those before it.
void StreamRun::end_ancestors() {
  for (const auto& shard : shards_) {
    if (!shard->is_begun()) continue;
    ShardInHand* ancestor = find(shard->parent);
    while (ancestor != nullptr && !ancestor->ended) {
      ancestor->ended = true;
      ancestor = find(ancestor->parent);
    }
  }
}

bool StreamRun::is_readable(const ShardInHand& shard) const {
  if (shard.ended) return false;
  const ShardInHand* const parent = find(shard.parent);
  return parent == nullptr || parent->ended;
}

// ---- Records

Result<GetShardIteratorResponse> StreamRun::get_iterator(const ShardInHand& shard) {
  GetShardIteratorRequest request;
  request.stream_arn = arn_;
  request.shard_id = shard.id;
  if (!shard.passed.empty()) {
    request.shard_iterator_type = ShardIteratorType::AfterSequenceNumber;
    request.sequence_number = shard.passed;
  } else if (!shard.start.empty()) {
    request.shard_iterator_type = ShardIteratorType::AtSequenceNumber;
    request.sequence_number = shard.start;
    auto begun = store_->api().get_shard_iterator(request);
    if (begun || begun.error().code() != ErrorCode::Validation) return begun;
    // A shard that was closed without a record has no sequence numbers.
    request.shard_iterator_type = ShardIteratorType::TrimHorizon;
    request.sequence_number.reset();
  }
  return store_->api().get_shard_iterator(request);
}

Result<GetRecordsResponse> StreamRun::get_records(ShardInHand& shard) {
  for (bool renewed = false;; renewed = true) {
    if (shard.iterator.empty()) {
      PARTITA_TRY(GetShardIteratorResponse begun, get_iterator(shard));
      shard.iterator = std::move(begun.shard_iterator);
      shard.start.clear();
    }
    auto records = store_->api().get_records({.shard_iterator = shard.iterator});
    if (records || renewed || records.error().code() != ErrorCode::ExpiredIterator) return records;
    shard.iterator.clear();  // nobody asked for a while
  }
}

// True if it has records, or came to its end, behind which its children may have some.
Result<bool> StreamRun::read_page_of(ShardInHand& shard) {
  while (true) {
    auto records = get_records(shard);
    if (!records) {
      if (records.error().code() != ErrorCode::ResourceNotFound) return std::move(records).error();
      // It went away since it was described.
      if (shard.is_begun() || !shard.start.empty()) return too_old("the shard " + shard.id);
      return shard.ended = true;
    }
    shard.at_end = !records->next_shard_iterator.has_value();
    shard.iterator = std::move(records->next_shard_iterator).value_or("");
    if (!records->records.empty()) {
      page_ = std::move(records->records);
      at_ = 0;
      reading_ = &shard;
      return true;
    }
    if (shard.at_end) return shard.ended = true;
    if (!shard.closed) return false;
  }
}

Result<bool> StreamRun::read_page() {
  while (true) {
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      ShardInHand& shard = *shards_[turn_++ % shards_.size()];
      if (!is_readable(shard)) continue;
      PARTITA_TRY(const bool news, read_page_of(shard));
      if (news) return true;
    }
    PARTITA_TRY(const bool news, find_shards());
    if (!news) return false;
  }
}

Result<const StreamRecord*> StreamRun::next() {
  while (at_ == page_.size()) {
    PARTITA_TRY(const bool more, read_page());
    if (!more) return static_cast<const StreamRecord*>(nullptr);
  }
  return &page_[at_];
}

void StreamRun::pass() {
  if (at_ == page_.size()) return;
  reading_->passed = page_[at_++].sequence_number;
  if (at_ == page_.size()) reading_->ended = reading_->at_end;
}

// ---- Checkpoints in a table

Result<std::string> load_checkpoint(const Store& store, std::string_view name) {
  const Item key = checkpoint_key(store, name);
  PARTITA_TRY(const GetItemResponse read,
              store.api().get_item(
                  {.table_name = store.table_name(), .key = key, .consistent_read = true}));
  const auto text = read.item ? read.item->find("checkpoint") : std::nullopt;
  return text && text->is(ValueType::S) ? std::string(text->string()) : std::string();
}

Result<void> save_checkpoint(const Store& store, std::string_view name,
                             std::string_view checkpoint) {
  Item item = checkpoint_key(store, name);
  item.set(store.shape().type_attribute, Value::string("_checkpoint"));
  item.set("checkpoint", Value::string(checkpoint));
  PARTITA_CHECK(store.api().put_item({.table_name = store.table_name(), .item = item}));
  return {};
}

}  // namespace partita::model
