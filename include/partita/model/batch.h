// Batches: many items with few requests. Each item is written on its own: some may be when a batch
// fails.
//
//   BatchWrite batch(table);
//   for (const Dinosaur& d : herd) batch.add(dinosaurs.put(d));
//   batch.add(rangers.remove("bob")).run();
//
//   BatchGet(table).add(dinosaurs.get("rex")).add(rangers.get("bob")).run()->of<dinosaur>();
//
// Requests are made of 25 writes or 100 reads. What DynamoDB leaves unprocessed is sent again,
// after a pause that grows (full jitter), at most ten times. Of several writes of one item the last
// counts.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "partita/model/time_points.h"
#include "partita/model/transaction.h"

namespace partita::model {

// How often, and how long to wait. The pause before attempt n is up to base * 2^n, at most `most`.
struct RetryPolicy {
  int attempts = 10;
  std::chrono::milliseconds base{10};
  std::chrono::milliseconds most{2000};
  std::function<void(std::chrono::milliseconds)> wait{};  // sleeps if not given
};

class BatchWrite {
 public:
  explicit BatchWrite(const Store& store, RetryPolicy policy = {})
      : store_(&store), policy_(std::move(policy)) {}
  BatchWrite(const BatchWrite&) = delete;
  BatchWrite& operator=(const BatchWrite&) = delete;

  template <typename Entity>
  BatchWrite& add(Put<Entity>&& put) {
    return note(put.prepare_unchecked(), true);
  }
  template <typename Entity>
  BatchWrite& add(Put<Entity>& put) {
    return note(put.prepare_unchecked(), true);
  }
  template <typename Entity>
  BatchWrite& add(Remove<Entity>&& remove) {
    return note(remove.prepare_unchecked(), false);
  }
  template <typename Entity>
  BatchWrite& add(Remove<Entity>& remove) {
    return note(remove.prepare_unchecked(), false);
  }

  // Fails when something is left after the last attempt; left() says how much.
  Result<void> run();
  std::size_t left() const { return left_; }

 protected:
  // How a request is sent; a test may have another way.
  std::function<Result<BatchWriteItemResponse>(const BatchWriteItemRequest&)> send_request_ =
      [this](const BatchWriteItemRequest& request) {
        return store_->api().batch_write_item(request);
      };

 private:
  struct Write {
    bool put;
    Item item;
  };
  BatchWrite& note(Result<Item> item, bool put);
  Result<void> send(std::vector<Write> chunk);

  const Store* store_;
  RetryPolicy policy_;
  std::vector<Write> writes_;
  std::map<std::string, std::size_t> places_;  // in writes_, by key
  Result<void> status_;
  std::size_t left_ = 0;
};

class BatchGet : detail::ReadSet {
 public:
  explicit BatchGet(const Store& store, RetryPolicy policy = {})
      : ReadSet(store), policy_(std::move(policy)) {}
  BatchGet(const BatchGet&) = delete;
  BatchGet& operator=(const BatchGet&) = delete;

  template <typename Get>
  BatchGet& add(Get&& get) {
    note(get.prepare());
    return *this;
  }
  BatchGet& consistent() { return consistent_ = true, *this; }
  // Items that are there, in the order they were asked for.
  Result<ReadItems> run();

 protected:
  std::function<Result<BatchGetItemResponse>(const BatchGetItemRequest&)> send_request_ =
      [this](const BatchGetItemRequest& request) { return store_->api().batch_get_item(request); };

 private:
  Result<void> send(std::vector<std::size_t> wanted, std::vector<std::optional<Item>>& found);

  RetryPolicy policy_;
  bool consistent_ = false;
};

}  // namespace partita::model
