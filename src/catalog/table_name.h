// What may be a table's or an index's name, and how a table is meant by its ARN.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "partita/result.h"

namespace partita {

inline constexpr std::size_t kTableNameBytesMin = 3;
inline constexpr std::size_t kTableNameBytesMax = 255;

// Only characters of [a-zA-Z0-9_.-], at least one.
bool has_name_characters(std::string_view name);

// The name a TableName parameter means: itself, or what
// arn:aws:dynamodb:<region>:<account>:table/<name> ends in. Region and account are not compared: a
// database has one of each, and programs bring ARNs from wherever they were written. Fails for an
// ARN that names no table. A view into `name_or_arn`; whether such a table can exist is not asked.
Result<std::string_view> table_name_in(std::string_view name_or_arn);

// DynamoDB's complaint about a name no table can have, as operations on existing tables word it.
std::optional<Error> name_problem(std::string_view table_name);

// "arn:aws:dynamodb:us-east-1:314159265358:table/Music"
std::string table_arn(std::string_view region, std::string_view account_id,
                      std::string_view table_name);

}  // namespace partita
