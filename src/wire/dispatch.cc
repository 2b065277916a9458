#include "wire/dispatch.h"

#include <exception>

#include "formats/json_reader.h"
#include "formats/json_writer.h"
#include "wire/item_messages.h"
#include "wire/query_messages.h"
#include "wire/table_messages.h"

namespace partita {

static_assert(kBodyPaddingBytes >= kJsonPaddingBytes);

namespace {

constexpr std::string_view kTargetPrefix = "DynamoDB_20120810.";

struct Call {
  Api& api;
  std::string_view body;
  std::pmr::memory_resource* memory;
  std::string& out;
};

template <typename Response>
void encode_response(JsonWriter& json, const Response& response) {
  encode(json, response);
}

// One operation: decode, call the Api, encode.
template <typename Message, auto kMethod, auto kEncode>
WireAnswer serve(const Call& call) {
  WireAnswer answer;
  Message message(call.memory);
  if (const Result<void> decoded = message.decode(call.body); !decoded) {
    answer.status = write_error(decoded.error(), call.out);
    return answer;
  }
  const auto response = (call.api.*kMethod)(message.request, &answer.ticket);
  if (!response) {
    answer.status = write_error(response.error(), call.out);
    return answer;
  }
  JsonWriter json(call.out);
  kEncode(json, *response);
  return answer;
}

struct Operation {
  std::string_view name;
  WireAnswer (*serve)(const Call& call);
};

// Those that are called most come first.
constexpr Operation kOperations[] = {
    {"GetItem", serve<GetItemMessage, &Api::get_item, encode_response<GetItemResponse>>},
    {"PutItem", serve<PutItemMessage, &Api::put_item, encode_response<PutItemResponse>>},
    {"Query", serve<QueryMessage, &Api::query, encode_response<QueryResponse>>},
    {"UpdateItem",
     serve<UpdateItemMessage, &Api::update_item, encode_response<UpdateItemResponse>>},
    {"DeleteItem",
     serve<DeleteItemMessage, &Api::delete_item, encode_response<DeleteItemResponse>>},
    {"Scan", serve<ScanMessage, &Api::scan, encode_response<ScanResponse>>},
    {"DescribeTable", serve<DescribeTableMessage, &Api::describe_table, encode_described_table>},
    {"ListTables",
     serve<ListTablesMessage, &Api::list_tables, encode_response<ListTablesResponse>>},
    {"CreateTable", serve<CreateTableMessage, &Api::create_table, encode_changed_table>},
    {"UpdateTable", serve<UpdateTableMessage, &Api::update_table, encode_changed_table>},
    {"DeleteTable", serve<DeleteTableMessage, &Api::delete_table, encode_changed_table>},
};

const Operation* find_operation(std::string_view target) {
  if (!target.starts_with(kTargetPrefix)) return nullptr;
  target.remove_prefix(kTargetPrefix.size());
  for (const Operation& operation : kOperations) {
    if (operation.name == target) return &operation;
  }
  return nullptr;
}

WireAnswer failed(const Error& error, std::string& out) {
  WireAnswer answer;
  answer.status = write_error(error, out);
  return answer;
}

}  // namespace

WireAnswer dispatch(Api& api, const WireRequest& request, std::pmr::memory_resource* memory,
                    std::string& out) {
  const Operation* const operation = find_operation(request.target);
  if (operation == nullptr) return failed(Error(ErrorCode::UnknownOperation, ""), out);

  const std::size_t before = out.size();
  try {
    return operation->serve({api, request.body, memory, out});
  } catch (const std::exception&) {  // out of memory, or a library's
    out.resize(before);
    return failed(Error::internal("The request could not be carried out"), out);
  }
}

}  // namespace partita
