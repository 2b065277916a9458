// Waiting for when_durable in a test.
#pragma once

#include <future>
#include <memory>
#include <utility>

#include "storage/engine.h"

namespace partita {

inline std::future<Result<void>> when_durable(Engine& engine, Version version) {
  auto promise = std::make_shared<std::promise<Result<void>>>();
  auto future = promise->get_future();
  engine.when_durable(version,
                      [promise](Result<void> result) { promise->set_value(std::move(result)); });
  return future;
}

}  // namespace partita
