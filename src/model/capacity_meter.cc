#include "partita/model/capacity_meter.h"

#include <utility>

namespace partita::model {
namespace {

void add(const ConsumedCapacity& consumed, double CapacityUse::*sum, CapacityUse& used) {
  used.*sum += consumed.capacity_units;
  for (const auto* indexes :
       {&consumed.local_secondary_indexes, &consumed.global_secondary_indexes}) {
    for (const auto& [name, capacity] : *indexes) used.by_index[name] += capacity.capacity_units;
  }
}
void add(const std::vector<ConsumedCapacity>& consumed, double CapacityUse::*sum,
         CapacityUse& used) {
  for (const ConsumedCapacity& each : consumed) add(each, sum, used);
}
template <typename Consumed>
void add(const std::optional<Consumed>& consumed, double CapacityUse::*sum, CapacityUse& used) {
  if (consumed) add(*consumed, sum, used);
}

}  // namespace

CapacityUse CapacityMeter::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}
CapacityUse CapacityMeter::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(used_, CapacityUse());
}

template <typename Request, typename Response>
Result<Response> CapacityMeter::measure(const Request& request, DurabilityTicket* ticket,
                                        Result<Response> (Api::*call)(const Request&,
                                                                      DurabilityTicket*),
                                        double CapacityUse::*sum) {
  Request asked = request;
  asked.return_consumed_capacity = ReturnConsumedCapacity::Indexes;
  auto answer = (api_.*call)(asked, ticket);
  if (!answer) return answer;
  const std::lock_guard lock(mutex_);
  ++used_.requests;
  add(answer->consumed_capacity, sum, used_);
  return answer;
}

Result<PutItemResponse> CapacityMeter::put_item(const PutItemRequest& r, DurabilityTicket* t) {
  return measure(r, t, &Api::put_item, &CapacityUse::write_units);
}
Result<GetItemResponse> CapacityMeter::get_item(const GetItemRequest& r, DurabilityTicket* t) {
  return measure(r, t, &Api::get_item, &CapacityUse::read_units);
}
Result<UpdateItemResponse> CapacityMeter::update_item(const UpdateItemRequest& r,
                                                      DurabilityTicket* t) {
  return measure(r, t, &Api::update_item, &CapacityUse::write_units);
}
Result<DeleteItemResponse> CapacityMeter::delete_item(const DeleteItemRequest& r,
                                                      DurabilityTicket* t) {
  return measure(r, t, &Api::delete_item, &CapacityUse::write_units);
}
Result<QueryResponse> CapacityMeter::query(const QueryRequest& r, DurabilityTicket* t) {
  return measure(r, t, &Api::query, &CapacityUse::read_units);
}
Result<ScanResponse> CapacityMeter::scan(const ScanRequest& r, DurabilityTicket* t) {
  return measure(r, t, &Api::scan, &CapacityUse::read_units);
}
Result<BatchGetItemResponse> CapacityMeter::batch_get_item(const BatchGetItemRequest& r,
                                                           DurabilityTicket* t) {
  return measure(r, t, &Api::batch_get_item, &CapacityUse::read_units);
}
Result<BatchWriteItemResponse> CapacityMeter::batch_write_item(const BatchWriteItemRequest& r,
                                                               DurabilityTicket* t) {
  return measure(r, t, &Api::batch_write_item, &CapacityUse::write_units);
}
Result<TransactGetItemsResponse> CapacityMeter::transact_get_items(const TransactGetItemsRequest& r,
                                                                   DurabilityTicket* t) {
  return measure(r, t, &Api::transact_get_items, &CapacityUse::read_units);
}
Result<TransactWriteItemsResponse> CapacityMeter::transact_write_items(
    const TransactWriteItemsRequest& r, DurabilityTicket* t) {
  return measure(r, t, &Api::transact_write_items, &CapacityUse::write_units);
}

}  // namespace partita::model
