// The stock JavaScript SDK's client for DynamoDB Streams against Partita.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-dynamodb-streams";

import { startServer } from "./server.mjs";

for (const engine of ["memory", "rocksdb"]) {
  describe(engine, () => {
    let server, client, streams, arn;

    before(async () => {
      server = await startServer(engine);
      const settings = {
        endpoint: server.url,
        region: "us-east-1",
        credentials: { accessKeyId: "any", secretAccessKey: "any" },
        maxAttempts: 1,
      };
      client = new DynamoDBClient(settings);
      streams = new DynamoDBStreamsClient(settings);
      const created = await client.send(
        new CreateTableCommand({
          TableName: "Songs",
          BillingMode: "PAY_PER_REQUEST",
          AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
          KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
          StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
        }),
      );
      arn = created.TableDescription.LatestStreamArn;
    });

    after(async () => {
      client?.destroy();
      streams?.destroy();
      await server?.stop();
    });

    test("records are read to the end of a stream", async () => {
      for (const n of ["1", "2", "3"]) {
        await client.send(
          new PutItemCommand({ TableName: "Songs", Item: { id: { S: "a" }, n: { N: n } } }),
        );
      }
      const { Streams } = await streams.send(new ListStreamsCommand({ TableName: "Songs" }));
      assert.deepEqual(
        Streams.map((stream) => stream.StreamArn),
        [arn],
      );
      await client.send(
        new UpdateTableCommand({
          TableName: "Songs",
          StreamSpecification: { StreamEnabled: false },
        }),
      );
      const { StreamDescription } = await streams.send(
        new DescribeStreamCommand({ StreamArn: arn }),
      );
      assert.equal(StreamDescription.StreamStatus, "DISABLED");
      const seen = [];
      for (const { ShardId } of StreamDescription.Shards) {
        let { ShardIterator } = await streams.send(
          new GetShardIteratorCommand({
            StreamArn: arn,
            ShardId,
            ShardIteratorType: "TRIM_HORIZON",
          }),
        );
        while (ShardIterator) {
          const page = await streams.send(new GetRecordsCommand({ ShardIterator, Limit: 2 }));
          for (const record of page.Records) {
            assert.ok(record.dynamodb.ApproximateCreationDateTime instanceof Date);
            seen.push([record.eventName, record.dynamodb.NewImage.n.N]);
          }
          ShardIterator = page.NextShardIterator;
        }
      }
      assert.deepEqual(seen, [
        ["INSERT", "1"],
        ["MODIFY", "2"],
        ["MODIFY", "3"],
      ]);
    });

    test("a stream that is not there", async () => {
      await assert.rejects(
        streams.send(new DescribeStreamCommand({ StreamArn: arn + "x" })),
        ResourceNotFoundException,
      );
    });
  });
}
