#include "operations/tables/table_settings.h"

#include "operations/tables/throughput_rules.h"

namespace partita {

Result<void> check_new_stream(const std::optional<StreamSpecification>& stream) {
  if (!stream || stream->stream_enabled == stream->stream_view_type.has_value()) return {};
  return invalid_parameters(
      stream->stream_enabled
          ? "Table is being created with a stream enabled, UpdateViewType is required"
          : "Table is being created with a stream disabled, UpdateViewType should not be "
            "specified");
}

Result<void> check_encryption(const std::optional<SseSpecification>& sse) {
  if (!sse) return {};
  if (sse->enabled == false) {
    if (sse->sse_type) {
      return invalid_parameters("SSEType can not be specified if Enabled is false");
    }
    if (sse->kms_master_key_id) {
      return invalid_parameters("KMSMasterKeyId can not be specified if Enabled is false");
    }
    return {};
  }
  if (sse->sse_type && *sse->sse_type != "KMS") {
    return invalid_parameters("SSEType " + *sse->sse_type + " is not supported");
  }
  if (sse->kms_master_key_id && !sse->sse_type) {
    return invalid_parameters("SSEType KMS is required if KMSMasterKeyId is specified");
  }
  return {};
}

bool asks_for_kms_key(const SseSpecification& sse) {
  return sse.enabled.value_or(false) || sse.sse_type.has_value();
}

void set_kms_key(TableSchema& table, const SseSpecification& sse, const OperationContext& context) {
  std::string key = sse.kms_master_key_id.value_or("");
  if (!key.starts_with("arn:")) {
    std::string arn = "arn:aws:kms:" + context.options.region + ":" + context.options.account_id;
    arn.append(key.starts_with("alias/") ? ":" : ":key/");
    key = arn.append(key.empty() ? random_uuid(context.random) : key);
  }
  table.sse = SseSpecification{true, "KMS", std::move(key)};
}

}  // namespace partita
