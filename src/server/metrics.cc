#include "server/metrics.h"

namespace partita {

std::string_view OperationMetrics::error_of(std::size_t outcome) {
  if (outcome == kSuccess) return "";
  if (outcome == kOtherClientError || outcome == kOtherServerError) return "other";
  return error_name(static_cast<ErrorCode>(outcome - 1));
}

std::string_view OperationMetrics::result_of(std::size_t outcome) {
  if (outcome == kSuccess) return "success";
  if (outcome == kOtherClientError) return "client_error";
  if (outcome == kOtherServerError) return "server_error";
  return error_status(static_cast<ErrorCode>(outcome - 1)) < 500 ? "client_error" : "server_error";
}

const std::vector<std::string_view>& LoopMetrics::operation_labels() {
  static const std::vector<std::string_view> labels = [] {
    std::vector<std::string_view> names(operation_names().begin(), operation_names().end());
    names.push_back("unknown");
    names.push_back("none");
    return names;
  }();
  return labels;
}

ServerMetrics::ServerMetrics(std::size_t loop_count) {
  for (std::size_t i = 0; i < loop_count; ++i) loops_.push_back(std::make_unique<LoopMetrics>());
}

}  // namespace partita
