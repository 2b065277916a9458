#include "partita/model/batch.h"

#include <algorithm>
#include <thread>

#include "base/random.h"

namespace partita::model {
namespace {

constexpr std::size_t kWritesMax = 25;
constexpr std::size_t kReadsMax = 100;

// Full jitter: anything between nothing and the growing limit.
void pause(const RetryPolicy& policy, int attempt) {
  static SystemRandom random;
  const auto limit =
      std::min<std::int64_t>(policy.base.count() << std::min(attempt, 20), policy.most.count());
  const std::chrono::milliseconds chosen(
      static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(limit + 1)));
  policy.wait ? policy.wait(chosen) : std::this_thread::sleep_for(chosen);
}

// The bytes of the attributes of a key.
std::string key_text(const TableShape& table, ItemView item) {
  std::string text;
  for (const KeyAttribute& attribute : {table.partition_key, table.sort_key}) {
    const auto value = attribute.name.empty() ? std::nullopt : item.find(attribute.name);
    if (!value) continue;
    text += std::to_string(value->bytes().size());
    text += ':';
    text += value->bytes();
  }
  return text;
}

Error left_over(std::size_t count, const RetryPolicy& policy) {
  return Error(ErrorCode::ProvisionedThroughputExceeded,
               std::to_string(count) + " items of a batch were left unprocessed after " +
                   std::to_string(policy.attempts) + " attempts");
}

}  // namespace

BatchWrite& BatchWrite::note(Result<Item> item, bool put) {
  if (item) {
    // A request must not name an item twice. Of several writes the last one counts.
    const auto [place, is_new] =
        places_.try_emplace(key_text(store_->shape(), *item), writes_.size());
    if (is_new) {
      writes_.push_back({put, std::move(*item)});
    } else {
      writes_[place->second] = {put, std::move(*item)};
    }
  } else if (status_) {
    status_ = std::move(item).error();
  }
  return *this;
}

Result<void> BatchWrite::run() {
  if (!status_) return std::move(status_).error();
  left_ = writes_.size();
  for (std::size_t start = 0; start < writes_.size(); start += kWritesMax) {
    const std::size_t end = std::min(writes_.size(), start + kWritesMax);
    std::vector<Write> chunk;
    for (std::size_t i = start; i < end; ++i) chunk.push_back(std::move(writes_[i]));
    PARTITA_CHECK(send(std::move(chunk)));
  }
  writes_.clear();
  places_.clear();
  return {};
}

Result<void> BatchWrite::send(std::vector<Write> chunk) {
  for (int attempt = 0; attempt < policy_.attempts; ++attempt) {
    if (attempt != 0) pause(policy_, attempt);
    std::vector<WriteRequest> requests;
    for (const Write& write : chunk) {
      write.put ? store_->note_write(write.item) : store_->note_read(write.item);
      requests.push_back(write.put ? WriteRequest{.put_item = write.item.view()}
                                   : WriteRequest{.delete_key = write.item.view()});
    }
    const TableWrites table{.table_name = store_->table_name(), .requests = requests};
    auto response = send_request_({.request_items = {&table, 1}});
    if (!response) {
      if (!is_retryable(response.error())) return std::move(response).error();
      continue;
    }
    std::vector<Write> unprocessed;
    for (UnprocessedWrites& writes : response->unprocessed_items) {
      for (UnprocessedWrite& write : writes.requests) {
        unprocessed.push_back({write.put, std::move(write.item)});
      }
    }
    left_ -= chunk.size() - unprocessed.size();
    chunk = std::move(unprocessed);
    if (chunk.empty()) return {};
  }
  return left_over(left_, policy_);
}

Result<ReadItems> BatchGet::run() {
  if (!status_) return std::move(status_).error();
  std::vector<std::optional<Item>> found(keys_.size());
  for (std::size_t start = 0; start < keys_.size(); start += kReadsMax) {
    std::vector<std::size_t> wanted;
    for (std::size_t i = start; i < std::min(keys_.size(), start + kReadsMax); ++i) {
      const bool again = std::any_of(wanted.begin(), wanted.end(),
                                     [&](std::size_t other) { return keys_[other] == keys_[i]; });
      if (!again) wanted.push_back(i);
    }
    PARTITA_CHECK(send(std::move(wanted), found));
  }
  for (std::size_t i = 0; i < keys_.size(); ++i) {  // what was asked for twice was sent once
    for (std::size_t j = 0; j < i && !found[i]; ++j) {
      if (keys_[i] == keys_[j]) found[i] = found[j];
    }
  }
  return ReadItems(std::move(found));
}

Result<void> BatchGet::send(std::vector<std::size_t> wanted,
                            std::vector<std::optional<Item>>& found) {
  const auto has_key = [](ItemView item, ItemView key) {
    return std::all_of(key.begin(), key.end(), [&](const Attribute& attribute) {
      return item.find(attribute.name) == attribute.value;
    });
  };
  for (int attempt = 0; attempt < policy_.attempts; ++attempt) {
    if (attempt != 0) pause(policy_, attempt);
    std::vector<ItemView> keys;
    for (const std::size_t i : wanted) {
      store_->note_read(keys_[i]);
      keys.push_back(keys_[i]);
    }
    KeysAndAttributes table;
    table.table_name = store_->table_name();
    table.keys = keys;
    table.consistent_read = consistent_;
    auto response = send_request_({.request_items = {&table, 1}});
    if (!response) {
      if (!is_retryable(response.error())) return std::move(response).error();
      continue;
    }
    for (const TableItems& items : response->responses) {
      for (std::size_t n = 0; n < items.items.size(); ++n) {
        for (const std::size_t i : wanted) {
          if (has_key(items.items[n], keys_[i])) found[i] = Item(items.items[n]);
        }
      }
    }
    std::vector<std::size_t> unprocessed;
    for (const UnprocessedKeys& left : response->unprocessed_keys) {
      for (std::size_t n = 0; n < left.keys.size(); ++n) {
        for (const std::size_t i : wanted) {
          if (has_key(left.keys[n], keys_[i])) unprocessed.push_back(i);
        }
      }
    }
    wanted = std::move(unprocessed);
    if (wanted.empty()) return {};
  }
  return left_over(wanted.size(), policy_);
}

}  // namespace partita::model
