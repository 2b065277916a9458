#!/usr/bin/python3
"""The stock Python SDK against Partita, in memory and on disk."""
import concurrent.futures
import os
import sys
import unittest
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import ScratchDirectory, ServerProcess  # noqa: E402

CLIENTS = 64
INCREMENTS_EACH = 10


def session_arguments(url):
    return {"endpoint_url": url, "region_name": "us-east-1", "aws_access_key_id": "any",
            "aws_secret_access_key": "any",
            "config": Config(retries={"max_attempts": 0}, max_pool_connections=CLIENTS)}


class Boto3Tests:
    """What both engines are asked; the two classes below say where the data is."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = ScratchDirectory()
        cls.server = ServerProcess(*cls.place(cls.scratch.__enter__()))
        cls.client = boto3.client("dynamodb", **session_arguments(cls.server.url))
        cls.resource = boto3.resource("dynamodb", **session_arguments(cls.server.url))

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.scratch.__exit__()

    def make_table(self, name, sort_type=None):
        keys, definitions = [{"AttributeName": "pk", "KeyType": "HASH"}], [("pk", "S")]
        if sort_type:
            keys.append({"AttributeName": "sk", "KeyType": "RANGE"})
            definitions.append(("sk", sort_type))
        self.client.create_table(
            TableName=name, KeySchema=keys, BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": kind}
                                  for key, kind in definitions])
        self.client.get_waiter("table_exists").wait(
            TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 10})
        self.addCleanup(self.client.delete_table, TableName=name)
        return self.resource.Table(name)

    def test_a_table_lives_and_dies(self):
        self.client.create_table(
            TableName="Short", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        self.assertIn("Short", self.client.list_tables()["TableNames"])
        table = self.resource.Table("Short")
        self.assertEqual(table.table_status, "ACTIVE")
        self.assertEqual(table.key_schema, [{"AttributeName": "pk", "KeyType": "HASH"}])
        with self.assertRaises(self.client.exceptions.ResourceInUseException):
            self.client.create_table(
                TableName="Short", BillingMode="PAY_PER_REQUEST",
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        table.delete()
        self.client.get_waiter("table_not_exists").wait(
            TableName="Short", WaiterConfig={"Delay": 1, "MaxAttempts": 10})
        with self.assertRaises(self.client.exceptions.ResourceNotFoundException):
            self.client.describe_table(TableName="Short")

    def test_every_type_comes_back(self):
        table = self.make_table("Types")
        item = {"pk": "all", "text": "grüße 🎵", "empty": "", "integer": Decimal(42),
                "decimal": Decimal("-0.000123456789012345678901234567890123456"), "yes": True,
                "no": False, "nothing": None, "binary": Binary(bytes(range(256))),
                "list": [Decimal(1), "two", [None]], "map": {"a": {"b": Decimal("1.5")}},
                "strings": {"b", "a"}, "numbers": {Decimal(1), Decimal("2.5")},
                "binaries": {Binary(b"\x00"), Binary(b"\xff")}}
        table.put_item(Item=item)
        self.assertEqual(table.get_item(Key={"pk": "all"}, ConsistentRead=True)["Item"], item)
        self.assertNotIn("Item", table.get_item(Key={"pk": "none"}))

    def test_conditions_and_their_error(self):
        table = self.make_table("Conditions")
        table.put_item(Item={"pk": "a", "n": 1}, ConditionExpression=Attr("pk").not_exists())
        with self.assertRaises(self.client.exceptions.ConditionalCheckFailedException) as raised:
            table.put_item(Item={"pk": "a"}, ConditionExpression=Attr("n").gt(5))
        self.assertEqual(raised.exception.response["Error"]["Message"],
                         "The conditional request failed")
        self.assertEqual(raised.exception.response["ResponseMetadata"]["HTTPStatusCode"], 400)
        table.delete_item(Key={"pk": "a"}, ConditionExpression=Attr("n").between(1, 2))
        self.assertNotIn("Item", table.get_item(Key={"pk": "a"}))

    def test_updates_return_what_was_asked(self):
        table = self.make_table("Updates")
        answer = table.update_item(
            Key={"pk": "a"}, UpdateExpression="SET #n = if_not_exists(#n, :zero) + :d ADD tags :t",
            ExpressionAttributeNames={"#n": "count"}, ReturnValues="ALL_NEW",
            ExpressionAttributeValues={":zero": 0, ":d": Decimal("1.5"), ":t": {"x"}})
        self.assertEqual(answer["Attributes"], {"pk": "a", "count": Decimal("1.5"), "tags": {"x"}})
        old = table.delete_item(Key={"pk": "a"}, ReturnValues="ALL_OLD",
                                ReturnConsumedCapacity="TOTAL")
        self.assertEqual(old["Attributes"]["count"], Decimal("1.5"))
        self.assertEqual(old["ConsumedCapacity"], {"TableName": "Updates", "CapacityUnits": 1.0})

    def test_query_with_conditions_pages_and_filter(self):
        table = self.make_table("Queries", "N")
        for number in range(25):
            table.put_item(Item={"pk": "p", "sk": number, "even": number % 2 == 0})
        page = table.query(KeyConditionExpression=Key("pk").eq("p") & Key("sk").between(5, 9),
                           ScanIndexForward=False)
        self.assertEqual([item["sk"] for item in page["Items"]], [9, 8, 7, 6, 5])
        pages = list(self.client.get_paginator("query").paginate(
            TableName="Queries", KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "p"}}, PaginationConfig={"PageSize": 10}))
        self.assertEqual([page["Count"] for page in pages], [10, 10, 5])
        even = table.query(KeyConditionExpression=Key("pk").eq("p"), Select="COUNT",
                           FilterExpression=Attr("even").eq(True))
        self.assertEqual((even["Count"], even["ScannedCount"]), (13, 25))

    def test_scan_whole_and_in_segments(self):
        table = self.make_table("Scans")
        for number in range(60):
            table.put_item(Item={"pk": f"k{number}", "n": number})
        expected = {f"k{number}" for number in range(60)}
        seen = [item["pk"]["S"] for page in self.client.get_paginator("scan").paginate(
            TableName="Scans", PaginationConfig={"PageSize": 7}) for item in page["Items"]]
        self.assertEqual(sorted(seen), sorted(expected))
        seen = [item["pk"] for segment in range(4)
                for item in table.scan(Segment=segment, TotalSegments=4)["Items"]]
        self.assertEqual(sorted(seen), sorted(expected))

    def test_validation_errors_are_client_errors(self):
        self.make_table("Errors")
        with self.assertRaises(ClientError) as raised:
            self.client.put_item(TableName="Errors", Item={"pk": {"N": "1"}})
        self.assertEqual(raised.exception.response["Error"]["Code"], "ValidationException")
        self.assertIn("Type mismatch for key pk", str(raised.exception))
        self.assertTrue(raised.exception.response["ResponseMetadata"]["RequestId"])

    def test_a_large_item_travels_both_ways(self):
        table = self.make_table("Large")
        text = "é" * 200_000
        table.put_item(Item={"pk": "big", "text": text})
        self.assertEqual(table.get_item(Key={"pk": "big"})["Item"]["text"], text)

    def test_a_batch_beyond_16_mb_leaves_keys_for_another_call(self):
        table = self.make_table("LargeBatch")
        keys = [{"pk": f"large {number}"} for number in range(45)]
        for key in keys:
            table.put_item(Item={**key, "payload": "x" * 390_000})
        client = table.meta.client
        first = client.batch_get_item(RequestItems={table.name: {"Keys": keys}})
        self.assertEqual(len(first["Responses"][table.name]), 43)  # the most that 16 MB hold
        self.assertEqual(len(first["UnprocessedKeys"][table.name]["Keys"]), 2)
        rest = client.batch_get_item(RequestItems=first["UnprocessedKeys"])
        found = first["Responses"][table.name] + rest["Responses"][table.name]
        self.assertEqual({item["pk"] for item in found}, {key["pk"] for key in keys})
        self.assertEqual(rest["UnprocessedKeys"], {})

    def test_a_counter_incremented_by_many_clients_is_exact(self):
        self.make_table("Counter")

        def increment(_):
            for _ in range(INCREMENTS_EACH):
                self.client.update_item(
                    TableName="Counter", Key={"pk": {"S": "c"}}, UpdateExpression="ADD n :one",
                    ExpressionAttributeValues={":one": {"N": "1"}})

        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(increment, range(CLIENTS)))
        item = self.client.get_item(TableName="Counter", Key={"pk": {"S": "c"}},
                                    ConsistentRead=True)["Item"]
        self.assertEqual(item["n"], {"N": str(CLIENTS * INCREMENTS_EACH)})


class TableDelay(unittest.TestCase):
    """With --table-delay-ms tables come and go slowly, as they do on AWS."""

    def test_waiters_wait(self):
        with ServerProcess("--in-memory", arguments=("--table-delay-ms", "700")) as server:
            client = boto3.client("dynamodb", **session_arguments(server.url))
            created = client.create_table(
                TableName="Slow", BillingMode="PAY_PER_REQUEST",
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
            self.assertEqual(created["TableDescription"]["TableStatus"], "CREATING")
            with self.assertRaises(client.exceptions.ResourceNotFoundException):
                client.put_item(TableName="Slow", Item={"pk": {"S": "early"}})
            wait = {"Delay": 1, "MaxAttempts": 10}
            client.get_waiter("table_exists").wait(TableName="Slow", WaiterConfig=wait)
            client.put_item(TableName="Slow", Item={"pk": {"S": "a"}})
            deleted = client.delete_table(TableName="Slow")
            self.assertEqual(deleted["TableDescription"]["TableStatus"], "DELETING")
            self.assertEqual(client.describe_table(TableName="Slow")["Table"]["TableStatus"],
                             "DELETING")
            with self.assertRaises(client.exceptions.ResourceInUseException):
                client.delete_table(TableName="Slow")
            client.get_waiter("table_not_exists").wait(TableName="Slow", WaiterConfig=wait)
            self.assertEqual(client.list_tables()["TableNames"], [])


class InMemory(Boto3Tests, unittest.TestCase):
    @staticmethod
    def place(_):
        return ("--in-memory",)


class OnDisk(Boto3Tests, unittest.TestCase):
    @staticmethod
    def place(directory):
        return ("--data", os.path.join(directory, "data"))

    def test_data_is_there_after_a_restart(self):
        with ScratchDirectory() as directory:
            with ServerProcess("--data", directory) as server:
                client = boto3.client("dynamodb", **session_arguments(server.url))
                client.create_table(
                    TableName="Kept", BillingMode="PAY_PER_REQUEST",
                    KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                    AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
                client.put_item(TableName="Kept", Item={"pk": {"S": "a"}, "n": {"N": "1"}})
            with ServerProcess("--data", directory) as server:
                client = boto3.client("dynamodb", **session_arguments(server.url))
                answer = client.get_item(TableName="Kept", Key={"pk": {"S": "a"}})
                self.assertEqual(answer["Item"], {"pk": {"S": "a"}, "n": {"N": "1"}})

    def test_a_transaction_repeated_after_a_restart_happens_once(self):
        def add(client, number):
            client.transact_write_items(ClientRequestToken="once", TransactItems=[{"Update": {
                "TableName": "Tokens", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :n",
                "ExpressionAttributeValues": {":n": {"N": str(number)}}}}])

        with ScratchDirectory() as directory:
            with ServerProcess("--data", directory) as server:
                client = boto3.client("dynamodb", **session_arguments(server.url))
                client.create_table(
                    TableName="Tokens", BillingMode="PAY_PER_REQUEST",
                    KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                    AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
                add(client, 5)
            with ServerProcess("--data", directory) as server:
                client = boto3.client("dynamodb", **session_arguments(server.url))
                add(client, 5)
                answer = client.get_item(TableName="Tokens", Key={"pk": {"S": "a"}},
                                         ConsistentRead=True)
                self.assertEqual(answer["Item"]["n"], {"N": "5"})
                with self.assertRaises(client.exceptions.IdempotentParameterMismatchException):
                    add(client, 6)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
