// MetricsText: writes metrics in Prometheus' text format, version 0.0.4.
//
//   text := { "# HELP " name " " meaning LF "# TYPE " name " " type LF { sample } }
//   sample := name [ "{" label "=" quoted { "," label "=" quoted } "}" ] " " number LF
#pragma once

#include <charconv>
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/text_buffer.h"

namespace partita {

struct MetricLabel {
  std::string_view name;
  std::string_view value;
};
using MetricLabels = std::initializer_list<MetricLabel>;

class MetricsText {
 public:
  explicit MetricsText(TextBuffer& out) : out_(out) {}

  // Opens a metric; samples follow. `type` is counter, gauge or histogram.
  void begin(std::string_view name, std::string_view type, std::string_view meaning) {
    out_.append("# HELP ").append(name).append(" ").append(meaning);
    out_.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
    name_ = name;
  }
  template <typename Number>
  void sample(Number value, MetricLabels labels = {}, std::string_view suffix = {}) {
    out_.append(name_).append(suffix);
    char mark = '{';
    for (const MetricLabel& label : labels) {
      out_.push_back(mark);
      out_.append(label.name).append("=\"");
      append_escaped(label.value);
      out_.push_back('"');
      mark = ',';
    }
    if (mark == ',') out_.push_back('}');
    out_.push_back(' ');
    append_number(value);
    out_.push_back('\n');
  }
  // A metric of one sample.
  template <typename Number>
  void single(std::string_view name, std::string_view type, std::string_view meaning,
              Number value) {
    begin(name, type, meaning);
    sample(value);
  }

 private:
  void append_escaped(std::string_view text) {
    for (const char c : text) {
      if (c == '"' || c == '\\') out_.push_back('\\');
      if (c == '\n') {
        out_.append("\\n");
      } else {
        out_.push_back(c);
      }
    }
  }
  template <typename Number>
  void append_number(Number value) {
    char digits[32];
    char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out_.append({digits, static_cast<std::size_t>(end - digits)});
  }

  TextBuffer& out_;
  std::string_view name_;
};

}  // namespace partita
