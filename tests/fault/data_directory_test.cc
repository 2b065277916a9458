// Directories that cannot be opened say why in one sentence, and are left as they were.
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "durability_ticket.h"
#include "scratch_directory.h"
#include "storage/contract/contract_fixture.h"
#include "storage/rocksdb/rocksdb_engine.h"

namespace partita {

namespace {

using contract::Batch;
using contract::EngineDriver;
using contract::Place;

class DataDirectory : public testing::Test {
 protected:
  std::unique_ptr<Engine> open() {
    auto engine = open_rocksdb_engine({.directory = scratch_.data()});
    EXPECT_TRUE(engine.has_value()) << engine.error().message();
    return engine ? std::move(*engine) : nullptr;
  }
  // The reason given, without the words all such sentences share.
  std::string refusal(const std::string& directory) {
    auto engine = open_rocksdb_engine({.directory = directory});
    if (engine) return "(opened)";
    EXPECT_EQ(engine.error().code(), ErrorCode::CannotOpen);
    const std::string& message = engine.error().message();
    const std::string start = "Cannot open the data directory " + directory + ": ";
    EXPECT_TRUE(message.starts_with(start)) << message;
    EXPECT_TRUE(message.ends_with(".")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message.substr(start.size());
  }
  std::string refusal() { return refusal(scratch_.data()); }

  void write_file(const std::string& name, std::string_view text) {
    std::filesystem::create_directories(scratch_.data());
    std::ofstream(scratch_.data() + "/" + name, std::ios::binary) << text;
  }
  Version store_a_row() {
    auto engine = open();
    const Version version = EngineDriver(*engine).commit(Batch(Place(1, "p")).put("a", "1"));
    EXPECT_TRUE(when_durable(*engine, version).get().has_value());
    return version;
  }
  void expect_row(Version version) {
    auto engine = open();
    EXPECT_EQ(EngineDriver(*engine).get_one(Place(1, "p"), "a")->version, version);
  }

  const ScratchDirectory scratch_;
};

}  // namespace

TEST_F(DataDirectory, is_made_with_its_parents_and_a_slash_at_its_end_does_not_matter) {
  const std::string nested = scratch_.data() + "/deep/er";
  { ASSERT_TRUE(open_rocksdb_engine({.directory = nested + "/"}).has_value()); }
  EXPECT_TRUE(std::filesystem::exists(nested + "/FORMAT"));
  EXPECT_TRUE(open_rocksdb_engine({.directory = nested}).has_value());
}

TEST_F(DataDirectory, opened_twice_is_refused_and_the_first_goes_on) {
  auto first = open();
  EXPECT_EQ(
      refusal(),
      "it is in use by another database or process; stop that one or name another directory.");
  EngineDriver driver(*first);
  const Version version = driver.commit(Batch(Place(1, "p")).put("a", "1"));
  EXPECT_TRUE(when_durable(*first, version).get().has_value());
  first.reset();
  EXPECT_NE(open(), nullptr);
}

TEST_F(DataDirectory, of_a_newer_format_is_refused) {
  const Version version = store_a_row();
  write_file("FORMAT", "partita 2\n");
  EXPECT_EQ(refusal(),
            "it was made by a newer version of Partita (format 2, this one reads up to 1); open it "
            "with that "
            "version.");
  write_file("FORMAT", "partita 1\n");
  expect_row(version);
}

TEST_F(DataDirectory, with_an_unknown_format_file_is_refused) {
  for (const char* text : {"", "partita", "partita \n", "partita 0\n", "partita -1\n", "partita 1",
                           "partita 1 \n", "other 1\n", "partita 99999999999999999999\n"}) {
    write_file("FORMAT", text);
    EXPECT_EQ(refusal(), "its file FORMAT is not one that Partita wrote; name another directory.")
        << text;
  }
}

TEST_F(DataDirectory, with_other_files_is_refused_and_left_alone) {
  write_file("thesis.txt", "precious");
  EXPECT_EQ(refusal(), "it holds files but no Partita database; name another directory.");
  EXPECT_TRUE(std::filesystem::exists(scratch_.data() + "/thesis.txt"));
  EXPECT_FALSE(std::filesystem::exists(scratch_.data() + "/FORMAT"));
}

TEST_F(DataDirectory, that_is_a_file_or_below_a_file_is_refused) {
  const std::string file = (scratch_.path() / "file").string();
  std::ofstream(file) << "x";
  EXPECT_EQ(refusal(file), "it is not a directory; name another.");
  EXPECT_EQ(refusal(file + "/below"), "Not a directory.");
}

TEST_F(DataDirectory, without_permission_is_refused) {
  const std::string locked = (scratch_.path() / "locked").string();
  std::filesystem::create_directory(locked);
  chmod(scratch_.path().c_str(), 0711);
  chmod(locked.c_str(), 0);
  constexpr uid_t kNobody = 65534;
  const bool is_root = geteuid() == 0;  // who may read everything, and therefore steps down
  ASSERT_TRUE(!is_root || seteuid(kNobody) == 0);
  EXPECT_EQ(refusal(locked), "Permission denied; this user must be able to read and write it.");
  EXPECT_EQ(refusal(locked + "/below"),
            "Permission denied; this user must be able to read and write it.");
  ASSERT_TRUE(!is_root || seteuid(0) == 0);
  chmod(locked.c_str(), 0700);
}

TEST_F(DataDirectory, whose_current_file_is_missing_is_refused_and_not_begun_afresh) {
  const Version version = store_a_row();
  std::filesystem::rename(scratch_.data() + "/CURRENT", scratch_.path() / "kept");
  EXPECT_EQ(refusal(), "its data is damaged (the file CURRENT is missing); restore a backup.");
  std::filesystem::rename(scratch_.path() / "kept", scratch_.data() + "/CURRENT");
  expect_row(version);
}

TEST_F(DataDirectory, with_damaged_files_is_refused) {
  store_a_row();
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.data())) {
    if (entry.path().filename().string().starts_with("MANIFEST")) {
      std::fstream manifest(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
      manifest.seekp(20);
      manifest << "damage";
    }
  }
  EXPECT_TRUE(refusal().starts_with("its data is damaged (")) << refusal();
}

TEST_F(DataDirectory, with_a_missing_table_is_refused) {
  store_a_row();
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.data())) {
    if (entry.path().extension() == ".sst") std::filesystem::remove(entry.path());
  }
  EXPECT_TRUE(refusal().starts_with("its data is damaged (")) << refusal();
}

TEST_F(DataDirectory, versions_grow_from_one_opening_to_the_next) {
  Version last = 0;
  for (int i = 0; i < 4; ++i) {
    auto engine = open();
    EXPECT_GE(engine->durable(), last);
    const Version version = EngineDriver(*engine).commit(Batch(Place(1, "p")).put("a", "1"));
    EXPECT_GT(version, last);
    last = version;
  }
}

TEST_F(DataDirectory, room_of_a_dropped_space_is_freed) {
  auto bytes_used = [&] {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.data())) {
      if (entry.path().extension() == ".sst") bytes += entry.file_size();
    }
    return bytes;
  };
  std::mt19937_64 random(1);
  std::string noise(100'000, ' ');  // which does not compress
  {
    auto engine = open();
    EngineDriver driver(*engine);
    for (int i = 0; i < 200; ++i) {
      for (char& byte : noise) byte = static_cast<char>(random());
      driver.commit(Batch(Place(2, std::to_string(i))).put("", noise).grow(1, 100'000));
    }
    driver.commit(Batch(Place(1, "p")).put("a", "1"));
  }
  EXPECT_GT(bytes_used(), 15'000'000u);
  auto engine = open();
  ASSERT_TRUE(engine->drop(2));
  EngineDriver driver(*engine);
  EXPECT_TRUE(driver.scan(2).empty());
  for (int i = 0; i < 200 && bytes_used() > 1'000'000; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_LT(bytes_used(), 1'000'000u);
  EXPECT_TRUE(driver.get_one(Place(1, "p"), "a"));
}

}  // namespace partita
