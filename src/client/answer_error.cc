#include "client/answer_error.h"

#include "client/message_reader.h"
#include "wire/error_json.h"

namespace partita::client {

namespace {
struct ErrorAnswer {
  std::string type{};
  std::string message{};
  std::optional<Item> item{};
  std::vector<CancellationReason> reasons{};
  std::vector<ThrottlingReason> throttling{};
};
}  // namespace

template <>
struct Shape<ErrorAnswer> {
  static void each(auto& visit, auto& s) {
    visit("__type", s.type);
    visit("message", s.message);
    visit("Message", s.message);
    visit("Item", s.item);
    visit("CancellationReasons", s.reasons);
    visit("ThrottlingReasons", s.throttling);
  }
};

namespace {

// "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"
std::optional<ErrorCode> code_of(std::string_view type) {
  const std::string_view name = type.substr(type.find('#') + 1);
  for (int code = 0; code < static_cast<int>(ErrorCode::Conflict); ++code) {
    if (error_name(static_cast<ErrorCode>(code)) == name) return static_cast<ErrorCode>(code);
  }
  return {};
}

}  // namespace

Error read_error(int status, std::string_view body) {
  ErrorAnswer answer;
  const bool understood = MessageReader(body).read_whole(answer).has_value();
  if (const auto code = code_of(answer.type); understood && code) {
    Error error(*code, std::move(answer.message));
    if (answer.item) error.set_item(std::move(*answer.item));
    error.set_cancellation_reasons(std::move(answer.reasons));
    error.set_throttling_reasons(std::move(answer.throttling));
    return error;
  }
  constexpr std::size_t kQuotedBytesMax = 200;
  std::string said = understood && !answer.type.empty()
                         ? answer.type + ": " + answer.message
                         : std::string(body.substr(0, kQuotedBytesMax));
  return Error(status >= 500 ? ErrorCode::ServiceUnavailable : ErrorCode::Validation,
               "HTTP status " + std::to_string(status) + ": " + said);
}

bool is_worth_another_attempt(ErrorCode code) {
  switch (code) {
    case ErrorCode::InternalServerError:
    case ErrorCode::ServiceUnavailable:
    case ErrorCode::ProvisionedThroughputExceeded:
    case ErrorCode::RequestLimitExceeded:
    case ErrorCode::Throttling:
    case ErrorCode::TransactionInProgress:
      return true;
    default:
      return false;
  }
}

}  // namespace partita::client
