#include "partita/model/stream.h"

#include <thread>

#include <gtest/gtest.h>

#include "partita/database.h"
#include "partita/model/model.h"

namespace partita::model {
namespace {

using Second = std::chrono::sys_seconds;
using Words = std::vector<std::string>;

struct Cat {
  std::string name{};
  std::int64_t lives = 9;
};
struct Box {
  std::string name{};
  std::optional<Second> until{};
};

inline constexpr auto home = define_table<"Home">(key<"PK", "SK">, ttl<"until">, streamed);
inline constexpr auto cat = define_entity<Cat, "cat">(home, key<"THING#{name}", "CAT">);
inline constexpr auto box = define_entity<Box, "box">(home, key<"THING#{name}", "CAT">);
inline constexpr auto things = define_collection<"", cat, box>();

class StreamTest : public testing::Test {
 protected:
  explicit StreamTest(unsigned shards = 1) {
    Options options;
    options.engine = EngineKind::Memory;
    options.stream_shards = shards;
    options.stream_roll = std::chrono::milliseconds(60'000);
    options.expiry_delay = std::chrono::seconds(0);
    options.clock = clock;
    EXPECT_TRUE(clock->freeze_at(MovableClock::Time(std::chrono::seconds(1'700'000'000))));
    auto opened = Database::open(options);
    EXPECT_TRUE(opened) << opened.error().message();
    database = std::move(*opened);
    table.emplace(*database, "Home");
    cats.emplace(*table);
    boxes.emplace(*table);
    const auto created = table->create_if_missing();
    EXPECT_TRUE(created) << created.error().message();
  }

  template <typename Any>
  static std::string word(const Any& any) {
    std::string said;
    match(
        any, [&](const Inserted<Cat>& e) { said = "+" + e.now.name + std::to_string(e.now.lives); },
        [&](const Modified<Cat>& e) {
          said = e.now.name + std::to_string(e.before.lives) + ">" + std::to_string(e.now.lives);
        },
        [&](const Removed<Cat>& e) { said = "-" + e.before.name; },
        [&](const Inserted<Box>& e) { said = "+[" + e.now.name + "]"; },
        [&](const Removed<Box>& e) { said = (e.expired ? "~[" : "-[") + e.before.name + "]"; });
    return said;
  }
  template <typename Reader>
  static Words words(Reader& reader) {
    Words all;
    for (const auto& each : reader) all.push_back(word(each));
    EXPECT_TRUE(reader.status()) << reader.status().error().message();
    return all;
  }
  Words words_from(std::string_view checkpoint) {
    auto reader = table->stream<cat, box>(checkpoint);
    return words(reader);
  }
  void put(const std::string& name, std::int64_t lives) {
    const auto done = cats->put({name, lives}).run();
    ASSERT_TRUE(done) << done.error().message();
  }
  std::size_t shard_count() {
    const auto arn = database->describe_table({.table_name = "Home"})->latest_stream_arn;
    return database->describe_stream({.stream_arn = arn})->shards.size();
  }
  // Lets shards close and others follow them, which happens in the background.
  void roll() {
    const std::size_t before = shard_count();
    ASSERT_TRUE(clock->advance(std::chrono::minutes(2)));
    while (shard_count() == before) std::this_thread::yield();
  }
  void switch_stream(bool on) {
    UpdateTableRequest request;
    request.table_name = "Home";
    request.stream_specification =
        on ? StreamSpecification{true, StreamViewType::NewAndOldImages} : StreamSpecification{};
    const auto done = database->update_table(request);
    ASSERT_TRUE(done) << done.error().message();
  }

  std::shared_ptr<MovableClock> clock = std::make_shared<MovableClock>();
  std::unique_ptr<Database> database;
  std::optional<TableOf<home>> table;
  std::optional<RepositoryOf<cat>> cats;
  std::optional<RepositoryOf<box>> boxes;
};

TEST_F(StreamTest, changes_are_typed_and_in_order) {
  put("tom", 9);
  put("tom", 8);
  put("tom", 8);  // changes nothing
  ASSERT_TRUE(boxes->put({.name = "big"}).run());
  ASSERT_TRUE(cats->remove("tom").run());
  auto reader = table->stream<cat, box>();
  EXPECT_EQ(words(reader), (Words{"+tom9", "tom9>8", "+[big]", "-tom"}));
  EXPECT_EQ(words(reader), Words{}) << "all seen";
  put("kit", 1);
  EXPECT_EQ(words(reader), Words{"+kit1"}) << "the same reader goes on";
  auto only_boxes = boxes->stream();
  EXPECT_EQ(words(only_boxes), Words{"+[big]"});
  auto both = things.in(*table).stream();
  const auto all = both.all();
  ASSERT_EQ(all->size(), 5u);
  const auto* const changed = std::get_if<Modified<Cat>>(&(*all)[1]);
  ASSERT_TRUE(changed != nullptr);
  EXPECT_EQ(changed->entity, "cat");
  EXPECT_EQ(changed->at, Second(std::chrono::seconds(1'700'000'000)));
  EXPECT_LT(std::get<Inserted<Cat>>((*all)[0]).sequence_number, changed->sequence_number);
  EXPECT_FALSE(changed->event_id.empty());
}

TEST_F(StreamTest, one_entity_may_take_the_key_of_another) {
  put("tom", 9);
  ASSERT_TRUE(boxes->put({.name = "tom"}).run());
  EXPECT_EQ(words_from(""), (Words{"+tom9", "-tom", "+[tom]"}));
  auto only_cats = cats->stream();
  EXPECT_EQ(words(only_cats), (Words{"+tom9", "-tom"}));
  EXPECT_EQ(cats->update("tom").set<&Cat::lives>(1).run().error().code(),
            ErrorCode::ConditionalCheckFailed)
      << "what is there is no cat";
}

TEST_F(StreamTest, what_expired_says_so) {
  while (database->describe_time_to_live({.table_name = "Home"})->status !=
         TimeToLiveStatus::Enabled) {
    std::this_thread::yield();
  }
  const Second end(std::chrono::seconds(1'700'000'100));
  ASSERT_TRUE(boxes->put({.name = "gone", .until = end}).run());
  ASSERT_TRUE(boxes->put({.name = "thrown", .until = end}).run());
  ASSERT_TRUE(boxes->remove("thrown").run());
  ASSERT_TRUE(clock->advance(std::chrono::seconds(200)));
  auto reader = boxes->stream();
  Words seen;
  while (seen.size() < 4) {  // the background may be at it too
    ASSERT_TRUE(database->expire_items());
    for (std::string& each : words(reader)) seen.push_back(std::move(each));
  }
  EXPECT_EQ(seen, (Words{"+[gone]", "+[thrown]", "-[thrown]", "~[gone]"}));
}

TEST_F(StreamTest, a_checkpoint_goes_on_where_it_was_taken) {
  for (int i = 1; i <= 5; ++i) put("tom", i);
  auto reader = cats->stream();
  EXPECT_EQ(reader.checkpoint(), "");
  Words seen;
  for (const auto& each : reader) {
    seen.push_back(word(each));
    if (seen.size() == 3) break;
  }
  EXPECT_EQ(seen.back(), "tom2>3");
  ASSERT_TRUE(save_checkpoint(*table, "mailer", reader.checkpoint()));
  put("tom", 6);
  const std::string saved = load_checkpoint(*table, "mailer").value();
  EXPECT_EQ(words_from(saved), (Words{"tom3>4", "tom4>5", "tom5>6"}));
  auto later = table->stream<cat, box>(saved);
  EXPECT_EQ(later.checkpoint(), saved) << "nothing was read yet";
  ASSERT_TRUE(later.skip());
  put("tom", 7);
  EXPECT_EQ(words(later), Words{"tom6>7"});
  EXPECT_EQ(words_from(later.checkpoint()), Words{});
  EXPECT_EQ(load_checkpoint(*table, "nobody").value(), "");
}

TEST_F(StreamTest, a_checkpoint_of_something_else_is_refused) {
  for (const char* text : {"nonsense", "stream arn:aws:dynamodb:x:1:table/Other/stream/1\n",
                           "stream arn:aws:dynamodb:x:1:table/Home/stream/1\nshard 1\n"}) {
    auto reader = cats->stream(text);
    EXPECT_FALSE(reader.all());
    EXPECT_EQ(reader.status().error().code(), CursorInvalid) << text;
  }
}

class ManyShardsTest : public StreamTest {
 protected:
  ManyShardsTest() : StreamTest(4) {}
};

TEST_F(ManyShardsTest, parents_are_read_before_children_and_nothing_twice) {
  auto steady = cats->stream();
  std::map<std::string, std::int64_t> last, last_of_steady;
  std::string saved;
  std::size_t handed_on = 0;
  const auto follow = [](const auto& any, std::map<std::string, std::int64_t>& seen) {
    match(
        any, [&](const Inserted<Cat>& e) { EXPECT_EQ(seen[e.now.name]++ + 1, e.now.lives); },
        [&](const Modified<Cat>& e) {
          EXPECT_EQ(seen[e.now.name], e.before.lives) << e.now.name;
          EXPECT_EQ(++seen[e.now.name], e.now.lives) << e.now.name;
        });
  };
  for (int round = 1; round <= 6; ++round) {
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) put(name, round);
    roll();
    for (const auto& each : steady) follow(each, last_of_steady);
    // Another reader for every few changes, each behind the checkpoint of the one before.
    while (true) {
      auto reader = cats->stream(saved);
      std::size_t read = 0;
      for (const auto& each : reader) {
        follow(each, last);
        if (++read == 3) break;
      }
      ASSERT_TRUE(reader.status()) << reader.status().error().message();
      saved = reader.checkpoint();
      handed_on += read;
      if (read == 0) break;
    }
  }
  EXPECT_GT(shard_count(), 8u) << "they rolled";
  EXPECT_EQ(handed_on, 42u);
  EXPECT_EQ(last.size(), 7u);
  EXPECT_EQ(last, last_of_steady);
  EXPECT_LE(std::count(saved.begin(), saved.end(), '\n'), 6) << saved;
}

TEST_F(StreamTest, streams_that_follow_one_another_are_read_through) {
  put("tom", 1);
  auto reader = cats->stream();
  EXPECT_EQ(words(reader), Words{"+tom1"});
  put("tom", 2);
  switch_stream(false);
  put("tom", 3);  // nobody will know
  ASSERT_TRUE(clock->advance(std::chrono::seconds(5)));
  switch_stream(true);
  put("tom", 4);
  const std::string saved = reader.checkpoint();
  EXPECT_EQ(words(reader), (Words{"tom1>2", "tom3>4"}));
  EXPECT_EQ(words_from(saved), (Words{"tom1>2", "tom3>4"}));
  EXPECT_EQ(words_from(reader.checkpoint()), Words{});
}

TEST_F(StreamTest, an_iterator_that_expired_is_renewed_and_lost_changes_are_told) {
  put("tom", 1);
  auto reader = cats->stream();
  EXPECT_EQ(words(reader), Words{"+tom1"});
  const std::string saved = reader.checkpoint();
  ASSERT_TRUE(clock->advance(std::chrono::minutes(59)));
  put("tom", 2);
  EXPECT_EQ(words(reader), Words{"tom1>2"});
  ASSERT_TRUE(clock->advance(std::chrono::hours(50)));
  put("tom", 3);
  auto late = cats->stream(saved);
  EXPECT_FALSE(late.all());
  EXPECT_EQ(late.status().error().code(), ErrorCode::TrimmedDataAccess);
}

// The shard of the checkpoint has been read to its end; what is lost are its child's first records.
// Whether they were trimmed before the reader came or are merely too old depends on the moment.
TEST_F(StreamTest, changes_lost_in_a_shard_that_follows_are_told) {
  put("tom", 1);
  auto reader = cats->stream();
  EXPECT_EQ(words(reader), Words{"+tom1"});
  const std::string saved = reader.checkpoint();
  roll();
  put("tom", 2);
  ASSERT_TRUE(clock->advance(std::chrono::hours(50)));
  auto late = cats->stream(saved);
  EXPECT_FALSE(late.all());
  EXPECT_EQ(late.status().error().code(), ErrorCode::TrimmedDataAccess);
}

TEST_F(StreamTest, an_empty_shard_that_follows_is_no_loss) {
  put("tom", 1);
  auto reader = cats->stream();
  EXPECT_EQ(words(reader), Words{"+tom1"});
  const std::string saved = reader.checkpoint();
  roll();
  switch_stream(false);
  EXPECT_EQ(words(reader), Words{});
  EXPECT_EQ(words_from(saved), Words{});
}

TEST_F(StreamTest, a_table_without_such_a_stream_is_refused) {
  switch_stream(false);
  UpdateTableRequest request;
  request.table_name = "Home";
  request.stream_specification = StreamSpecification{true, StreamViewType::KeysOnly};
  ASSERT_TRUE(clock->advance(std::chrono::seconds(5)));
  ASSERT_TRUE(database->update_table(request));
  auto reader = cats->stream();
  EXPECT_EQ(reader.all().error().message(),
            "the stream of the table Home does not keep old and new images, which typed changes "
            "need");
  EXPECT_FALSE(table->create_if_missing());
}

TEST_F(StreamTest, an_item_that_cannot_be_read_stops_the_reader_until_it_is_passed_over) {
  put("tom", 1);
  const Item broken{{"PK", Value::string("THING#odd")},
                    {"SK", Value::string("CAT")},
                    {"_type", Value::string("cat")},
                    {"lives", Value::string("many")}};
  ASSERT_TRUE(database->put_item({.table_name = "Home", .item = broken}));
  put("tom", 2);
  auto reader = cats->stream();
  EXPECT_FALSE(reader.all());
  EXPECT_EQ(reader.status().error().code(), EntityUnreadable);
  EXPECT_FALSE(reader.all()) << "it is still there";
  reader.skip_unreadable();
  EXPECT_EQ(words(reader), Words{"tom1>2"});
}

TEST_F(StreamTest, handlers_may_fail) {
  put("tom", 1);
  auto reader = cats->stream();
  for (const auto& each : reader) {
    const Result<void> done =
        match(each, [](const Inserted<Cat>&) -> Result<void> { return Error::validation("no"); });
    EXPECT_FALSE(done);
    EXPECT_TRUE(match(each, [](const Removed<Cat>&) -> Result<void> { return {}; }))
        << "nobody asked";
  }
}

TEST(StreamEvent, what_lambda_gets_becomes_the_same_changes) {
  const auto records = parse_stream_event(R"({"Records": [
    {"eventID": "e1", "eventName": "REMOVE", "eventVersion": "1.1", "eventSource": "aws:dynamodb",
     "awsRegion": "eu-west-1", "eventSourceARN": "arn:aws:dynamodb:eu-west-1:1:table/Home/stream/x",
     "userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"},
     "dynamodb": {"ApproximateCreationDateTime": 1700000000.0, "SizeBytes": 12,
       "Keys": {"PK": {"S": "THING#b"}, "SK": {"S": "CAT"}}, "SequenceNumber": "7",
       "OldImage": {"_type": {"S": "box"}, "name": {"S": "b"}, "until": {"N": "1700000000"}},
       "StreamViewType": "NEW_AND_OLD_IMAGES"}},
    {"eventID": "e2", "eventName": "INSERT", "userIdentity": null,
     "dynamodb": {"NewImage": {"_type": {"S": "cat"}, "name": {"S": "tom"}, "lives": {"N": "3"}}}},
    {"eventName": "INSERT", "dynamodb": {"NewImage": {"_type": {"S": "dog"}}}},
    {"eventName": "MODIFY", "dynamodb": {"NewImage": {"_type": {"S": "cat"}}}}
  ]})");
  ASSERT_TRUE(records) << records.error().message();
  ASSERT_EQ(records->size(), 4u);
  using Known = Changes<EntityOf<cat>, EntityOf<box>>;
  const auto first = Known::decode((*records)[0]);
  ASSERT_TRUE(first) << first.error().message();
  const auto& removed = std::get<Removed<Box>>((*first)[0]);
  EXPECT_TRUE(removed.expired);
  EXPECT_EQ(removed.before.until, Second(std::chrono::seconds(1'700'000'000)));
  EXPECT_EQ(removed.sequence_number, "7");
  EXPECT_EQ(removed.event_id, "e1");
  EXPECT_EQ((*records)[0].keys.find("PK")->string(), "THING#b");
  EXPECT_EQ(std::get<Inserted<Cat>>((*Known::decode((*records)[1]))[0]).now.lives, 3);
  EXPECT_TRUE(Known::decode((*records)[2])->empty());
  EXPECT_EQ(Known::decode((*records)[3]).error().code(), EntityUnreadable) << "an image is missing";
  EXPECT_FALSE(parse_stream_event("{\"Records\": [{\"eventName\": \"OTHER\"}]}"));
  EXPECT_FALSE(parse_stream_event("{"));
}

}  // namespace
}  // namespace partita::model
