// TableSchema: what the write and read paths need to know of a table, decided when it was made.
//
// Immutable and shared; a change of the table makes a new one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partita/table.h"

#include "base/clock.h"
#include "storage/partition.h"

namespace partita {

struct KeyAttribute {
  std::string name;
  ScalarType type = ScalarType::S;
};

struct KeySchema {
  std::vector<KeyAttribute> partition;  // 1; 1-4 for a global index
  std::vector<KeyAttribute> sort;       // 0-1; 0-4 for a global index

  bool names(std::string_view attribute) const;
};

// How far a global index has come. Two neighbouring phases of an index may be in use at one time,
// by writers who found the table before and after a change; each phase is such that a writer of its
// neighbour does no harm (docs/decisions/0010).
enum class IndexPhase : std::uint8_t {
  Serving,  // every item has its entry: writers replace it, readers may read
  Joining,  // there may be writers who do not know the index: entries are removed, none is added
  Filling,  // entries may still be missing: writers look before they replace one
  Leaving,  // about to be dropped: nobody reads or writes it
};

struct IndexSchema {
  std::string name;
  KeySchema key;
  ProjectionType projection = ProjectionType::All;
  std::vector<std::string> non_key_attributes;  // with ProjectionType::Include
  // Where its rows live: a slot of the table's partitions for a local index, a space of its own for
  // a global one. A local index has a space too, which holds no rows: the engine keeps its size
  // there.
  bool global = false;
  bool by_expiry = false;  // the one of an ExpirySchema
  Slot slot = Slot::Item;
  SpaceId space = 0;

  // Global only.
  IndexPhase phase = IndexPhase::Serving;
  bool backfilling = false;  // Filling takes so long that DescribeTable tells of it
  ProvisionedThroughputDescription throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};

// Time to live: items whose attribute names a moment in the past are deleted in the background.
struct ExpirySchema {
  // Internal and never shown: a global index of a few partitions by the item's hash, whose rows are
  // sorted by the moment (place_in_index in plan/item_rules.h). Its phase is the state of the
  // setting: Joining and Filling ENABLING if that lasts (`backfilling`), otherwise ENABLED like
  // Serving; Leaving DISABLING.
  IndexSchema index;

  const std::string& attribute() const { return index.key.sort.front().name; }
};

struct TableSchema {
  std::string name;
  std::string id;  // a UUID; a table recreated under the same name has another
  std::string arn;
  SpaceId space = 0;
  KeySchema key;
  std::vector<AttributeDefinition> attribute_definitions;
  std::vector<IndexSchema> local_indexes;
  std::vector<IndexSchema> global_indexes;
  std::optional<ExpirySchema> expiry;          // none: DISABLED
  std::optional<TimePoint> expiry_changed_at;  // by UpdateTimeToLive, also to DISABLED

  // Statuses other than ACTIVE last from `status_since` until `status_until`
  // (Options::table_delay); status_at in catalog/table_lifecycle.h says what holds at a moment.
  TableStatus status = TableStatus::Active;
  TimePoint status_since{};
  TimePoint status_until{};
  TimePoint created_at{};

  BillingMode billing_mode = BillingMode::Provisioned;
  // DescribeTable shows BillingModeSummary once a table has been on demand.
  std::optional<TimePoint> last_update_to_pay_per_request;
  ProvisionedThroughputDescription throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
  std::optional<StreamSpecification> stream;  // while a stream is enabled
  std::string stream_label;                   // of the latest one, perhaps disabled since
  SpaceId stream_space = 0;                   // whose log takes the records, while enabled
  std::optional<SseSpecification> sse;        // while a KMS key is used; its id is then an ARN
  std::optional<TableClass> table_class;
  bool deletion_protection = false;
  std::vector<Tag> tags;
  std::optional<std::string> resource_policy;

  // Of the commit that stored this schema; whoever acts on it depends on that version. Not encoded.
  Version version = 0;

  bool has_sort_key() const { return !key.sort.empty(); }
  const IndexSchema* find_index(std::string_view index_name) const;
  bool has_indexes() const {
    return !local_indexes.empty() || !global_indexes.empty() || expiry.has_value();
  }
  // The global index that is being created or deleted, if there is one: there is never a second.
  const IndexSchema* unsettled_index() const;
  // The same of the index that expiry goes by.
  const IndexSchema* unsettled_expiry() const {
    return expiry && expiry->index.phase != IndexPhase::Serving ? &expiry->index : nullptr;
  }
  bool is_unsettled() const { return unsettled_index() || unsettled_expiry(); }
};

// Expiry by this attribute, without a place and with the phase of one that begins.
ExpirySchema expiry_on(std::string attribute);

using TablePointer = std::shared_ptr<const TableSchema>;

}  // namespace partita
