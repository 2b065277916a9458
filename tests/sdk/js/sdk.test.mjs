// The stock JavaScript SDK v3 against Partita: the plain client and the document client.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  ResourceNotFoundException,
  paginateScan,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  NumberValue,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  paginateQuery,
} from "@aws-sdk/lib-dynamodb";

import { startServer } from "./server.mjs";

for (const engine of ["memory", "rocksdb"]) {
  describe(engine, () => {
    let server, client, documents;

    before(async () => {
      server = await startServer(engine);
      client = new DynamoDBClient({
        endpoint: server.url,
        region: "us-east-1",
        credentials: { accessKeyId: "any", secretAccessKey: "any" },
        maxAttempts: 1,
      });
      documents = DynamoDBDocumentClient.from(client);
      await client.send(
        new CreateTableCommand({
          TableName: "Songs",
          BillingMode: "PAY_PER_REQUEST",
          AttributeDefinitions: [
            { AttributeName: "artist", AttributeType: "S" },
            { AttributeName: "year", AttributeType: "N" },
          ],
          KeySchema: [
            { AttributeName: "artist", KeyType: "HASH" },
            { AttributeName: "year", KeyType: "RANGE" },
          ],
        }),
      );
      await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName: "Songs" });
    });

    after(async () => {
      client?.destroy();
      await server?.stop();
    });

    test("a table is described, listed and deleted", async () => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: "Songs" }));
      assert.equal(Table.TableStatus, "ACTIVE");
      assert.ok(Table.CreationDateTime instanceof Date);
      assert.ok(Math.abs(Table.CreationDateTime - Date.now()) < 60_000);
      await client.send(
        new CreateTableCommand({
          TableName: "Short",
          BillingMode: "PAY_PER_REQUEST",
          AttributeDefinitions: [{ AttributeName: "k", AttributeType: "B" }],
          KeySchema: [{ AttributeName: "k", KeyType: "HASH" }],
        }),
      );
      assert.deepEqual((await client.send(new ListTablesCommand({}))).TableNames, [
        "Short",
        "Songs",
      ]);
      await client.send(new DeleteTableCommand({ TableName: "Short" }));
      await waitUntilTableNotExists(
        { client, maxWaitTime: 10, minDelay: 1 },
        { TableName: "Short" },
      );
    });

    test("every type comes back", async () => {
      const Item = {
        artist: { S: "types" },
        year: { N: "1" },
        b: { B: new Uint8Array([0, 1, 255]) },
        t: { BOOL: true },
        nil: { NULL: true },
        l: { L: [{ S: "ü" }, { N: "-1.5" }] },
        m: { M: { a: { M: {} } } },
        ss: { SS: ["a", "b"] },
        ns: { NS: ["1", "2"] },
        bs: { BS: [new Uint8Array([1]), new Uint8Array([2])] },
      };
      await client.send(new PutItemCommand({ TableName: "Songs", Item }));
      const got = await client.send(
        new GetItemCommand({ TableName: "Songs", Key: { artist: Item.artist, year: Item.year } }),
      );
      assert.deepEqual(got.Item, Item);
    });

    test("the document client reads what it wrote", async () => {
      const item = { artist: "doc", year: 2, map: { list: [1, "two", null, { deep: true }] } };
      await documents.send(new PutCommand({ TableName: "Songs", Item: item }));
      const got = await documents.send(
        new GetCommand({ TableName: "Songs", Key: { artist: "doc", year: 2 } }),
      );
      assert.deepEqual(got.Item, item);
      const updated = await documents.send(
        new UpdateCommand({
          TableName: "Songs",
          Key: { artist: "doc", year: 2 },
          UpdateExpression: "SET #m.#l[0] = #m.#l[0] + :d, price = :p",
          ExpressionAttributeNames: { "#m": "map", "#l": "list" },
          ExpressionAttributeValues: { ":d": 41, ":p": NumberValue.from("12345678901234567890.5") },
          ReturnValues: "ALL_NEW",
        }),
      ).catch((error) => error);
      // The stock unmarshaller refuses numbers a double cannot hold: the text must arrive exact.
      assert.match(String(updated), /12345678901234567890\.5/);
      await documents.send(
        new DeleteCommand({ TableName: "Songs", Key: { artist: "doc", year: 2 } }),
      );
    });

    test("a failed condition is its own exception and brings the item", async () => {
      await documents.send(
        new PutCommand({ TableName: "Songs", Item: { artist: "c", year: 1, n: 1 } }),
      );
      await assert.rejects(
        documents.send(
          new PutCommand({
            TableName: "Songs",
            Item: { artist: "c", year: 1 },
            ConditionExpression: "attribute_not_exists(artist)",
            ReturnValuesOnConditionCheckFailure: "ALL_OLD",
          }),
        ),
        (error) => {
          assert.ok(error instanceof ConditionalCheckFailedException);
          assert.equal(error.message, "The conditional request failed");
          // Errors are not unmarshalled by the document client.
          assert.deepEqual(error.Item, { artist: { S: "c" }, year: { N: "1" }, n: { N: "1" } });
          return true;
        },
      );
    });

    test("a missing table is its own exception", async () => {
      await assert.rejects(
        client.send(new GetItemCommand({ TableName: "Nowhere", Key: { k: { S: "a" } } })),
        (error) => error instanceof ResourceNotFoundException && error.$metadata.requestId.length > 0,
      );
    });

    test("query and scan go through their pages", async () => {
      await Promise.all(
        Array.from({ length: 25 }, (_, year) =>
          documents.send(new PutCommand({ TableName: "Songs", Item: { artist: "pages", year } })),
        ),
      );
      const years = [];
      for await (const page of paginateQuery(
        { client: documents, pageSize: 10 },
        {
          TableName: "Songs",
          KeyConditionExpression: "artist = :a",
          ExpressionAttributeValues: { ":a": "pages" },
          ScanIndexForward: false,
        },
      )) {
        years.push(...page.Items.map((item) => item.year));
      }
      assert.deepEqual(years, Array.from({ length: 25 }, (_, i) => 24 - i));
      const counted = await documents.send(
        new QueryCommand({
          TableName: "Songs",
          KeyConditionExpression: "artist = :a AND #y BETWEEN :from AND :to",
          ExpressionAttributeNames: { "#y": "year" },
          ExpressionAttributeValues: { ":a": "pages", ":from": 3, ":to": 6 },
          Select: "COUNT",
        }),
      );
      assert.equal(counted.Count, 4);
      const seen = new Set();
      for await (const page of paginateScan({ client, pageSize: 4 }, { TableName: "Songs" })) {
        for (const item of page.Items) seen.add(`${item.artist.S} ${item.year.N}`);
      }
      assert.equal([...seen].filter((name) => name.startsWith("pages ")).length, 25);
    });
  });
}
