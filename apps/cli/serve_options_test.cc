#include "cli/serve_options.h"

#include <vector>

#include <gtest/gtest.h>

namespace partita {
namespace {

Result<ServeOptions> parse(std::vector<std::string_view> words) {
  return parse_serve_options(words);
}

std::string complaint(std::vector<std::string_view> words) {
  auto options = parse(std::move(words));
  return options ? "" : options.error().message();
}

TEST(ServeOptions, defaults_are_a_durable_database_for_this_machine_alone) {
  const auto options = parse({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->host, "127.0.0.1");
  EXPECT_EQ(options->port, 8000);
  EXPECT_EQ(options->database.engine, EngineKind::Rocksdb);
  EXPECT_EQ(options->database.data_directory, "./partita-data");
  EXPECT_EQ(options->database.durability, Durability::Synced);
}

TEST(ServeOptions, values_come_after_a_blank_or_an_equals_sign) {
  const auto options = parse({"--port", "0", "--host=localhost", "--data=d=1", "--threads=3",
                              "--durability", "relaxed", "--table-delay-ms=20", "--log-level=off"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->port, 0);
  EXPECT_EQ(options->host, "localhost");
  EXPECT_EQ(options->database.data_directory, "d=1");
  EXPECT_EQ(options->threads, 3U);
  EXPECT_EQ(options->database.durability, Durability::Relaxed);
  EXPECT_EQ(options->database.table_delay.count(), 20);
  EXPECT_EQ(options->log_level, LogLevel::Off);
}

TEST(ServeOptions, in_memory_and_engine_choose_the_engine) {
  EXPECT_EQ(parse({"--in-memory"})->database.engine, EngineKind::Memory);
  EXPECT_EQ(parse({"--engine=memory"})->database.engine, EngineKind::Memory);
  EXPECT_EQ(parse({"--engine", "rehearsal"})->database.engine, EngineKind::Rehearsal);
  EXPECT_NE(complaint({"--in-memory", "--engine=rocksdb"}), "");
  EXPECT_NE(complaint({"--in-memory", "--data", "d"}), "");
}

TEST(ServeOptions, mistyped_flags_are_named_with_what_was_meant) {
  EXPECT_EQ(complaint({"--prot", "1"}), "there is no flag --prot; did you mean --port?");
  EXPECT_EQ(complaint({"--durabilty=synced"}),
            "there is no flag --durabilty; did you mean --durability?");
  EXPECT_EQ(complaint({"--in-memroy"}), "there is no flag --in-memroy; did you mean --in-memory?");
  EXPECT_EQ(complaint({"--quite-another-thing"}),
            "there is no flag --quite-another-thing; see --help.");
  EXPECT_EQ(complaint({"8000"}), "'8000' is not a flag; flags start with --.");
}

TEST(ServeOptions, bad_values_are_named) {
  for (const std::string_view port :
       {"", "x", "-1", "65536", "80 ", "1e3", "99999999999999999999"}) {
    EXPECT_NE(complaint({"--port", port}).find("from 0 to 65535"), std::string::npos) << port;
  }
  EXPECT_NE(complaint({"--threads=0"}), "");
  EXPECT_NE(complaint({"--durability=maybe"}).find("synced or relaxed"), std::string::npos);
  EXPECT_NE(complaint({"--engine=disk"}).find("rocksdb or memory"), std::string::npos);
  EXPECT_EQ(complaint({"--engine=disk"}).find("rehearsal"), std::string::npos);
  EXPECT_NE(complaint({"--log-level=loud"}), "");
  EXPECT_EQ(complaint({"--port"}), "--port needs a value.");
  EXPECT_EQ(complaint({"--data", "--in-memory"}), "--data needs a value.");
  EXPECT_EQ(complaint({"--data="}), "--data needs a value.");
  EXPECT_EQ(complaint({"--in-memory=yes"}), "--in-memory takes no value.");
}

TEST(ServeOptions, other_machines_are_served_only_when_asked_for) {
  for (const std::string_view host : {"0.0.0.0", "::", "192.168.1.2", "127.example.org"}) {
    EXPECT_NE(complaint({"--host", host}).find("--allow-anonymous"), std::string::npos) << host;
    EXPECT_EQ(complaint({"--host", host, "--allow-anonymous"}), "") << host;
  }
  EXPECT_EQ(complaint({"--host", "::1"}), "");
  EXPECT_EQ(complaint({"--host", "127.0.0.2"}), "");
}

}  // namespace
}  // namespace partita
