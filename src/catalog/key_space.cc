#include "catalog/key_space.h"

#include <cassert>
#include <limits>

#include "catalog/row_fields.h"
#include "value/key_encoding.h"

namespace partita {
namespace {

constexpr std::int64_t kSpacesFormat = 1;
constexpr std::int64_t kDroppingFormat = 1;
constexpr std::string_view kTable = "table", kSpaces = "spaces", kDropping = "dropping",
                           kStream = "stream", kCheckpoint = "checkpoint";

std::string row_key(std::string_view kind) {
  std::string key;
  append_key_component(Value::string(kind), key);
  return key;
}

std::optional<SpaceId> as_space(std::int64_t number) {
  if (number < kFirstTableSpace || number > kTokenSpace) {
    return std::nullopt;
  }
  return static_cast<SpaceId>(number);
}

}  // namespace

const Partition& catalog_partition() {
  static const std::string key = row_key("catalog");
  static const Partition partition{kCatalogSpace, partition_hash(key), key};
  return partition;
}

std::string table_row_key(std::string_view table_name) {
  std::string key = row_key(kTable);
  append_key_component(Value::string(table_name), key);
  return key;
}

std::string spaces_row_key() { return row_key(kSpaces); }

std::string dropping_row_key(SpaceId first_space) {
  std::string key = row_key(kDropping);
  append_key_component(Value::number(std::int64_t{first_space}), key);
  return key;
}

std::string stream_row_key(std::string_view stream_arn) {
  std::string key = row_key(kStream);
  append_key_component(Value::string(stream_arn), key);
  return key;
}

std::string checkpoint_row_key(std::string_view name) {
  std::string key = row_key(kCheckpoint);
  append_key_component(Value::string(name), key);
  return key;
}

CatalogRow catalog_row_kind(Bytes sort_key) {
  const auto kind = read_key_component(sort_key);
  if (!kind || !kind->view().is(ValueType::S)) return CatalogRow::Unknown;
  const std::string_view word = kind->view().string();
  if (word == kTable) return CatalogRow::Table;
  if (word == kSpaces) return CatalogRow::Spaces;
  if (word == kDropping) return CatalogRow::Dropping;
  if (word == kStream) return CatalogRow::Stream;
  return CatalogRow::Unknown;
}

std::string encode_next_space(SpaceId next) {
  ItemWriter writer;
  writer.begin_item();
  write_field(writer, "format", kSpacesFormat);
  write_field(writer, "next", std::int64_t{next});
  writer.end_item();
  return std::string(writer.bytes());
}

Result<SpaceId> decode_next_space(Bytes row) {
  constexpr std::string_view what = "the row of space ids";
  PARTITA_TRY(const ItemView item, check_row(row, kSpacesFormat, what));
  std::string problem;
  const auto next = as_space(RowFields(item.attributes(), problem).integer("next"));
  if (!next) return damaged_row(what, "field 'next' makes no sense");
  return *next;
}

std::string encode_dropped_spaces(const DroppedSpaces& dropped) {
  ItemWriter writer;
  writer.begin_item();
  write_field(writer, "format", kDroppingFormat);
  write_field(writer, "name", dropped.table_name);
  writer.name("spaces");
  writer.begin_set(ValueType::NS);
  for (const SpaceId space : dropped.spaces) {
    [[maybe_unused]] const auto added = writer.number_member(std::to_string(space));
    assert(added.has_value());
  }
  [[maybe_unused]] const auto ended = writer.end_set();
  assert(ended.has_value());
  writer.end_item();
  return std::string(writer.bytes());
}

Result<DroppedSpaces> decode_dropped_spaces(Bytes row) {
  constexpr std::string_view what = "a row of spaces to drop";
  PARTITA_TRY(const ItemView item, check_row(row, kDroppingFormat, what));
  DroppedSpaces dropped;
  std::string problem;
  dropped.table_name = RowFields(item.attributes(), problem).string("name");
  const auto spaces = item.find("spaces");
  if (!problem.empty() || !spaces || !spaces->is(ValueType::NS)) {
    return damaged_row(what, "a field is missing");
  }
  for (const Bytes member : spaces->set()) {
    const auto space = as_space(whole_number(member).value_or(0));
    if (!space) return damaged_row(what, "field 'spaces' makes no sense");
    dropped.spaces.push_back(*space);
  }
  return dropped;
}

Result<void> assign_places(TableSchema& table, SpaceId& next) {
  if (kTokenSpace - next <= table.local_indexes.size() + table.global_indexes.size() + 3) {
    return Error(ErrorCode::LimitExceeded, "This database has given out all its space ids");
  }
  assert(table.local_indexes.size() <= 5);
  if (table.space == 0) {
    table.space = next++;
    auto slot = static_cast<std::uint8_t>(Slot::Local1);
    for (IndexSchema& index : table.local_indexes) {
      index.global = false;
      index.slot = static_cast<Slot>(slot++);
      index.space = next++;
    }
  }
  for (IndexSchema& index : table.global_indexes) {
    if (index.space != 0) continue;
    index.global = true;
    index.slot = Slot::Item;
    index.space = next++;
  }
  if (table.expiry && table.expiry->index.space == 0) table.expiry->index.space = next++;
  if (table.stream && table.stream_space == 0) table.stream_space = next++;
  return {};
}

DroppedSpaces spaces_of(const TableSchema& table) {
  DroppedSpaces dropped{table.name, {table.space}};
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexSchema& index : *indexes) dropped.spaces.push_back(index.space);
  }
  if (table.expiry) dropped.spaces.push_back(table.expiry->index.space);
  return dropped;
}

}  // namespace partita
