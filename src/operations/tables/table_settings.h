// Settings of a table beside its keys and capacity: stream and encryption.
#pragma once

#include <optional>
#include <string>

#include "partita/result.h"
#include "partita/table.h"

#include "catalog/table_schema.h"
#include "operations/operation_context.h"

namespace partita {

// CreateTable's rules; UpdateTable words its own.
Result<void> check_new_stream(const std::optional<StreamSpecification>& stream);

// Both operations.
Result<void> check_encryption(const std::optional<SseSpecification>& sse);
// {SSEType: KMS} alone asks for it too; {} does not.
bool asks_for_kms_key(const SseSpecification& sse);

// Encrypts under the key that was named, or under one we make up as AWS does.
void set_kms_key(TableSchema& table, const SseSpecification& sse, const OperationContext& context);

}  // namespace partita
