#include "base/log.h"

#include <array>
#include <cerrno>
#include <cstdio>

#include <unistd.h>

#include "base/time_text.h"
#include "base/utf8.h"

namespace partita {
namespace {

constexpr std::array<std::string_view, 5> kLevelNames = {"debug", "info", "warning", "error",
                                                         "off"};

// As a JSON string. Bytes that are not UTF-8 (a path may have some) become question marks.
void append_quoted(std::string_view text, std::string& out) {
  const bool readable = is_utf8(text);
  out.push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (byte < ' ' || byte == 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
      out.append(escape);
    } else {
      out.push_back(byte < 0x80 || readable ? c : '?');
    }
  }
  out.push_back('"');
}

void append_member(std::string_view name, std::string_view value, bool is_text, std::string& out) {
  out.append(",\"").append(name).append("\":");
  if (is_text) {
    append_quoted(value, out);
  } else {
    out.append(value);
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
  std::string line = "{\"time\":\"";
  line.append(time_text(time));
  line.push_back('"');
  append_member("level", kLevelNames[static_cast<std::size_t>(level)], /*is_text=*/true, line);
  append_member("event", event, /*is_text=*/true, line);
  for (const LogField& field : fields) append_member(field.name, field.value, field.is_text, line);
  line.push_back('}');
  line.push_back('\n');
  return line;
}

void Log::write(LogLevel level, std::string_view event, LogFields fields) {
  if (!writes(level)) return;
  const std::string line = log_line(machine_time(), level, event, fields);
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
