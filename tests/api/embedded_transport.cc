// Requests by a call in this process, answered when they are durable, as the server does it.
#include <future>
#include <memory_resource>

#include "transport.h"
#include "wire/dispatch.h"

namespace partita::testing {
namespace {

class EmbeddedTransport final : public Transport {
 public:
  explicit EmbeddedTransport(Database& database) : database_(database) {}

  ApiAnswer call(std::string_view operation, std::string_view body) override {
    const std::string target = target_of(operation);
    std::string padded(body);
    padded.append(kBodyPaddingBytes, '\0');
    std::pmr::monotonic_buffer_resource memory;
    ApiAnswer answer;
    TextBuffer text;
    const WireAnswer outcome = dispatch(
        database_, {.target = target, .body = std::string_view(padded).substr(0, body.size())},
        &memory, text);
    answer.body = text.view();
    answer.status = outcome.status;

    std::promise<std::string> durable;
    database_.when_durable(outcome.ticket, [&durable](Result<void> result) {
      durable.set_value(result ? "" : result.error().message());
    });
    answer.problem = durable.get_future().get();
    return answer;
  }

  void settle_indexes() override { static_cast<void>(database_.settle_indexes()); }

 private:
  Database& database_;
};

}  // namespace

std::unique_ptr<Transport> embedded_transport(Database& database) {
  return std::make_unique<EmbeddedTransport>(database);
}

}  // namespace partita::testing
