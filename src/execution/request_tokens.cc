#include "execution/request_tokens.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "catalog/key_space.h"
#include "catalog/row_fields.h"
#include "value/item_encoding.h"
#include "value/key_encoding.h"

namespace partita {

namespace {

constexpr std::int64_t kTokenFormat = 1;
constexpr std::string_view kRowName = "the row of a request token";

std::string encode(const RememberedRequest& request) {
  ItemWriter writer;
  writer.begin_item();
  write_field(writer, "expires", std::int64_t{request.expires.time_since_epoch().count()});
  writer.name("fingerprint");
  writer.binary(bytes_of(request.fingerprint));
  write_field(writer, "format", kTokenFormat);
  writer.name("reads");
  [[maybe_unused]] const auto begun = writer.begin_map();
  for (const auto& [table, units] : request.read_units) write_field(writer, table, units);
  writer.end_map();
  writer.end_item();
  return std::string(writer.bytes());
}

Result<RememberedRequest> decode(Bytes row) {
  PARTITA_TRY(const ItemView item, check_row(row, kTokenFormat, kRowName));
  RememberedRequest request;
  std::string problem;
  const RowFields fields(item.attributes(), problem);
  request.expires = TimePoint(std::chrono::milliseconds(fields.integer("expires")));
  const auto fingerprint = item.find("fingerprint");
  if (!fingerprint || !fingerprint->is(ValueType::B) ||
      fingerprint->binary().size() != request.fingerprint.size()) {
    return damaged_row(kRowName, "field 'fingerprint' makes no sense");
  }
  std::memcpy(request.fingerprint.data(), fingerprint->binary().data(), request.fingerprint.size());
  if (const auto reads = item.find("reads"); reads && reads->is(ValueType::M)) {
    const RowFields units(reads->map(), problem);
    for (const Attribute table : reads->map()) {
      request.read_units.emplace(table.name, units.integer(table.name));
    }
  }
  if (!problem.empty()) return damaged_row(kRowName, problem);
  return request;
}

}  // namespace

TokenRow::TokenRow(std::string_view token) {
  append_key_component(Value::string(token), partition_key_);
  partition_ = {kTokenSpace, partition_hash(partition_key_), partition_key_};
}

Result<std::optional<RememberedRequest>> TokenRow::read(Engine& engine, TimePoint now,
                                                        Version& depends_on) {
  std::optional<Result<RememberedRequest>> found;
  version_ = 0;
  const RowKey key{Slot::Item, {}};
  PARTITA_CHECK(engine.get(partition_, std::span(&key, 1), nullptr, [&](const RowView& row) {
    version_ = row.version;
    found = decode(row.value);
    return true;
  }));
  if (!found) return std::optional<RememberedRequest>();
  PARTITA_TRY(RememberedRequest request, *std::move(found));
  depends_on = std::max(depends_on, version_);
  if (request.expires <= now) return std::optional<RememberedRequest>();
  return std::optional<RememberedRequest>(std::move(request));
}

PartitionBatch TokenRow::remember(const RememberedRequest& request) {
  const RowKey key{Slot::Item, {}};
  value_ = encode(request);
  guard_ = {key, version_};
  edit_ = {key, value_};
  return {partition_, std::span(&guard_, 1), std::span(&edit_, 1), {}, {}};
}

Result<std::size_t> remove_expired_tokens(Engine& engine, TimePoint now, std::size_t rows_max,
                                          std::optional<std::string>& position) {
  struct Expired {
    std::string key;
    Version version;
  };
  std::vector<Expired> expired;
  std::optional<ScanStart> start;
  if (position) start = ScanStart{partition_hash(*position), *position, {}};
  std::size_t seen = 0;
  std::optional<std::string> last;
  PARTITA_CHECK(engine.scan(kTokenSpace, Slot::Item, HashRange(), start,
                            {static_cast<std::uint32_t>(rows_max), 0}, nullptr,
                            [&](const RowView& row) {
                              const Result<RememberedRequest> request = decode(row.value);
                              if (!request || request->expires <= now) {
                                expired.push_back({std::string(row.partition.key), row.version});
                              }
                              if (++seen < rows_max) return true;
                              last = row.partition.key;
                              return false;
                            }));
  position = std::move(last);  // none: from the start again

  const RowKey key{Slot::Item, {}};
  std::size_t removed = 0;
  for (const Expired& row : expired) {
    const Guard guard{key, row.version};
    const Edit edit{key, std::nullopt};
    const PartitionBatch batch{{kTokenSpace, partition_hash(row.key), row.key},
                               std::span(&guard, 1),
                               std::span(&edit, 1),
                               {},
                               {}};
    // A row that was written anew meanwhile stays; one that met a conflict is found again.
    auto committed = engine.commit(std::span(&batch, 1), now);
    if (committed) {
      ++removed;
    } else if (committed.error().code() != ErrorCode::Conflict) {
      return std::move(committed).error();
    }
  }
  return removed;
}

}  // namespace partita
