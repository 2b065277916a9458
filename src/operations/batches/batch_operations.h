// The operations on many items: request → plans → response. One file each.
#pragma once

#include "partita/requests/batches.h"
#include "partita/requests/transactions.h"
#include "partita/result.h"

#include "operations/operation_context.h"

namespace partita {

Result<BatchGetItemResponse> batch_get_item(const OperationContext&, const BatchGetItemRequest&);
Result<BatchWriteItemResponse> batch_write_item(const OperationContext&,
                                                const BatchWriteItemRequest&);
Result<TransactGetItemsResponse> transact_get_items(const OperationContext&,
                                                    const TransactGetItemsRequest&);
Result<TransactWriteItemsResponse> transact_write_items(const OperationContext&,
                                                        const TransactWriteItemsRequest&);

}  // namespace partita
