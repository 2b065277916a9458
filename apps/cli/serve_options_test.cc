#include "cli/serve_options.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/settings.h"
#include "cli/settings_text.h"

namespace partita {
namespace {

using Words = std::vector<std::string_view>;

Result<ServeOptions> parse(const Words& words, const Words& environment = {}) {
  return parse_serve_options(words, environment);
}

std::string complaint(const Words& words, const Words& environment = {}) {
  auto options = parse(words, environment);
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
                              "--durability", "relaxed", "--table-delay-ms=20", "--index-lag-ms=30",
                              "--stale-reads-ms", "40", "--log-level=off"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->port, 0);
  EXPECT_EQ(options->host, "localhost");
  EXPECT_EQ(options->database.data_directory, "d=1");
  EXPECT_EQ(options->threads, 3U);
  EXPECT_EQ(options->database.durability, Durability::Relaxed);
  EXPECT_EQ(options->database.table_delay.count(), 20);
  EXPECT_EQ(options->database.index_lag.count(), 30);
  EXPECT_EQ(options->database.stale_reads.count(), 40);
  EXPECT_EQ(options->log_level, LogLevel::Off);
}

TEST(ServeOptions, in_memory_and_engine_choose_the_engine) {
  EXPECT_EQ(parse({"--in-memory"})->database.engine, EngineKind::Memory);
  EXPECT_EQ(parse({"--engine=memory"})->database.engine, EngineKind::Memory);
  EXPECT_EQ(parse({"--engine", "rehearsal"})->database.engine, EngineKind::Rehearsal);
  EXPECT_EQ(complaint({"--in-memory", "--engine=rocksdb"}),
            "--in-memory and --engine rocksdb exclude each other; keep one.");
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

TEST(ServeOptions, a_flag_given_twice_is_refused) {
  EXPECT_EQ(complaint({"--port=1", "--port", "2"}),
            "--port is given twice ('1' and '2'); keep one.");
}

TEST(ServeOptions, arns_are_made_of_region_and_account) {
  const auto options = parse({"--region=eu-central-1", "--account-id", "123456789012"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->database.region, "eu-central-1");
  EXPECT_EQ(options->database.account_id, "123456789012");
}

// A configuration file that is gone after the test.
class ConfigFile {
 public:
  explicit ConfigFile(std::string_view text) : path_(testing::TempDir() + "partita_XXXXXX") {
    const int file = ::mkstemp(path_.data());
    EXPECT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(file);
    flag_ = "--config=" + path_;
  }
  ~ConfigFile() { std::remove(path_.c_str()); }
  std::string_view flag() const { return flag_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string flag_;
};

TEST(ServeOptions, a_flag_wins_over_the_environment_and_that_over_the_file) {
  const ConfigFile file("port = 1\nhost = \"127.0.0.9\"\nthreads = 7 # a comment\n");
  const Words environment = {"PARTITA_PORT=2", "PARTITA_HOST=127.0.0.8", "HOME=/", "PARTITA_DATA="};
  const auto options = parse({file.flag(), "--port=3"}, environment);
  ASSERT_TRUE(options) << options.error().message();
  EXPECT_EQ(options->port, 3);
  EXPECT_EQ(options->host, "127.0.0.8");
  EXPECT_EQ(options->threads, 7u);
  EXPECT_EQ(options->database.data_directory, "./partita-data") << "an empty variable is none";
}

TEST(ServeOptions, the_environment_can_name_the_file) {
  const ConfigFile file("port = 1\n");
  EXPECT_EQ(parse({}, {"PARTITA_CONFIG=" + file.path()})->port, 1);
  const ConfigFile other("port = 2\n");
  EXPECT_EQ(parse({other.flag()}, {"PARTITA_CONFIG=" + file.path()})->port, 2);
}

TEST(ServeOptions, every_setting_has_its_three_names) {
  for (const Setting& setting : settings()) {
    const bool quoted = setting.kind != SettingKind::Number && setting.kind != SettingKind::Switch;
    const std::string value = setting.kind == SettingKind::Number   ? "3"
                              : setting.kind == SettingKind::Switch ? "true"
                              : setting.kind == SettingKind::Choice
                                  ? std::string(setting.choices[0])
                                  : "localhost";
    const std::string mark = quoted ? "\"" : "";
    const ConfigFile file(key_of(setting) + " = " + mark + value + mark + "\n");
    const std::string variable = environment_name_of(setting) + "=" + value;
    const std::string flag =
        std::string(setting.flag) + (setting.kind == SettingKind::Switch ? "" : "=" + value);
    EXPECT_EQ(complaint({file.flag()}), "") << setting.flag;
    EXPECT_EQ(complaint({}, {variable}), "") << setting.flag;
    EXPECT_EQ(complaint({flag}), "") << setting.flag;
  }
}

TEST(ServeOptions, what_is_wrong_in_a_file_is_named_with_its_line) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"\nprot = 1\n", ":2: there is no setting 'prot'; did you mean port?"},
      {"zzz = 1\n", ":1: there is no setting 'zzz'; `partita settings` lists them all."},
      {"# x\n\nport = \"80\"\n",
       ":3: port is a whole number from 0 to 65535 without quotes; write port = 80."},
      {"port = 70000\n", ":1: port wants a whole number from 0 to 65535, not '70000'."},
      {"region = 5\n", ":1: region is a text in quotes; write region = \"5\"."},
      {"durability = \"maybe\"\n", ":1: durability is synced or relaxed, not 'maybe'."},
      {"in_memory = \"true\"\n",
       ":1: in_memory is true or false without quotes; write in_memory = true."},
      {"port = [1]\n", ":1: port is a whole number from 0 to 65535 without quotes."},
      {"[server]\nport = 1\n", ":1: [server] is a table; settings stand at the top level"},
      {"port = 1\nport = 2\n", ":2: this is not TOML: "},
      {"port 1\n", ":1: this is not TOML: "},
      {"\n[!\n", ":2: this is not TOML: "},
      {"\xC3\xA9 = 1\n", ":1: this is not TOML: "},  // é
      {"in_memory = true\ndata = \"d\"\n", "data has no meaning for data that is kept in memory"},
  };
  for (const auto& [text, expected] : cases) {
    const ConfigFile file(text);
    const std::string said = complaint({file.flag()});
    EXPECT_NE(said.find(expected), std::string::npos) << said;
    EXPECT_TRUE(said.starts_with(file.path() + ":")) << said;
  }
  EXPECT_NE(complaint({"--config", "/nowhere.toml"}).find("check the path"), std::string::npos);
  EXPECT_NE(complaint({"--config", "/"}).find("cannot read"), std::string::npos);
  EXPECT_EQ(complaint({"--config="}), "--config needs a value.");
}

TEST(ServeOptions, what_is_wrong_in_the_environment_is_named) {
  EXPECT_EQ(complaint({}, {"PARTITA_PORT=x"}),
            "PARTITA_PORT wants a whole number from 0 to 65535, not 'x'.");
  EXPECT_NE(complaint({}, {"PARTITA_PORT=tcp://10.0.0.1:8000"}).find("enableServiceLinks"),
            std::string::npos);
  EXPECT_EQ(complaint({}, {"PARTITA_IN_MEMORY=yes"}),
            "PARTITA_IN_MEMORY is true or false, not 'yes'.");
  const auto options = parse({}, {"PARTITA_PROT=1", "PARTITA_SOMETHING_ELSE=1"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->warnings, std::vector<std::string>{
                                   "PARTITA_PROT means nothing here; did you mean PARTITA_PORT?"});
}

TEST(ServeOptions, the_nearest_place_chooses_the_engine) {
  const ConfigFile on_disk("data = \"/srv/data\"\n"), in_memory("in_memory = true\n");
  EXPECT_EQ(parse({on_disk.flag(), "--in-memory"})->database.engine, EngineKind::Memory);
  EXPECT_EQ(parse({on_disk.flag(), "--in-memory"})->database.data_directory, "");
  EXPECT_EQ(parse({in_memory.flag(), "--engine=rocksdb"})->database.engine, EngineKind::Rocksdb);
  EXPECT_EQ(parse({in_memory.flag()}, {"PARTITA_IN_MEMORY=false"})->database.engine,
            EngineKind::Rocksdb);
  EXPECT_NE(complaint({in_memory.flag(), "--data=d"}).find("--data has no meaning"),
            std::string::npos);
}

TEST(ServeOptions, the_effective_settings_are_a_file_that_says_the_same) {
  const ConfigFile file("port = 1\n");
  const auto options =
      parse({file.flag(), "--data=a \"b\" \\c", "--durability=relaxed"}, {"PARTITA_HOST=::1"});
  ASSERT_TRUE(options);
  const std::string& text = options->effective_config;
  EXPECT_NE(text.find("# " + file.path() + ":1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# PARTITA_HOST\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# default\n"), std::string::npos) << text;
  const ConfigFile again(text);
  const auto same = parse({again.flag()});
  ASSERT_TRUE(same) << same.error().message();
  EXPECT_EQ(same->port, 1);
  EXPECT_EQ(same->host, "::1");
  EXPECT_EQ(same->database.data_directory, "a \"b\" \\c");
  EXPECT_EQ(same->database.durability, Durability::Relaxed);
  EXPECT_EQ(complaint({ConfigFile(parse({"--in-memory"})->effective_config).flag()}), "");
}

TEST(ServeOptions, the_example_file_changes_nothing_and_works_uncommented) {
  const ConfigFile example(example_config());
  EXPECT_EQ(parse({example.flag()})->effective_config, parse({})->effective_config);
  std::string uncommented;
  std::istringstream lines(example_config());
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" = ") != std::string::npos) uncommented += line.substr(2) + "\n";
  }
  const ConfigFile file(uncommented);
  EXPECT_EQ(complaint({file.flag()}), "") << uncommented;
}

}  // namespace
}  // namespace partita
