// What a value looks like: a time, a random id, a number. Lint judges samples by it.
#pragma once

#include <optional>
#include <string_view>

namespace partita::model {

bool is_digits(std::string_view text);
// "2024-06-01", with or without a time of day; something else may follow a whole date.
bool starts_with_iso_date(std::string_view text);
// "2024-06-01T12:00:00…" or a count of seconds or milliseconds since 1970 in this century.
bool is_moment(std::string_view text);
// "12/1/2024", "1.12.2024", "01-12-2024", "Dec 1 2024": dates that do not sort.
bool is_unsortable_date(std::string_view text);
// "v1", "v10", "V2.1": the digits after the v.
std::optional<std::string_view> version_digits(std::string_view text);
// A fraction such as 0.8237462, a UUID of version 4, or 16 and more hexadecimal digits in no order.
// ULIDs, KSUIDs and UUIDs of version 7 begin with their time: they are not random in this sense.
bool is_random(std::string_view text);

}  // namespace partita::model
