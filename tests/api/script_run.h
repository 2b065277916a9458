// Runs one script against one DynamoDB and says where the answers differ.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "api_script.h"
#include "json_match.h"
#include "transport.h"

namespace partita::testing {

class ScriptRun {
 public:
  ScriptRun(const ApiScript& script, Transport& transport)
      : script_(script), transport_(transport) {}

  // Sends every request, prints every difference, deletes the tables it made.
  void run();

  int requests() const { return requests_; }
  int failures() const { return failures_; }

 private:
  void run_step(const ApiStep& step);
  void check(const ApiStep& step, const std::string& body, const std::string& expected,
             const ApiAnswer& answer);
  void check_error(const std::string& expected, const ApiAnswer& answer, const Json& actual,
                   std::vector<std::string>& differences);
  // On AWS a table takes seconds to come and go; the next request of a script wants it there.
  void wait_for_table(const std::string& operation, const Json& answer);
  bool wait_until_settled(const std::string& table);
  void fail(const ApiStep& step, const std::string& body, const std::vector<std::string>& why,
            const std::string& actual);

  const ApiScript& script_;
  Transport& transport_;
  std::map<std::string, std::string> variables_;
  std::set<std::string> tables_;
  int requests_ = 0;
  int failures_ = 0;
};

}  // namespace partita::testing
