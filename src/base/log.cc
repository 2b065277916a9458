#include "base/log.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>

#include <unistd.h>

namespace partita {
namespace {

constexpr std::array<std::string_view, 5> kLevelNames = {"debug", "info", "warning", "error",
                                                         "off"};

void append_time(TimePoint time, std::string& out) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const std::time_t whole = std::chrono::system_clock::to_time_t(seconds);
  std::tm parts{};
  gmtime_r(&whole, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  out.append(text, length);
  const int milliseconds = static_cast<int>((time - seconds).count());
  std::snprintf(text, sizeof text, ".%03dZ", milliseconds);
  out.append(text);
}

bool stands_alone(std::string_view value) {
  if (value.empty()) return false;
  for (const char c : value) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\\' || c == '=' || c == 0x7F) {
      return false;
    }
  }
  return true;
}

void append_quoted(std::string_view value, std::string& out) {
  out.push_back('"');
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out.append(escape);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

void append_value(std::string_view value, std::string& out) {
  if (stands_alone(value)) {
    out.append(value);
  } else {
    append_quoted(value, out);
  }
}

}  // namespace

std::optional<LogLevel> find_log_level(std::string_view name) {
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (kLevelNames[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

std::string log_line(TimePoint time, LogLevel level, std::string_view event, LogFields fields) {
  std::string line;
  append_time(time, line);
  line.push_back(' ');
  line.append(kLevelNames[static_cast<std::size_t>(level)]);
  line.push_back(' ');
  append_value(event, line);
  for (const LogField& field : fields) {
    line.push_back(' ');
    line.append(field.name);
    line.push_back('=');
    append_value(field.value, line);
  }
  line.push_back('\n');
  return line;
}

void Log::write(LogLevel level, std::string_view event, LogFields fields) {
  if (!writes(level)) return;
  const std::string line = log_line(SystemClock().now(), level, event, fields);
  const std::lock_guard lock(writing_);
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody listens; a log line is not worth failing for
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace partita
