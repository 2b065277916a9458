// The words of the API: each enumeration in the order in which AWS lists it in messages.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "partita/requests/queries.h"
#include "partita/requests/streams.h"
#include "partita/requests/time_to_live.h"
#include "partita/table.h"

#include "wire/shape_rules.h"

namespace partita {

inline constexpr std::array<EnumName<ReturnValues>, 5> kReturnValues = {{
    {"ALL_NEW", ReturnValues::AllNew},
    {"UPDATED_OLD", ReturnValues::UpdatedOld},
    {"ALL_OLD", ReturnValues::AllOld},
    {"NONE", ReturnValues::None},
    {"UPDATED_NEW", ReturnValues::UpdatedNew},
}};
inline constexpr std::array<EnumName<ReturnValuesOnConditionCheckFailure>, 2>
    kReturnValuesOnConditionCheckFailure = {{
        {"ALL_OLD", ReturnValuesOnConditionCheckFailure::AllOld},
        {"NONE", ReturnValuesOnConditionCheckFailure::None},
    }};
inline constexpr std::array<EnumName<ReturnConsumedCapacity>, 3> kReturnConsumedCapacity = {{
    {"INDEXES", ReturnConsumedCapacity::Indexes},
    {"TOTAL", ReturnConsumedCapacity::Total},
    {"NONE", ReturnConsumedCapacity::None},
}};
inline constexpr std::array<EnumName<ReturnItemCollectionMetrics>, 2> kReturnItemCollectionMetrics =
    {{
        {"SIZE", ReturnItemCollectionMetrics::Size},
        {"NONE", ReturnItemCollectionMetrics::None},
    }};
// What a request wants to be told beside its answer; unless it says so, nothing.
inline ReturnConsumedCapacity consumed_capacity_wanted(
    ShapeRules& rules, const std::optional<std::string_view>& word) {
  return rules.word("returnConsumedCapacity", word, kReturnConsumedCapacity)
      .value_or(ReturnConsumedCapacity::None);
}
inline ReturnItemCollectionMetrics item_collection_metrics_wanted(
    ShapeRules& rules, const std::optional<std::string_view>& word) {
  return rules.word("returnItemCollectionMetrics", word, kReturnItemCollectionMetrics)
      .value_or(ReturnItemCollectionMetrics::None);
}
inline constexpr std::array<EnumName<Select>, 4> kSelect = {{
    {"SPECIFIC_ATTRIBUTES", Select::SpecificAttributes},
    {"COUNT", Select::Count},
    {"ALL_ATTRIBUTES", Select::AllAttributes},
    {"ALL_PROJECTED_ATTRIBUTES", Select::AllProjectedAttributes},
}};

inline constexpr std::array<EnumName<ComparisonOperator>, 13> kComparisonOperator = {{
    {"IN", ComparisonOperator::In},
    {"NULL", ComparisonOperator::Null},
    {"BETWEEN", ComparisonOperator::Between},
    {"LT", ComparisonOperator::Lt},
    {"NOT_CONTAINS", ComparisonOperator::NotContains},
    {"EQ", ComparisonOperator::Eq},
    {"GT", ComparisonOperator::Gt},
    {"NOT_NULL", ComparisonOperator::NotNull},
    {"NE", ComparisonOperator::Ne},
    {"LE", ComparisonOperator::Le},
    {"BEGINS_WITH", ComparisonOperator::BeginsWith},
    {"GE", ComparisonOperator::Ge},
    {"CONTAINS", ComparisonOperator::Contains},
}};
inline constexpr std::array<EnumName<ConditionalOperator>, 2> kConditionalOperator = {{
    {"OR", ConditionalOperator::Or},
    {"AND", ConditionalOperator::And},
}};
inline constexpr std::array<EnumName<AttributeAction>, 3> kAttributeAction = {{
    {"ADD", AttributeAction::Add},
    {"PUT", AttributeAction::Put},
    {"DELETE", AttributeAction::Delete},
}};

inline constexpr std::array<EnumName<KeyType>, 2> kKeyType = {{
    {"HASH", KeyType::Hash},
    {"RANGE", KeyType::Range},
}};
inline constexpr std::array<EnumName<ScalarType>, 3> kScalarType = {{
    {"B", ScalarType::B},
    {"N", ScalarType::N},
    {"S", ScalarType::S},
}};
inline constexpr std::array<EnumName<ProjectionType>, 3> kProjectionType = {{
    {"ALL", ProjectionType::All},
    {"INCLUDE", ProjectionType::Include},
    {"KEYS_ONLY", ProjectionType::KeysOnly},
}};
inline constexpr std::array<EnumName<BillingMode>, 2> kBillingMode = {{
    {"PROVISIONED", BillingMode::Provisioned},
    {"PAY_PER_REQUEST", BillingMode::PayPerRequest},
}};
inline constexpr std::array<EnumName<StreamViewType>, 4> kStreamViewType = {{
    {"OLD_IMAGE", StreamViewType::OldImage},
    {"KEYS_ONLY", StreamViewType::KeysOnly},
    {"NEW_AND_OLD_IMAGES", StreamViewType::NewAndOldImages},
    {"NEW_IMAGE", StreamViewType::NewImage},
}};
inline constexpr std::array<EnumName<StreamStatus>, 4> kStreamStatus = {{
    {"ENABLING", StreamStatus::Enabling},
    {"ENABLED", StreamStatus::Enabled},
    {"DISABLING", StreamStatus::Disabling},
    {"DISABLED", StreamStatus::Disabled},
}};
inline constexpr std::array<EnumName<ShardIteratorType>, 4> kShardIteratorType = {{
    {"AFTER_SEQUENCE_NUMBER", ShardIteratorType::AfterSequenceNumber},
    {"LATEST", ShardIteratorType::Latest},
    {"AT_SEQUENCE_NUMBER", ShardIteratorType::AtSequenceNumber},
    {"TRIM_HORIZON", ShardIteratorType::TrimHorizon},
}};
inline constexpr std::array<EnumName<StreamEventName>, 3> kStreamEventName = {{
    {"INSERT", StreamEventName::Insert},
    {"MODIFY", StreamEventName::Modify},
    {"REMOVE", StreamEventName::Remove},
}};
inline constexpr std::array<EnumName<TableClass>, 2> kTableClass = {{
    {"STANDARD", TableClass::Standard},
    {"STANDARD_INFREQUENT_ACCESS", TableClass::StandardInfrequentAccess},
}};
inline constexpr std::array<EnumName<TableStatus>, 4> kTableStatus = {{
    {"CREATING", TableStatus::Creating},
    {"ACTIVE", TableStatus::Active},
    {"UPDATING", TableStatus::Updating},
    {"DELETING", TableStatus::Deleting},
}};
inline constexpr std::array<EnumName<IndexStatus>, 4> kIndexStatus = {{
    {"CREATING", IndexStatus::Creating},
    {"ACTIVE", IndexStatus::Active},
    {"UPDATING", IndexStatus::Updating},
    {"DELETING", IndexStatus::Deleting},
}};

inline constexpr std::array<EnumName<TimeToLiveStatus>, 4> kTimeToLiveStatus = {{
    {"ENABLING", TimeToLiveStatus::Enabling},
    {"DISABLING", TimeToLiveStatus::Disabling},
    {"ENABLED", TimeToLiveStatus::Enabled},
    {"DISABLED", TimeToLiveStatus::Disabled},
}};

}  // namespace partita
