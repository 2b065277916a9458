// What an UpdateTable request may ask for in one go, found before the table is looked at.
//
// Most changes must come alone; the messages and their order were recorded from DynamoDB (findings
// DDB-TABLE-160, -382, -433 and -442 of the ack-api-quirks lab).
#pragma once

#include "partita/requests/tables.h"
#include "partita/result.h"

namespace partita {

Result<void> check_update_request(const UpdateTableRequest& request);

// The index an element of GlobalSecondaryIndexUpdates is about.
const std::string& index_named_in(const GlobalSecondaryIndexUpdate& update);

}  // namespace partita
