// QueryRun: the requests of a query, page by page, and their items in order.
//
// A query reads one partition, or several: the buckets of a sharded key are read side by side and
// merged in the order of the sort key; the units of a time-sharded key one after another. Buckets,
// and the segments of a scan, may be asked for by several threads.
//
// A global index that keeps only some attributes finds the items; they are read whole from the
// table, 100 at a time, unless chosen members are wanted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partita/model/entity_plan.h"
#include "partita/model/expression_set.h"
#include "partita/requests/queries.h"

namespace partita::model {

// The value of each attribute of a partition key.
using PartitionKey = std::vector<Value>;

struct SortRange {
  enum class Kind : std::uint8_t { All, Equal, BeginsWith, Between, Below, AtMost, Above, AtLeast };
  Kind kind = Kind::All;
  std::optional<Value> low{};  // or the only one
  std::optional<Value> high{};
  std::optional<Value> excluded{};  // a sort key that is in the range but not wanted
  // Equalities on the sort attributes before the one with the range, of keys with several.
  std::vector<Value> leading{};
};

struct QuerySpec {
  const Store* store = nullptr;
  const EntityPlan* plan = nullptr;
  const AccessPattern* pattern = nullptr;
  bool scan = false;                                // of the whole table or index, in no order
  int segments = 1;                                 // of a scan
  int threads = 1;                                  // how many requests at the same time
  std::vector<std::vector<PartitionKey>> groups{};  // one after another; those of one are merged
  SortRange sort{};
  ExpressionSet expressions{};
  bool forward = true;
  bool consistent = false;
  bool only_this_type = true;
  bool whole_partition = false;  // not only what starts with the fixed text of the sort template
  bool whole_items = true;       // not only chosen members
  std::optional<std::int64_t> limit{};  // items handed on

  QuerySpec();  // not inline, as the copies of ExpressionSet
  QuerySpec(const QuerySpec&);
  QuerySpec& operator=(const QuerySpec&);
  ~QuerySpec();
};

// Does the index of the query hold this attribute of its items?
bool is_kept(const QuerySpec& spec, std::string_view attribute);
// It finds items that are then read from the table.
bool reads_whole_items(const QuerySpec& spec);

class QueryRun {
 public:
  explicit QueryRun(QuerySpec& spec);
  ~QueryRun();
  QueryRun(QueryRun&&) noexcept;

  // Goes on behind a cursor. Fails for one of another query.
  Result<void> resume(std::string_view cursor);
  // The next item, valid until the next call; nothing at the end. Items of other entities are left
  // out.
  Result<std::optional<ItemView>> next();
  // Where to go on, opaque; empty at the end.
  std::string cursor() const;
  // How many there are, counted where they are stored.
  Result<std::int64_t> count();

  // At most so many are read ahead: what a page wants.
  void read_at_most(std::int64_t items) { page_items_ = items; }

 private:
  struct Partition;
  Result<void> start_group();
  Result<PageResponse> request_page(const Partition& partition) const;
  void take(Partition& partition, PageResponse page);
  Result<void> fetch(const std::vector<Partition*>& partitions);
  Result<void> fill_pages();
  Result<Partition*> first_partition();
  Result<void> check_what_is_kept() const;
  Result<void> read_whole(Partition& partition);
  Result<std::int64_t> count_partitions();
  std::string fingerprint() const;

  QuerySpec& spec_;
  std::size_t group_ = 0;
  bool started_ = false;
  std::vector<Partition> partitions_;
  std::optional<std::int64_t> page_items_;
  bool counting_ = false;
  std::int64_t counted_ = 0;
};

}  // namespace partita::model
