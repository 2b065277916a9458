// Operations on tables and about the service: request → catalog → description.
#pragma once

#include "partita/requests/account.h"
#include "partita/requests/backups.h"
#include "partita/requests/tables.h"
#include "partita/requests/tags.h"
#include "partita/requests/time_to_live.h"
#include "partita/result.h"

#include "operations/operation_context.h"

namespace partita {

Result<TableDescription> create_table(const OperationContext& context,
                                      const CreateTableRequest& request);
Result<TableDescription> describe_table(const OperationContext& context,
                                        const DescribeTableRequest& request);
Result<TableDescription> update_table(const OperationContext& context,
                                      const UpdateTableRequest& request);
Result<TableDescription> delete_table(const OperationContext& context,
                                      const DeleteTableRequest& request);
Result<ListTablesResponse> list_tables(const OperationContext& context,
                                       const ListTablesRequest& request);
Result<TagResourceResponse> tag_resource(const OperationContext& context,
                                         const TagResourceRequest& request);
Result<UntagResourceResponse> untag_resource(const OperationContext& context,
                                             const UntagResourceRequest& request);
Result<ListTagsOfResourceResponse> list_tags_of_resource(const OperationContext& context,
                                                         const ListTagsOfResourceRequest& request);
Result<DescribeLimitsResponse> describe_limits(const OperationContext& context,
                                               const DescribeLimitsRequest& request);
Result<DescribeEndpointsResponse> describe_endpoints(const OperationContext& context,
                                                     const DescribeEndpointsRequest& request);
Result<UpdateTimeToLiveResponse> update_time_to_live(const OperationContext& context,
                                                     const UpdateTimeToLiveRequest& request);
Result<TimeToLiveDescription> describe_time_to_live(const OperationContext& context,
                                                    const DescribeTimeToLiveRequest& request);
Result<ContinuousBackupsDescription> describe_continuous_backups(
    const OperationContext& context, const DescribeContinuousBackupsRequest& request);

}  // namespace partita
