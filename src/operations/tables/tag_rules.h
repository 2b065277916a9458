// What tags may be, in the words of AWS (recorded in October 2026).
#pragma once

#include <string>
#include <vector>

#include "partita/result.h"
#include "partita/table.h"

namespace partita {

// Tags that one request brings.
Result<void> check_tags(const std::vector<Tag>& tags);
// Keys that one request takes away.
Result<void> check_tag_keys(const std::vector<std::string>& keys);
// How many a table has, or how many a request names.
Result<void> check_tag_count(std::size_t count);

}  // namespace partita
