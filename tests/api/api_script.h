// API scripts: requests and the exact answers to them, as text (docs/testing.md has the grammar).
//
//   # One comment line, or many.
//   table Music Artist:S Song:S
//
//   PutItem {"TableName": "Music", "Item": {"Artist": {"S": "Nina"}, "Song": {"S": "Feeling
//   Good"}}}
//   => {}
//
//   for i 1 30
//   PutItem {"TableName": "Music", "Item": {"Artist": {"S": "Bach"}, "Song": {"S": "BWV <i>"}}}
//   => {}
//
//   GetItem {"TableName": "Nowhere", "Key": {}}
//   => error ResourceNotFoundException Requested resource not found
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partita::testing {

struct ApiStep {
  int line = 0;
  std::string operation;
  std::string body;    // sent as it stands once expanded, so it need not be JSON
  std::string answer;  // JSON, or "error <Type> <message>" and perhaps JSON on the lines below
  std::string loop_variable;
  int loop_first = 0, loop_last = 0;  // both included
};

struct ApiScript {
  std::string path;
  std::vector<ApiStep> steps;
};

struct ScriptProblem {
  int line = 0;
  std::string message;
};

// Empty when the file was read; otherwise where it is wrong.
std::optional<ScriptProblem> read_api_script(const std::string& path, ApiScript& script);

// Puts values in the place of <name>, <name:3> (a number padded to three digits) and
// <repeat text 400>. Names nobody has set stay as they are: they may be wildcards.
std::string expand(std::string_view text, const std::map<std::string, std::string>& variables);

}  // namespace partita::testing
