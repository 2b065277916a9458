// ResultPage: collects the rows of one Query or Scan page and says when to stop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "execution/executor.h"
#include "plan/read_plan.h"
#include "storage/engine.h"

namespace partita {

// A page ends with the row that reaches this many evaluated bytes, counted before the filter.
inline constexpr std::size_t kPageBytesMax = 1024 * 1024;

// A page also ends when its filter has been asked so much: a second's work. The largest filter an
// expression can be stays below that for any page; parameters from before expressions have no limit
// but that of the request.
inline constexpr std::size_t kPageFilterNodesMax = std::size_t{1} << 28;

class ResultPage {
 public:
  explicit ResultPage(const ReadPlan& plan);

  // The sink of the engine's read: false when the page is full.
  bool add(const RowView& row);

  // After the read, for PageContent::FullItems: the index entries whose items are still to be
  // fetched, in order, and what to do with each item.
  const ItemList& entries() const { return entries_; }
  void add_fetched(std::optional<ItemView> item);

  Version newest_version() const { return newest_version_; }
  PageOutcome finish();

 private:
  void take(ItemView item);
  double least_units() const;

  const ReadPlan& plan_;
  PageOutcome outcome_;
  ItemList entries_;
  std::size_t evaluated_bytes_ = 0;
  std::size_t filter_nodes_ = 0;  // of all rows so far
  double fetched_units_ = 0;
  Version newest_version_ = 0;
  std::uint64_t last_hash_ = 0;  // of the row the page ended with
};

// The key attributes of the source and its table: what LastEvaluatedKey holds.
Item position_of(const ReadSource& source, ItemView item);

}  // namespace partita
