#include "execution/result_page.h"

#include <algorithm>

#include "value/item_encoding.h"

namespace partita {

namespace {

// A page that has come this far usually becomes full, so it gets all its room at once.
constexpr std::size_t kLongPageBytes = 64 * 1024;
constexpr std::size_t kFullPageBytes = kPageBytesMax + kPageBytesMax / 4;

void make_room(std::string& page, std::size_t bytes) {
  if (page.capacity() - page.size() < bytes && page.size() > kLongPageBytes) {
    page.reserve(std::max(kFullPageBytes, page.size() + bytes));
  }
}

}  // namespace

Item position_of(const ReadSource& source, ItemView item) {
  std::vector<Attribute> kept;
  for (const Attribute attribute : item) {
    if (source.table->key.names(attribute.name) || source.key().names(attribute.name)) {
      kept.push_back(attribute);
    }
  }
  std::string encoded;
  append_item(kept, encoded);
  return Item::from_encoded(std::move(encoded));
}

ResultPage::ResultPage(const ReadPlan& plan) : plan_(plan) {}

bool ResultPage::add(const RowView& row) {
  const ItemView item(row.value);
  newest_version_ = std::max(newest_version_, row.version);
  ++outcome_.scanned_count;
  evaluated_bytes_ += item.size_bytes();
  if (plan_.content == PageContent::FullItems) {
    entries_.append(item);
  } else {
    take(item);
  }
  if (plan_.filter) filter_nodes_ += plan_.filter->node_count();
  const bool full = (plan_.limit && outcome_.scanned_count >= *plan_.limit) ||
                    evaluated_bytes_ >= kPageBytesMax || filter_nodes_ >= kPageFilterNodesMax;
  if (!full) return true;
  last_hash_ = row.partition.hash;
  // Where a key has one item at most, there is nothing to go on with.
  const bool only_row = plan_.keys && !plan_.source.index && !plan_.source.table->has_sort_key();
  if (!only_row) outcome_.last_evaluated_key = position_of(plan_.source, item);
  return false;
}

void ResultPage::add_fetched(std::optional<ItemView> item) {
  if (!item) return;  // deleted since the index entry was read
  fetched_units_ += read_units(item->size_bytes(), plan_.consistent_read);
  take(*item);
}

void ResultPage::take(ItemView item) {
  if (plan_.filter && !plan_.filter->holds(item)) return;
  ++outcome_.count;
  if (plan_.content == PageContent::Count) return;
  make_room(outcome_.items.buffer(), item.bytes().size());
  if (plan_.projection) {
    plan_.projection->project(item, outcome_.items.buffer());
    outcome_.items.finish_item();
  } else {
    outcome_.items.append(item);
  }
}

// A Scan of a table on demand uses at least the smallest amount in every partition it comes to, and
// such a table begins with four (measured on DynamoDB by Alternator's tests).
double ResultPage::least_units() const {
  constexpr unsigned kPartitionBits = 2;
  if (plan_.keys || plan_.source.index ||
      plan_.source.table->billing_mode != BillingMode::PayPerRequest) {
    return 0;
  }
  const auto partition = [](std::uint64_t hash) { return hash >> (64 - kPartitionBits); };
  const std::uint64_t first = plan_.start ? plan_.start->hash : plan_.segment.first;
  const std::uint64_t last = outcome_.last_evaluated_key ? last_hash_ : plan_.segment.last;
  const auto count = static_cast<double>(partition(last) - partition(first) + 1);
  return count * read_units(0, plan_.consistent_read);
}

PageOutcome ResultPage::finish() {
  const double units = std::max(read_units(evaluated_bytes_, plan_.consistent_read), least_units());
  if (plan_.source.index) {
    outcome_.charge.table_units = fetched_units_;
    outcome_.charge.indexes.push_back({plan_.source.index, units});
  } else {
    outcome_.charge.table_units = units;
  }
  return std::move(outcome_);
}

}  // namespace partita
