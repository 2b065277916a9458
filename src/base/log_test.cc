#include "base/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace partita {
namespace {

using namespace std::string_literals;

TEST(Log, an_event_is_one_line_with_its_fields) {
  const TimePoint time{std::chrono::milliseconds(1'767'225'600'007)};
  const LogField fields[] = {{"path", "/data"}, {"tables", 3}, {"durable", true}};
  EXPECT_EQ(log_line(time, LogLevel::Info, "opened", fields),
            R"({"time":"2026-01-01T00:00:00.007Z","level":"info","event":"opened",)"
            R"("path":"/data","tables":3,"durable":true})"
            "\n");
}

TEST(Log, a_value_cannot_break_its_line_or_pose_as_a_field) {
  const LogField fields[] = {
      {"a", "x\",\"y\":\n\\"}, {"b", ""}, {"c", "\x01"}, {"d", "\xC3\xA9"}, {"e", "\xC3"}};
  EXPECT_EQ(log_line(TimePoint{}, LogLevel::Error, "bad \"request\"", fields),
            R"({"time":"1970-01-01T00:00:00.000Z","level":"error","event":"bad \"request\"",)"
            R"("a":"x\",\"y\":\u000a\\","b":"","c":"\u0001","d":"é","e":"?"})"
            "\n");
}

TEST(Log, levels_below_the_filter_are_not_written) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    Log log(LogLevel::Warning, ends[1]);
    log.debug("one");
    log.info("two");
    log.warning("three");
    log.error("four");
  }
  close(ends[1]);
  char text[200];
  const ssize_t length = read(ends[0], text, sizeof text);
  close(ends[0]);
  ASSERT_GT(length, 0);
  const std::string written(text, static_cast<std::size_t>(length));
  EXPECT_EQ(written.find("one"), std::string::npos);
  EXPECT_EQ(written.find("two"), std::string::npos);
  EXPECT_NE(written.find("\"three\"}\n"), std::string::npos);
  EXPECT_NE(written.find("\"four\"}\n"), std::string::npos);
}

TEST(Log, level_names_are_found) {
  EXPECT_EQ(find_log_level("debug"), LogLevel::Debug);
  EXPECT_EQ(find_log_level("off"), LogLevel::Off);
  EXPECT_EQ(find_log_level("loud"), std::nullopt);
}

}  // namespace
}  // namespace partita
