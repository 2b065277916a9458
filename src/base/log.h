// Log: what a server has to say about itself, one line per event.
//
//   log.info("opened", {{"path", path}, {"tables", count}});
//
//   2026-01-31T12:00:00.123Z info opened path=/var/lib/partita tables=3
//
// A value with spaces, quotes or control characters is written as a JSON string, so a line is
// always one line and splits at its spaces. A Log belongs to whoever made it; nothing is
// process-wide. Any thread may write.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace partita {

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error, Off };

// "debug", "info", "warning", "error", "off"; empty for any other word.
std::optional<LogLevel> find_log_level(std::string_view name);

struct LogField {
  LogField(std::string_view field_name, std::string_view field_value)
      : name(field_name), value(field_value) {}
  LogField(std::string_view field_name, const char* field_value)
      : name(field_name), value(field_value) {}
  LogField(std::string_view field_name, bool field_value)
      : name(field_name), value(field_value ? "true" : "false") {}
  template <typename Number>
  requires(std::integral<Number> || std::floating_point<Number>)
      LogField(std::string_view field_name, Number field_value)
      : name(field_name), value(std::to_string(field_value)) {}

  std::string_view name;
  std::string value;
};

using LogFields = std::initializer_list<LogField>;

// The line for an event, with its newline.
std::string log_line(TimePoint time, LogLevel level, std::string_view event, LogFields fields);

class Log {
 public:
  // Writes to standard error, or to another open file descriptor.
  explicit Log(LogLevel level, int file_descriptor = 2)
      : level_(level), file_descriptor_(file_descriptor) {}

  bool writes(LogLevel level) const { return level >= level_; }
  void debug(std::string_view event, LogFields fields = {}) {
    write(LogLevel::Debug, event, fields);
  }
  void info(std::string_view event, LogFields fields = {}) { write(LogLevel::Info, event, fields); }
  void warning(std::string_view event, LogFields fields = {}) {
    write(LogLevel::Warning, event, fields);
  }
  void error(std::string_view event, LogFields fields = {}) {
    write(LogLevel::Error, event, fields);
  }

 private:
  void write(LogLevel level, std::string_view event, LogFields fields);

  LogLevel level_;
  int file_descriptor_;
  std::mutex writing_;
};

}  // namespace partita
