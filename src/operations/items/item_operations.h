// The item operations: request → plan → response. One file each.
#pragma once

#include "partita/requests/items.h"
#include "partita/requests/queries.h"
#include "partita/result.h"

#include "operations/operation_context.h"

namespace partita {

Result<PutItemResponse> put_item(const OperationContext&, const PutItemRequest&);
Result<GetItemResponse> get_item(const OperationContext&, const GetItemRequest&);
Result<UpdateItemResponse> update_item(const OperationContext&, const UpdateItemRequest&);
Result<DeleteItemResponse> delete_item(const OperationContext&, const DeleteItemRequest&);
Result<QueryResponse> query(const OperationContext&, const QueryRequest&);
Result<ScanResponse> scan(const OperationContext&, const ScanRequest&);

}  // namespace partita
