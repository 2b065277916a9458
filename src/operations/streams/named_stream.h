// The stream that an operation names by its ARN.
#pragma once

#include <string>

#include "partita/result.h"

#include "operations/operation_context.h"

namespace partita {

// The answer, or the error, depends on the catalog's latest change.
inline Result<StreamPointer> named_stream(const OperationContext& context, const std::string& arn) {
  depend_on(context, context.catalog.latest());
  if (!table_name_in_stream_arn(arn)) return Error::validation("Invalid StreamArn");
  StreamPointer stream = context.catalog.find_stream(arn, context.now);
  if (!stream) {
    return Error::resource_not_found("Requested resource not found: Stream: " + arn + " not found");
  }
  return stream;
}

inline Error no_such_shard() {
  return Error::resource_not_found("Requested resource not found: Shard does not exist");
}

}  // namespace partita
