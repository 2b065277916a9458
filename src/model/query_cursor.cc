// Cursors: where a query goes on another time.
#include <algorithm>

#include "base/base64.h"
#include "base/coding.h"
#include "model/query_partition.h"
#include "value/fingerprint.h"
#include "value/item_encoding.h"

namespace partita::model {
namespace detail {

Item only(std::vector<std::string_view> names, ItemView item) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  ItemSink sink;
  sink.begin_item();
  for (const std::string_view name : names) {
    if (const auto value = item.find(name)) {
      sink.name(name);
      sink.value(*value);
    }
  }
  sink.end_item();
  return Item(sink.item());
}

std::vector<std::string_view> table_key(const QuerySpec& spec) {
  std::vector<std::string_view> names{spec.plan->table->partition_key.name};
  if (!spec.plan->table->sort_key.name.empty()) names.push_back(spec.plan->table->sort_key.name);
  return names;
}

}  // namespace detail

namespace {

// What ExclusiveStartKey wants of an item: the keys of the table and of the index.
Item position_of(const QuerySpec& spec, ItemView item) {
  std::vector<std::string_view> names = detail::table_key(spec);
  for (const KeyParts* parts : {&spec.pattern->partition, &spec.pattern->sort}) {
    for (std::size_t i = 0; i < parts->count; ++i) names.push_back(parts->all[i].attribute);
  }
  return detail::only(std::move(names), item);
}

Error bad_cursor() {
  return Error(CursorInvalid, "this cursor is damaged or belongs to another query");
}

}  // namespace

// cursor := fingerprint varint(group) { 'n' | 'e' | 'p' varstring(position) }*
// for each partition: not begun, ended, or read up to a position; in base64.
std::string QueryRun::cursor() const {
  if (!started_) return {};
  std::string bytes = fingerprint();
  append_varint32(bytes, static_cast<std::uint32_t>(group_));
  bool more = !spec_.scan && group_ + 1 < spec_.groups.size();
  for (const Partition& partition : partitions_) {
    if (partition.is_exhausted()) {
      bytes += 'e';
      continue;
    }
    more = true;
    std::optional<Item> position = partition.last_read;
    if (partition.next > 0) {
      position = position_of(spec_, partition.page[partition.next - 1]);
    } else if (partition.begun) {
      position = partition.page_start;
    }
    if (!position) {
      bytes += 'n';
      continue;
    }
    bytes += 'p';
    append_length_prefixed(bytes, position->view().bytes());
  }
  if (!more) return {};
  std::string text;
  append_base64(bytes, text);
  return text;
}

// Which query it is: eight bytes of what its requests say.
std::string QueryRun::fingerprint() const {
  std::string said = spec_.store->table_name();
  said.append(spec_.pattern->index).append(spec_.forward ? ">" : "<");
  said += std::to_string(spec_.segments);
  for (const auto& group : spec_.groups) {
    for (const PartitionKey& key : group) {
      for (const Value& value : key) said += value.view().bytes();
    }
  }
  for (const auto* bound : {&spec_.sort.low, &spec_.sort.high}) {
    if (*bound) said += (*bound)->view().bytes();
  }
  said += spec_.expressions.filter;
  return std::string(bytes_of(fingerprint_of(said)).substr(0, 8));
}

Result<void> QueryRun::resume(std::string_view cursor) {
  if (cursor.empty()) return {};
  std::string bytes;
  const std::string expected = fingerprint();
  if (!append_decoded_base64(cursor, bytes) || !bytes.starts_with(expected)) return bad_cursor();
  ByteReader reader(std::string_view(bytes).substr(expected.size()));
  std::uint32_t group = 0;
  if (!reader.read_varint32(group) || (!spec_.scan && group >= spec_.groups.size())) {
    return bad_cursor();
  }
  group_ = group;
  PARTITA_CHECK(start_group());
  started_ = true;
  for (Partition& partition : partitions_) {
    std::uint8_t state = 0;
    if (!reader.read_u8(state)) return bad_cursor();
    partition.ended = state == 'e';
    if (state != 'p') continue;
    std::string_view position;
    if (!reader.read_length_prefixed(position)) return bad_cursor();
    PARTITA_TRY(const ItemView checked, check_item(position));
    partition.last_read = Item(checked);
  }
  if (!reader.at_end()) return bad_cursor();
  return {};
}

}  // namespace partita::model
