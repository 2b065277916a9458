// Requests by a call in this process, answered when they are durable, as the server does it.
#include <future>
#include <memory_resource>

#include "transport.h"
#include "wire/dispatch.h"

namespace partita::testing {
namespace {

// "name": {}} or [{}, but neither the empty map "M": {} nor a parameter, which has the end behind
// it.
bool has_value_of_no_type(std::string_view body) {
  constexpr std::string_view kEmpty = "\": {}}";
  for (std::size_t at = 0; (at = body.find(kEmpty, at)) != std::string_view::npos; ++at) {
    const bool is_map = body.substr(0, at).ends_with("{\"M");
    if (!is_map && at + kEmpty.size() < body.size()) return true;
  }
  return body.find("[{}") != std::string_view::npos;
}

class EmbeddedTransport final : public Transport {
 public:
  EmbeddedTransport(Api& api, Database& database) : api_(api), database_(database) {}

  ApiAnswer call(std::string_view operation, std::string_view body) override {
    const std::string target = target_of(operation);
    std::string padded(body);
    padded.append(kBodyPaddingBytes, '\0');
    std::pmr::monotonic_buffer_resource memory;
    ApiAnswer answer;
    TextBuffer text;
    const WireAnswer outcome =
        dispatch(api_, {.target = target, .body = std::string_view(padded).substr(0, body.size())},
                 &memory, text);
    answer.body = text.view();
    answer.status = outcome.status;

    std::promise<std::string> durable;
    api_.when_durable(outcome.ticket, [&durable](Result<void> result) {
      durable.set_value(result ? "" : result.error().message());
    });
    answer.problem = durable.get_future().get();
    return answer;
  }

  // A value of no type has no place in a typed request, so it goes no further than this process,
  // and which of two faults is told first is not for the server to say.
  bool can_send(std::string_view body) const override {
    return &api_ == &database_ || !has_value_of_no_type(body);
  }

  void settle_indexes() override { static_cast<void>(database_.settle_indexes()); }

 private:
  Api& api_;
  Database& database_;
};

}  // namespace

std::unique_ptr<Transport> embedded_transport(Api& api, Database& database) {
  return std::make_unique<EmbeddedTransport>(api, database);
}

}  // namespace partita::testing
