// Delivery: hands one event to whoever is to get it, and says whether that went well.
//
//   http://host:port/path   the event is POSTed; any 2xx will do; https:// as well
//   exec:command            the command is run by the shell with the event on standard input; it
//                           must end with 0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "partita/result.h"

namespace partita {

class Delivery {
 public:
  virtual ~Delivery() = default;
  // Blocks until it is done, has failed, the time is over, or soon after `cancelled` is set. What
  // the target answered; commands answer nothing.
  virtual Result<std::string> deliver(std::string_view event,
                                      const std::atomic<bool>& cancelled) = 0;
};

Result<std::unique_ptr<Delivery>> make_delivery(std::string_view target,
                                                std::chrono::milliseconds timeout);

}  // namespace partita
