#include "operations/batches/request_fingerprint.h"

#include <algorithm>
#include <string>
#include <vector>

namespace partita {

namespace {

// Each part with its length, so that no two requests give the same text.
void append(std::string& text, Bytes part) {
  text.append(std::to_string(part.size())).append(":").append(part);
}

void append(std::string& text, const std::optional<std::string_view>& part) {
  if (part) append(text, Bytes(*part));
  text.append(part ? "+" : "-");
}

template <typename Entry, typename Meaning>
void append_map(std::string& text, const std::optional<std::span<const Entry>>& entries,
                Meaning meaning) {
  if (!entries) return;
  std::vector<std::string> parts;
  for (const Entry& entry : *entries) {
    std::string& part = parts.emplace_back();
    append(part, Bytes(entry.placeholder));
    append(part, meaning(entry));
  }
  std::sort(parts.begin(), parts.end());
  for (const std::string& part : parts) append(text, Bytes(part));
}

}  // namespace

Error payload_too_large(std::size_t bytes) {
  const std::string sentence = "Transaction payload size cannot exceed 4MB. Payload Size: ";
  return Error::validation(sentence + ": " + sentence + std::to_string(bytes));
}

Result<void> check_payload_size(const TransactWriteItemsRequest& request) {
  std::size_t bytes = 0;
  for (const TransactWrite& action : request.transact_items) {
    bytes += action.item.size_bytes();
    for (const auto& expression : {action.update_expression, action.condition_expression}) {
      if (expression) bytes += expression->size();
    }
    if (action.expression_attributes.values) {
      for (const ExpressionAttributeValue& entry : *action.expression_attributes.values) {
        bytes += entry.value.bytes().size();
      }
    }
  }
  if (bytes > kPayloadBytesMax) return payload_too_large(bytes);
  return {};
}

Fingerprint fingerprint_of(const TransactWriteItemsRequest& request) {
  std::string text;
  for (const TransactWrite& action : request.transact_items) {
    text.push_back(static_cast<char>('0' + static_cast<int>(action.kind)));
    append(text, Bytes(action.table_name));
    append(text, action.item.bytes());
    append(text, action.update_expression);
    append(text, action.condition_expression);
    append_map(text, action.expression_attributes.names,
               [](const ExpressionAttributeName& entry) { return Bytes(entry.name); });
    text.push_back(';');
    append_map(text, action.expression_attributes.values,
               [](const ExpressionAttributeValue& entry) { return entry.value.bytes(); });
    text.push_back('.');
  }
  return fingerprint_of(Bytes(text));
}

}  // namespace partita
