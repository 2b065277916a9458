#include "partita/model/sample.h"

#include <algorithm>
#include <optional>

namespace partita::model {

Result<void> Sample::add_from(const Store& table, std::size_t items_max) {
  constexpr std::size_t kPageItemsMax = 1000;
  std::optional<Item> start;
  std::size_t wanted = items_max;
  while (wanted > 0) {
    ScanRequest request{.table_name = table.table_name()};
    request.limit = static_cast<std::int32_t>(std::min(wanted, kPageItemsMax));
    if (start) request.exclusive_start_key = start->view();
    PARTITA_TRY(ScanResponse page, table.api().scan(request));
    for (std::size_t i = 0; i < page.items.size(); ++i) add(table.shape().name, page.items[i]);
    wanted -= std::min(wanted, page.items.size());
    if (!page.last_evaluated_key) break;
    start = std::move(page.last_evaluated_key);
  }
  return {};
}

}  // namespace partita::model
