// Log: what a server has to say about itself, one line per event.
//
//   log.info("opened", {{"path", path}, {"tables", count}});
//
//   {"time":"2026-01-31T12:00:00.123Z","level":"info","event":"opened","path":"/data","tables":3}
//
// JSON rather than key=value: every log collector and jq read it without being told how, and there
// is one way to quote. A Log belongs to whoever made it; nothing is process-wide. Any thread may
// write.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace partita {

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error, Off };

// "debug", "info", "warning", "error", "off"; empty for any other word.
std::optional<LogLevel> find_log_level(std::string_view name);

struct LogField {
  LogField(std::string_view field_name, std::string_view field_value)
      : name(field_name), value(field_value), is_text(true) {}
  LogField(std::string_view field_name, const char* field_value)
      : LogField(field_name, std::string_view(field_value)) {}
  LogField(std::string_view field_name, const std::string& field_value)
      : LogField(field_name, std::string_view(field_value)) {}
  LogField(std::string_view field_name, bool field_value)
      : name(field_name), value(field_value ? "true" : "false") {}
  template <typename Number>
  requires(std::integral<Number> || std::floating_point<Number>)
      LogField(std::string_view field_name, Number field_value)
      : name(field_name), value(std::to_string(field_value)) {}

  std::string_view name;
  std::string value;
  bool is_text = false;  // else a number or a truth
};

using LogFields = std::span<const LogField>;

// The line for an event, with its newline.
std::string log_line(TimePoint time, LogLevel level, std::string_view event, LogFields fields);

class Log {
 public:
  // Writes to standard error, or to another open file descriptor.
  explicit Log(LogLevel level, int file_descriptor = 2)
      : level_(level), file_descriptor_(file_descriptor) {}

  bool writes(LogLevel level) const { return level >= level_; }
  void debug(std::string_view event, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::Debug, event, fields);
  }
  void info(std::string_view event, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::Info, event, fields);
  }
  void warning(std::string_view event, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::Warning, event, fields);
  }
  void error(std::string_view event, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::Error, event, fields);
  }
  void write(LogLevel level, std::string_view event, LogFields fields);

 private:
  LogLevel level_;
  int file_descriptor_;
  std::mutex writing_;
};

}  // namespace partita
