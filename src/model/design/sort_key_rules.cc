// Rules about sort keys: what is compared byte by byte must be in order byte by byte.
#include <algorithm>

#include "model/design/lint_context.h"
#include "model/design/text_shape.h"

namespace partita::model {
namespace {

struct Place {
  LintContext& context;
  const LintedEntity& entity;
  const AccessPattern& pattern;
  const KeyTemplate& key;
  const KeyPiece& piece;
  bool first;  // in its key

  void report(LintRule rule, std::string problem, std::string remedy) const {
    context.report(rule, where(*entity.plan, pattern),
                   "the sort key " + quoted(key) + " " + std::move(problem), std::move(remedy));
  }
  std::string member() const { return std::string(piece.path); }
};

bool ends_with_version_letter(std::string_view literal) {
  return literal == "v" || literal == "V" || literal.ends_with("#v") || literal.ends_with("#V");
}

void report_version(const Place& place) {
  place.report(LintRule::UnorderedVersion, "orders versions as text: v10 comes before v2",
               "pad the number, \"v{" + place.member() +
                   ":08}\", and keep the newest under a key of its own if it is read most");
}
void report_unpadded(const Place& place) {
  place.report(LintRule::UnpaddedNumber,
               "compares the number '" + place.member() + "' as text: 10 comes before 2",
               "pad it, \"{" + place.member() + ":08}\" or \"{" + place.member() +
                   ":+08}\", or make the key attribute a number (\"" + place.member() + ":N\")");
}

// Texts that are digits of different lengths.
bool differ_in_length(const std::vector<std::string_view>& digits) {
  return std::any_of(digits.begin(), digits.end(),
                     [&](std::string_view each) { return each.size() != digits[0].size(); });
}

template <typename Test>
bool most(const std::vector<std::string>& values, Test test) {
  const auto count = std::count_if(values.begin(), values.end(), test);
  return !values.empty() && 2 * static_cast<std::size_t>(count) > values.size();
}

bool order_is_wanted(const Place& place) {
  return std::any_of(place.context.accesses.begin(), place.context.accesses.end(),
                     [&](const LintedAccess& access) {
                       return access.pattern == &place.pattern && access.declared->ordered;
                     });
}

void lint_text(const Place& place) {
  std::vector<std::string> values;
  for (const ItemView item : place.entity.items) {
    if (auto text = text_at(item, place.piece.path)) values.push_back(std::move(*text));
  }
  std::vector<std::string_view> digits, versions;
  for (const std::string& value : values) {
    if (is_digits(value)) digits.push_back(value);
    if (const auto version = version_digits(value)) versions.push_back(*version);
  }
  if (!versions.empty() && versions.size() == values.size() && differ_in_length(versions)) {
    report_version(place);
  } else if (!digits.empty() && digits.size() == values.size() && differ_in_length(digits)) {
    ends_with_version_letter(place.piece.literal) ? report_version(place) : report_unpadded(place);
  } else if (most(values, is_unsortable_date)) {
    place.report(
        LintRule::NonIsoDate,
        "holds dates such as '" + values[0] + "', whose order as text is not that of time",
        "make '" + place.member() + "' a time point: the kit writes it in ISO 8601 (2024-12-01)");
  } else if (place.first && most(values, is_random)) {
    const bool fraction =
        most(values, [](std::string_view text) { return text.starts_with("0."); });
    if (!fraction && !order_is_wanted(place)) return;  // an id that is looked up, not ordered
    place.report(LintRule::RandomSortKey,
                 "begins with random values such as '" + values[0] + "': its order means nothing",
                 "begin it with what is asked for in order, such as a time, or take ids that "
                 "ascend: ulid<&T::id>, ksuid<…>, uuid7<…>");
  }
}

void lint_piece(const Place& place) {
  const KeyPiece& piece = place.piece;
  if (piece.buckets != 0) return;
  const bool integer =
      piece.kind == KeyInput::Kind::Integer || piece.kind == KeyInput::Kind::Natural;
  if (integer && piece.digits == 0) {
    ends_with_version_letter(piece.literal) ? report_version(place) : report_unpadded(place);
  } else if (piece.kind == KeyInput::Kind::Text) {
    lint_text(place);
  }
}

}  // namespace

void lint_sort_keys(LintContext& context) {
  for (const LintedEntity& entity : context.entities) {
    for (const AccessPattern& pattern : entity.plan->patterns) {
      for (std::size_t i = 0; i < pattern.sort.count; ++i) {
        const KeyPart& part = pattern.sort.all[i];
        if (part.type != ScalarType::S) continue;  // numbers and bytes order as they should
        const bool inverted = &pattern != &entity.plan->primary() && !part.key->native &&
                              !part.written;  // a key of the table, which is judged there
        if (inverted) continue;
        for (std::size_t j = 0; j < part.key->count; ++j) {
          lint_piece({context, entity, pattern, *part.key, part.key->pieces[j], i == 0 && j == 0});
        }
      }
    }
  }
}

}  // namespace partita::model
