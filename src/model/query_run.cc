#include "partita/model/query_run.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "partita/model/batch.h"

#include "model/query_partition.h"
#include "model/query_request.h"

namespace partita::model {

namespace {

void add_equality(ExpressionSet& set, std::string_view attribute, ValueView value) {
  ExpressionSet::begin_conjunct(set.key_condition);
  set.name(set.key_condition, attribute);
  set.key_condition += " = ";
  set.value(set.key_condition, value);
}

void add_sort_range(const QuerySpec& spec, ExpressionSet& set) {
  const SortRange& range = spec.sort;
  for (std::size_t i = 0; i < range.leading.size(); ++i) {
    add_equality(set, spec.pattern->sort.all[i].attribute, range.leading[i]);
  }
  if (range.kind == SortRange::Kind::All) return;
  const std::string_view attribute = spec.pattern->sort.all[range.leading.size()].attribute;
  std::string& out = set.key_condition;
  ExpressionSet::begin_conjunct(out);
  constexpr std::string_view signs[] = {"", " = ", "", "", " < ", " <= ", " > ", " >= "};
  switch (range.kind) {
    case SortRange::Kind::BeginsWith:
      out += "begins_with(";
      set.name(out, attribute);
      out += ", ";
      set.value(out, *range.low);
      out += ')';
      break;
    case SortRange::Kind::Between:
      set.name(out, attribute);
      out += " BETWEEN ";
      set.value(out, *range.low);
      out += " AND ";
      set.value(out, *range.high);
      break;
    default:
      set.name(out, attribute);
      out += signs[static_cast<std::size_t>(range.kind)];
      set.value(out, *range.low);
  }
}

// Sort keys order as their encoded bytes without kind and length do.
std::string_view order_of(ItemView item, std::string_view attribute) {
  const auto value = item.find(attribute);
  if (!value) return {};
  if (value->is(ValueType::N)) return value->ordered_number();
  return value->is(ValueType::S) ? value->string() : value->binary();
}

bool comes_before(const QuerySpec& spec, ItemView left, ItemView right) {
  for (std::size_t i = 0; i < spec.pattern->sort.count; ++i) {
    const std::string_view attribute = spec.pattern->sort.all[i].attribute;
    const int order = order_of(left, attribute).compare(order_of(right, attribute));
    if (order != 0) return spec.forward ? order < 0 : order > 0;
  }
  return false;
}

bool is_wanted(const QuerySpec& spec, ItemView item) {
  if (spec.sort.excluded) {
    const auto value = item.find(spec.pattern->sort.all[0].attribute);
    if (value && *value == spec.sort.excluded->view()) return false;
  }
  if (!spec.only_this_type) return true;
  const auto type = item.find(spec.plan->table->type_attribute);
  return !type || (type->is(ValueType::S) && type->string() == spec.plan->name);
}

const IndexShape* shape_of(const QuerySpec& spec) {
  return spec.plan->table->find_index(spec.pattern->index);
}
// The index keeps only some attributes.
bool is_partial(const QuerySpec& spec) {
  const IndexShape* const index = shape_of(spec);
  return index != nullptr && !index->keeps_all();
}

bool is_listed(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == name) return true;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

constexpr std::size_t kWholeItemsMax = 100;  // what one BatchGetItem takes

// A key that is known, as BatchGet wants it.
struct KnownKey {
  Item key;
  Result<Item> prepare() { return std::move(key); }
};

}  // namespace

ExpressionSet expressions_for(const QuerySpec& spec, const PartitionKey* key) {
  ExpressionSet set = spec.expressions;
  if (key != nullptr) {
    for (std::size_t i = 0; i < key->size(); ++i) {
      add_equality(set, spec.pattern->partition.all[i].attribute, (*key)[i]);
    }
    add_sort_range(spec, set);
  }
  return set;
}

QuerySpec::QuerySpec() = default;
QuerySpec::QuerySpec(const QuerySpec&) = default;
QuerySpec& QuerySpec::operator=(const QuerySpec&) = default;
QuerySpec::~QuerySpec() = default;

bool is_kept(const QuerySpec& spec, std::string_view attribute) {
  const IndexShape* const index = shape_of(spec);
  const TableShape& table = *spec.plan->table;
  if (index == nullptr || index->keeps_all() || attribute == table.partition_key.name ||
      attribute == table.sort_key.name || is_listed(index->included, attribute)) {
    return true;
  }
  for (const KeyAttributes* keys : {&index->partition, &index->sort}) {
    for (std::size_t i = 0; i < keys->count; ++i) {
      if (keys->all[i].name == attribute) return true;
    }
  }
  return false;
}

bool reads_whole_items(const QuerySpec& spec) {
  return is_partial(spec) && spec.whole_items && !spec.pattern->local;
}

QueryRun::QueryRun(QuerySpec& spec) : spec_(spec) {}
QueryRun::~QueryRun() = default;
QueryRun::QueryRun(QueryRun&&) noexcept = default;

Result<void> QueryRun::start_group() {
  partitions_.clear();
  if (spec_.scan) {
    for (int i = 0; i < spec_.segments; ++i) partitions_.emplace_back().segment = i;
  } else {
    for (const PartitionKey& key : spec_.groups[group_]) partitions_.emplace_back().key = &key;
  }
  return {};
}

Result<PageResponse> QueryRun::request_page(const Partition& partition) const {
  ExpressionSet set = expressions_for(spec_, partition.key);
  if (partition.key != nullptr) spec_.store->note_query(*partition.key);
  std::optional<std::int32_t> limit;
  if (page_items_ && set.filter.empty()) {
    limit = static_cast<std::int32_t>(std::clamp<std::int64_t>(*page_items_, 1, 1 << 30));
  }
  const auto fill = [&](auto& request) {
    request.table_name = spec_.store->table_name();
    if (!spec_.pattern->index.empty()) request.index_name = spec_.pattern->index;
    request.limit = limit;
    if (counting_) request.select = Select::Count;
    // DynamoDB itself reads the whole items of a local index, which lie beside it.
    if (!counting_ && spec_.pattern->local && spec_.whole_items && is_partial(spec_)) {
      request.select = Select::AllAttributes;
    }
    request.consistent_read = spec_.consistent;
    request.filter_expression = ExpressionSet::given(set.filter);
    request.projection_expression = ExpressionSet::given(set.projection);
    request.expression_attributes = set.attributes();
    if (partition.last_read) request.exclusive_start_key = partition.last_read->view();
  };
  if (spec_.scan) {
    ScanRequest request;
    fill(request);
    if (spec_.segments > 1) {
      request.segment = partition.segment;
      request.total_segments = spec_.segments;
    }
    return spec_.store->api().scan(request);
  }
  QueryRequest request;
  fill(request);
  request.scan_index_forward = spec_.forward;
  request.key_condition_expression = ExpressionSet::given(set.key_condition);
  return spec_.store->api().query(request);
}

void QueryRun::take(Partition& partition, PageResponse page) {
  partition.page_start = std::move(partition.last_read);
  partition.page = std::move(page.items);
  partition.next = 0;
  partition.whole.clear();
  partition.whole_start = 0;
  partition.begun = true;
  partition.ended = !page.last_evaluated_key.has_value();
  partition.last_read = std::move(page.last_evaluated_key);
  counted_ += page.count;
}

// The next page of each.
Result<void> QueryRun::fetch(const std::vector<Partition*>& partitions) {
  const std::size_t threads =
      std::min(partitions.size(), static_cast<std::size_t>(std::max(1, spec_.threads)));
  if (threads == 1) {
    for (Partition* const partition : partitions) {
      PARTITA_TRY(PageResponse page, request_page(*partition));
      take(*partition, std::move(page));
    }
    return {};
  }
  std::vector<std::optional<Result<PageResponse>>> pages(partitions.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < partitions.size(); i = next++) {
      pages[i].emplace(request_page(*partitions[i]));
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    if (!*pages[i]) return std::move(*pages[i]).error();
    take(*partitions[i], std::move(**pages[i]));
  }
  return {};
}

// Whatever is needed to tell the next item: of partitions that are merged a page of each, of
// segments a page of any.
Result<void> QueryRun::fill_pages() {
  const auto is_empty = [](const Partition& partition) {
    return !partition.has_item() && !partition.ended;
  };
  const auto has_item = [](const Partition& partition) { return partition.has_item(); };
  while (std::any_of(partitions_.begin(), partitions_.end(), is_empty)) {
    if (spec_.scan && std::any_of(partitions_.begin(), partitions_.end(), has_item)) break;
    const bool one = spec_.scan && (spec_.threads <= 1 || page_items_.has_value());
    std::vector<Partition*> wanted;
    for (Partition& partition : partitions_) {
      if (is_empty(partition) && !(one && !wanted.empty())) wanted.push_back(&partition);
    }
    PARTITA_CHECK(fetch(wanted));
  }
  return {};
}

// The partition with the next item, or null when this group has no more.
Result<QueryRun::Partition*> QueryRun::first_partition() {
  PARTITA_CHECK(fill_pages());
  Partition* first = nullptr;
  for (Partition& partition : partitions_) {
    if (!partition.has_item()) continue;
    if (first == nullptr) {
      first = &partition;
      if (spec_.scan) break;
    } else if (comes_before(spec_, partition.page[partition.next], first->page[first->next])) {
      first = &partition;
    }
  }
  return first;
}

// DynamoDB evaluates a filter on what the index keeps, as if there were nothing else.
Result<void> QueryRun::check_what_is_kept() const {
  if (!is_partial(spec_) || spec_.pattern->local) return {};
  const ExpressionSet& set = spec_.expressions;
  for (const std::string* expression : {&set.filter, &set.projection}) {
    for (const std::string_view name : set.attributes_in(*expression)) {
      if (is_kept(spec_, name)) continue;
      return Error::validation(std::string(spec_.plan->name) + ": the index " +
                               std::string(spec_.pattern->index) + " does not keep '" +
                               std::string(name) + "', which a query of it filters or selects");
    }
  }
  return {};
}

// The items of the page from the next one on.
Result<void> QueryRun::read_whole(Partition& partition) {
  partition.whole_start = partition.next;
  partition.whole.clear();
  BatchGet batch(*spec_.store);
  const std::size_t end = std::min(partition.page.size(), partition.next + kWholeItemsMax);
  for (std::size_t i = partition.next; i < end; ++i) {
    batch.add(KnownKey{detail::only(detail::table_key(spec_), partition.page[i])});
  }
  PARTITA_TRY(ReadItems items, batch.run());
  partition.whole = std::move(items).take();
  return {};
}

Result<std::optional<ItemView>> QueryRun::next() {
  const bool reads_whole = reads_whole_items(spec_);
  while (true) {
    if (!started_) {
      PARTITA_CHECK(check_what_is_kept());
      if (!spec_.scan && group_ >= spec_.groups.size()) return std::optional<ItemView>();
      PARTITA_CHECK(start_group());
      started_ = true;
    }
    PARTITA_TRY(Partition* const partition, first_partition());
    if (partition == nullptr) {
      if (spec_.scan || group_ + 1 >= spec_.groups.size()) return std::optional<ItemView>();
      ++group_;
      started_ = false;
      continue;
    }
    if (reads_whole && partition->next >= partition->whole_start + partition->whole.size()) {
      PARTITA_CHECK(read_whole(*partition));
    }
    const std::size_t at = partition->next++;
    const ItemView item = partition->page[at];
    if (!is_wanted(spec_, item)) continue;
    if (!reads_whole) return std::optional<ItemView>(item);
    const std::optional<Item>& whole = partition->whole[at - partition->whole_start];
    if (whole) return std::optional<ItemView>(*whole);  // it may have gone meanwhile
  }
}

Result<std::int64_t> QueryRun::count() {
  PARTITA_CHECK(check_what_is_kept());
  // Without its type an item of an index is taken for one of this entity, as when it is read.
  if (spec_.only_this_type && is_kept(spec_, spec_.plan->table->type_attribute)) {
    ExpressionSet::begin_conjunct(spec_.expressions.filter);
    spec_.expressions.name(spec_.expressions.filter, spec_.plan->table->type_attribute);
    spec_.expressions.filter += " = ";
    spec_.expressions.text_value(spec_.expressions.filter, spec_.plan->name);
  }
  counting_ = true;
  PARTITA_TRY(std::int64_t counted, count_partitions());
  if (spec_.sort.excluded) {  // in the range that DynamoDB counts, but not wanted
    SortRange range = std::exchange(spec_.sort, {});
    spec_.sort.kind = SortRange::Kind::Equal;
    spec_.sort.low = range.excluded;
    PARTITA_TRY(const std::int64_t unwanted, count_partitions());
    spec_.sort = std::move(range);
    counted -= unwanted;
  }
  return counted;
}

Result<std::int64_t> QueryRun::count_partitions() {
  counted_ = 0;
  for (group_ = 0; group_ == 0 || group_ < spec_.groups.size(); ++group_) {
    PARTITA_CHECK(start_group());
    std::vector<Partition*> open;
    for (Partition& partition : partitions_) open.push_back(&partition);
    while (!open.empty()) {
      PARTITA_CHECK(fetch(open));
      std::erase_if(open, [](const Partition* partition) { return partition->ended; });
    }
  }
  return counted_;
}

}  // namespace partita::model
