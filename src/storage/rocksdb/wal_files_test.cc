#include "storage/rocksdb/wal_files.h"

#include <filesystem>
#include <random>

#include <gtest/gtest.h>

namespace partita {
namespace {

class WalFilesTest : public testing::Test {
 protected:
  WalFilesTest()
      : directory_(std::filesystem::temp_directory_path() /
                   ("partita-wal-files-" + std::to_string(std::random_device()()))) {
    std::filesystem::create_directory(directory_);
  }
  ~WalFilesTest() override { std::filesystem::remove_all(directory_); }

  WalFiles files(WalFiles::Appends appends) const {
    return {rocksdb::FileSystem::Default(), directory_.string(), appends};
  }
  std::unique_ptr<rocksdb::FSWritableFile> open(WalFiles& files, const std::string& name) const {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(files.NewWritableFile((directory_ / name).string(), {}, &file, nullptr).ok());
    return file;
  }
  std::uintmax_t size_of(const std::string& name) const {
    return std::filesystem::file_size(directory_ / name);
  }
  static void append(rocksdb::FSWritableFile& file, const std::string& bytes) {
    EXPECT_TRUE(file.Append(bytes, rocksdb::IOOptions(), nullptr).ok());
  }

  const std::filesystem::path directory_;
};

TEST_F(WalFilesTest, appended_bytes_are_written_at_once_or_with_the_sync) {
  WalFiles relaxed = files(WalFiles::Appends::AtOnce);
  const auto first = open(relaxed, "000001.log");
  append(*first, "0123456789");
  EXPECT_EQ(size_of("000001.log"), 10u);

  WalFiles synced = files(WalFiles::Appends::WithSync);
  const auto second = open(synced, "000002.log");
  append(*second, "0123456789");
  EXPECT_EQ(size_of("000002.log"), 0u);
  EXPECT_TRUE(synced.sync().ok());
  EXPECT_GE(size_of("000002.log"), 10u);  // and zeros ahead
}

// A kill that found the second file written and the first not would leave a hole in history.
TEST_F(WalFilesTest, a_new_log_begins_when_the_old_one_is_written) {
  for (const auto appends : {WalFiles::Appends::WithSync, WalFiles::Appends::AtOnce}) {
    WalFiles logs = files(appends);
    const auto first = open(logs, "000001.log");
    append(*first, "0123456789");
    const auto second = open(logs, "000002.log");
    EXPECT_GE(size_of("000001.log"), 10u);
  }
}

TEST_F(WalFilesTest, a_log_that_cannot_be_made_yet_takes_its_bytes) {
  WalFiles synced = files(WalFiles::Appends::WithSync);
  std::filesystem::remove(directory_);
  const auto log = open(synced, "000001.log");
  append(*log, "01234");
  EXPECT_FALSE(synced.sync().ok());
  std::filesystem::create_directory(directory_);
  append(*log, "56789");
  EXPECT_TRUE(synced.sync().ok());
  EXPECT_TRUE(log->Close(rocksdb::IOOptions(), nullptr).ok());
  EXPECT_EQ(size_of("000001.log"), 10u);
}

TEST_F(WalFilesTest, what_is_too_much_to_hold_is_written_behind_what_is_held) {
  WalFiles synced = files(WalFiles::Appends::WithSync);
  const auto file = open(synced, "000001.log");
  append(*file, std::string(100'000, 'a'));
  append(*file, std::string(100'000, 'b'));
  EXPECT_EQ(size_of("000001.log"), 0u);
  append(*file, std::string(100'000, 'c'));
  EXPECT_EQ(size_of("000001.log"), 300'000u);
}

TEST_F(WalFilesTest, other_files_are_left_alone) {
  WalFiles synced = files(WalFiles::Appends::WithSync);
  const auto file = open(synced, "000001.sst");
  append(*file, "0123456789");
  EXPECT_TRUE(file->Flush(rocksdb::IOOptions(), nullptr).ok());
  EXPECT_EQ(size_of("000001.sst"), 10u);
}

}  // namespace
}  // namespace partita
