// The read path: one lookup, or one cursor whose rows go straight into a page.
#include <algorithm>

#include "execution/executor.h"
#include "execution/result_page.h"

namespace partita {

Result<void> Executor::get(const TableSchema& table, const EncodedKey& key,
                           FunctionRef<void(ItemView)> show, const View* view,
                           Version& depends_on) {
  const RowKey row_key{Slot::Item, key.sort};
  bool found = false;
  PARTITA_CHECK(
      engine_.get(key.in(table.space), std::span(&row_key, 1), view, [&](const RowView& row) {
        depends_on = std::max(depends_on, row.version);
        found = true;
        show(ItemView(row.value));
        return true;
      }));
  if (!found) depends_on = std::max(depends_on, engine_.last_removal());
  return {};
}

GetOutcome project(ItemView item, const ProjectionPaths* projection) {
  GetOutcome outcome;
  outcome.size_bytes = item.size_bytes();
  if (projection) {
    std::string projected;
    projection->project(item, projected);
    outcome.item = Item::from_encoded(std::move(projected));
  } else {
    outcome.item = Item(item);
  }
  return outcome;
}

Result<GetOutcome> Executor::get(const TableSchema& table, const EncodedKey& key,
                                 const ProjectionPaths* projection, const View* view,
                                 Version& depends_on) {
  GetOutcome outcome;
  const auto keep = [&](ItemView item) { outcome = project(item, projection); };
  PARTITA_CHECK(get(table, key, keep, view, depends_on));
  return outcome;
}

namespace {

ReadHint hint_of(const ReadPlan& plan) {
  return {static_cast<std::uint32_t>(plan.limit.value_or(0)), kPageBytesMax};
}

Result<void> read_rows(Engine& engine, const ReadPlan& plan, const View* view, ResultPage& page) {
  const auto sink = [&](const RowView& row) { return page.add(row); };
  if (plan.keys) {
    KeyRange range = plan.keys->range;
    if (plan.start) range.after = plan.start->sort;
    return engine.range(plan.keys->partition.in(plan.source.space()), range, plan.direction,
                        hint_of(plan), view, sink);
  }
  std::optional<ScanStart> start;
  if (plan.start) start = ScanStart{plan.start->hash, plan.start->partition, plan.start->sort};
  return engine.scan(plan.source.space(), plan.source.slot(), plan.segment, start, hint_of(plan),
                     view, sink);
}

}  // namespace

Result<PageOutcome> Executor::read(const ReadPlan& plan, const View* view, Version& depends_on) {
  ResultPage page(plan);
  PARTITA_CHECK(read_rows(engine_, plan, view, page));
  // A page also tells which rows are not there.
  depends_on = std::max({depends_on, page.newest_version(), engine_.last_removal()});

  // A sink may not call the engine, so items of a local index are fetched when its page is
  // complete.
  const TableSchema& table = *plan.source.table;
  for (std::size_t i = 0; i < page.entries().size(); ++i) {
    PARTITA_TRY(const EncodedKey key, key_of_item(table.key, page.entries()[i]));
    PARTITA_TRY(const GetOutcome fetched, get(table, key, nullptr, view, depends_on));
    page.add_fetched(fetched.item ? std::optional<ItemView>(*fetched.item) : std::nullopt);
  }
  return page.finish();
}

}  // namespace partita
