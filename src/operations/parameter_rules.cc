#include "operations/parameter_rules.h"

#include <algorithm>
#include <string>

#include "value/item_size.h"

namespace partita {

namespace {

// "{A, B}": the names of those that were given.
template <typename Parameter>
std::string listed(std::span<const Parameter> parameters) {
  std::string list = "{";
  for (const Parameter& parameter : parameters) {
    if (parameter.given) list.append(list.size() == 1 ? "" : ", ").append(parameter.name);
  }
  return list + "}";
}

template <typename Parameter>
bool any_given(std::span<const Parameter> parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& parameter) { return parameter.given; });
}

}  // namespace

Result<void> check_not_mixed(std::span<const LegacyParameter> legacy,
                             std::span<const ExpressionParameter> expressions) {
  if (!any_given(legacy) || !any_given(expressions)) return {};
  return Error::validation(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: " +
      listed(legacy) + " Expression parameters: " + listed(expressions));
}

Result<void> check_conditional_operator(std::optional<ConditionalOperator> given,
                                        std::size_t conditions) {
  if (!given || conditions >= 2) return {};
  return Error::validation(conditions == 0
                               ? "ConditionalOperator cannot be used without Filter or Expected"
                               : "ConditionalOperator can only be used when Filter or Expected has "
                                 "two or more elements");
}

Result<void> check_return_values_of_replacement(ReturnValues wanted) {
  if (wanted != ReturnValues::None && wanted != ReturnValues::AllOld) {
    return Error::validation("ReturnValues can only be ALL_OLD or NONE");
  }
  return {};
}

Result<void> check_request_item_size(ItemView item) {
  if (item.size_bytes() > kItemBytesMax) {
    return Error::validation("Item size has exceeded the maximum allowed size");
  }
  return {};
}

Result<void> check_select(std::optional<Select> select, std::string_view projection, bool has_index,
                          PageKind kind) {
  if (!select) return {};
  // Query counts its faults, Scan does not (recorded on AWS in August 2026).
  const auto fault = [&](std::string message) {
    return Error::validation((kind == PageKind::Query ? "1 validation error detected: " : "") +
                             std::move(message));
  };
  const auto cannot = [&](std::string_view what) {
    return fault(std::string("Cannot specify the ")
                     .append(projection)
                     .append(" when choosing to get ")
                     .append(what));
  };
  switch (*select) {
    case Select::AllAttributes:
      if (!projection.empty()) return cannot("ALL_ATTRIBUTES");
      return {};
    case Select::AllProjectedAttributes:
      if (!projection.empty()) return cannot("ALL_PROJECTED_ATTRIBUTES");
      if (!has_index) {
        return fault("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
      }
      return {};
    case Select::Count:
      if (!projection.empty()) return cannot("only the Count");
      return {};
    case Select::SpecificAttributes:
      if (projection.empty()) {
        return fault(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
            "SPECIFIC_ATTRIBUTES");
      }
      return {};
  }
  __builtin_unreachable();
}

Result<PageContent> page_content(const ReadSource& source, std::optional<Select> select,
                                 const std::optional<ProjectionPaths>& projection) {
  if (select == Select::Count) return PageContent::Count;
  if (!source.index || source.index->projection == ProjectionType::All) return PageContent::Items;
  if (select == Select::AllAttributes) {
    if (!source.index->global) return PageContent::FullItems;
    return Error::validation(
        "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported "
        "for global secondary index " +
        source.index->name + " because its projection type is not ALL");
  }
  std::string missing;  // what the index does not keep, as a message lists it
  if (projection) {
    projection->for_each_path([&](PathView path) {
      const std::string_view name = path.front().name();
      if (index_keeps(*source.table, *source.index, name)) return;
      if (!missing.empty()) missing += ", ";
      missing += name;
    });
  }
  if (missing.empty()) return PageContent::Items;
  if (!source.index->global) return PageContent::FullItems;
  return Error::validation("One or more parameter values were invalid: Global secondary index " +
                           source.index->name + " does not project [" + missing + "]");
}

Result<void> check_segments(std::optional<std::int32_t> segment,
                            std::optional<std::int32_t> total_segments) {
  if (segment && !total_segments) {
    return Error::validation(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (total_segments && !segment) {
    return Error::validation(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (segment && *segment >= *total_segments) {
    return Error::validation(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
        "Segment: " +
        std::to_string(*segment) +
        " is not less than TotalSegments: " + std::to_string(*total_segments));
  }
  // The wire has told clients of these in the API model's words; other callers hear it here.
  if (segment && (*segment < 0 || *total_segments < 1 || *total_segments > 1'000'000)) {
    return Error::validation(
        "Segment and TotalSegments must be within 0 to 999999 and 1 to 1000000");
  }
  return {};
}

Result<void> check_limit(std::optional<std::int32_t> limit) {
  if (limit && *limit < 1) {
    return Error::validation("Limit must be greater than or equal to 1");
  }
  return {};
}

}  // namespace partita
