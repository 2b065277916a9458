// EventFilter: which records of a stream a target wants, in the words of Lambda's event filtering.
//
//   {"eventName": ["INSERT"], "dynamodb": {"NewImage": {"total": {"N": [{"numeric": [">",
//   100]}]}}}}
//
// An object asks something of each member it names. An array is a list of rules of which one must
// hold: a value, null, {"prefix": …}, {"suffix": …}, {"equals-ignore-case": …}, {"anything-but":
// …},
// {"numeric": [">", 0, "<=", 5]} or {"exists": true}. "$or" is a list of objects of which one must
// match. Numbers of DynamoDB come as text; `numeric` takes them too.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"

#include "push/json_tree.h"

namespace partita {

class EventFilter {
 public:
  // One pattern, or a JSON array of some of which one must match. Empty text takes everything.
  static Result<EventFilter> parse(std::string_view text);

  bool takes_everything() const { return patterns_.empty(); }
  bool matches(const JsonTree& record) const;

 private:
  std::vector<JsonTree> patterns_;
};

}  // namespace partita
