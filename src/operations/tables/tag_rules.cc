#include "operations/tables/tag_rules.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/unicode_words.h"

namespace partita {
namespace {

constexpr std::size_t kTagsMax = 50;
constexpr std::size_t kTagKeyCharactersMax = 128;
constexpr std::size_t kTagValueCharactersMax = 256;
constexpr std::string_view kTagPunctuation = "+-=._:/@";
constexpr std::string_view kReservedPrefix = "aws:";  // in any case

bool is_tag_text(std::string_view utf8, std::size_t characters_max) {
  const auto starts_character = [](char byte) { return (byte & 0xC0) != 0x80; };
  const auto characters = std::count_if(utf8.begin(), utf8.end(), starts_character);
  return static_cast<std::size_t>(characters) <= characters_max &&
         has_only_words(utf8, kTagPunctuation);
}

bool is_reserved(std::string_view key) {
  const auto same = [](char reserved, char given) {
    return reserved == (given >= 'A' && given <= 'Z' ? given + ('a' - 'A') : given);
  };
  return key.size() >= kReservedPrefix.size() &&
         std::equal(kReservedPrefix.begin(), kReservedPrefix.end(), key.begin(), same);
}

Result<void> check_key(const std::string& key) {
  if (key.empty() || !is_tag_text(key, kTagKeyCharactersMax)) {
    return Error::validation("The Tag Key provided is invalid, Key: " + key);
  }
  if (is_reserved(key)) {
    return Error::validation("Tag Key cannot be prefixed with aws:, Key: " + key);
  }
  return {};
}

}  // namespace

Result<void> check_tags(const std::vector<Tag>& tags) {
  std::set<std::string_view> keys;
  for (const Tag& tag : tags) {
    PARTITA_CHECK(check_key(tag.key));
    if (!is_tag_text(tag.value, kTagValueCharactersMax)) {
      return Error::validation("The Tag Value provided is invalid, Value: " + tag.value);
    }
    if (!keys.insert(tag.key).second) {
      return Error::validation("Duplicate Tag Keys provided as input: Duplicate Tag Key found " +
                               tag.key);
    }
  }
  return check_tag_count(tags.size());
}

Result<void> check_tag_keys(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) PARTITA_CHECK(check_key(key));
  return check_tag_count(keys.size());
}

Result<void> check_tag_count(std::size_t count) {
  if (count <= kTagsMax) return {};
  return Error::validation("Number of Tags exceed the current limit for the provided ResourceArn");
}

}  // namespace partita
