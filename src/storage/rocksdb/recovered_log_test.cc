#include "storage/rocksdb/recovered_log.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

constexpr std::size_t kBlockBytes = 32 * 1024, kHeaderBytes = 7;

std::string record(std::size_t length) {
  std::string bytes(kHeaderBytes + length, 'x');
  bytes[4] = static_cast<char>(length % 256);
  bytes[5] = static_cast<char>(length / 256);
  bytes[6] = 1;
  return bytes;
}

class Text final : public rocksdb::FSSequentialFile {
 public:
  explicit Text(std::string text) : text_(std::move(text)) {}
  rocksdb::IOStatus Read(std::size_t wanted, const rocksdb::IOOptions&, rocksdb::Slice* result,
                         char* scratch, rocksdb::IODebugContext*) override {
    const std::size_t some = std::min<std::size_t>(wanted, 10'000);  // a file may give less
    const std::size_t taken = text_.copy(scratch, some, position_);
    position_ += taken;
    *result = rocksdb::Slice(scratch, taken);
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Skip(std::uint64_t) override { return rocksdb::IOStatus::NotSupported(); }

 private:
  const std::string text_;
  std::size_t position_ = 0;
};

std::string read_to_the_end(const std::string& log, std::size_t step, std::size_t skipped = 0) {
  RecoveredLog recovered(std::make_unique<Text>(log));
  EXPECT_TRUE(recovered.Skip(skipped).ok());
  std::string all, scratch(step, '\0');
  for (;;) {
    rocksdb::Slice read;
    EXPECT_TRUE(recovered.Read(step, rocksdb::IOOptions(), &read, scratch.data(), nullptr).ok());
    all.append(read.data(), read.size());
    if (read.size() < step) return all;
  }
}

TEST(RecoveredLog, is_the_log_when_there_is_no_gap) {
  // What is left of the first block is too little for a header: zeros, but no gap.
  const std::string log =
      record(kBlockBytes - kHeaderBytes - 5) + std::string(5, '\0') + record(100) + record(300);
  EXPECT_EQ(log.size(), kBlockBytes + 100 + 300 + 2 * kHeaderBytes);
  for (const std::size_t step :
       {std::size_t{7}, std::size_t{10'000}, kBlockBytes, 3 * kBlockBytes}) {
    EXPECT_EQ(read_to_the_end(log, step), log);
  }
  EXPECT_EQ(read_to_the_end(log, 1000, 33'000), log.substr(33'000));
  EXPECT_EQ(read_to_the_end("", 1000), "");
  EXPECT_EQ(read_to_the_end(log, 1000, 99'000), "");
}

TEST(RecoveredLog, ends_where_zeros_stand_in_place_of_a_record_whatever_is_behind_them) {
  const std::string kept = record(1000) + record(2000);
  const std::string zeros(kBlockBytes - kept.size(), '\0');
  const std::string later = record(500);
  for (const std::size_t step : {std::size_t{7}, kBlockBytes, 3 * kBlockBytes}) {
    EXPECT_EQ(read_to_the_end(kept + zeros + later, step), kept);
    EXPECT_EQ(read_to_the_end(kept + zeros, step), kept);
    EXPECT_EQ(read_to_the_end(zeros, step), "");
  }
}

TEST(RecoveredLog, ends_at_the_gap_of_a_later_block) {
  const std::string full = record(kBlockBytes - kHeaderBytes);
  const std::string log = full + record(10) + std::string(kBlockBytes - 17, '\0') + full;
  EXPECT_EQ(read_to_the_end(log, kBlockBytes), full + record(10));
}

// RocksDB finds out by the checksum, and stops there.
TEST(RecoveredLog, leaves_a_torn_record_to_its_reader) {
  std::string torn = record(1000) + record(2000);
  torn[1012] = 'x';  // the length, now beyond the block
  EXPECT_EQ(read_to_the_end(torn, kBlockBytes), torn);
}

}  // namespace
}  // namespace partita
