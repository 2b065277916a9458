#!/usr/bin/python3
"""The stock Python SDK's client for DynamoDB Streams, in memory and on disk, with shards that roll."""
import os
import sys
import threading
import unittest

import boto3
from boto3.dynamodb.types import TypeDeserializer
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import ScratchDirectory, ServerProcess  # noqa: E402
from stream_consumer import StreamConsumer  # noqa: E402

ITEMS = 40
VALUES = 25
OPERATIONS = {"DescribeStream": "describe_stream", "GetRecords": "get_records",
              "GetShardIterator": "get_shard_iterator", "ListStreams": "list_streams"}


def session_arguments(url):
    return {"endpoint_url": url, "region_name": "us-east-1", "aws_access_key_id": "any",
            "aws_secret_access_key": "any",
            "config": Config(retries={"max_attempts": 0}, max_pool_connections=16)}


class StreamTests:
    """What both engines are asked; the two classes below say where the data is."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = ScratchDirectory()
        cls.place_of_data = cls.place(cls.scratch.__enter__())
        cls.start()

    @classmethod
    def start(cls):
        cls.server = ServerProcess(*cls.place_of_data, arguments=(
            "--stream-shards", "4", "--stream-roll-ms", "100"))
        cls.client = boto3.client("dynamodb", **session_arguments(cls.server.url))
        cls.streams = boto3.client("dynamodbstreams", **session_arguments(cls.server.url))

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.scratch.__exit__()

    def call(self, operation, request):
        return getattr(self.streams, OPERATIONS[operation])(**request)

    def make_table(self, name, view="NEW_AND_OLD_IMAGES"):
        described = self.client.create_table(
            TableName=name, KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
            StreamSpecification={"StreamEnabled": True, "StreamViewType": view})
        return described["TableDescription"]["LatestStreamArn"]

    def put(self, table, item, value):
        self.client.put_item(TableName=table, Item={"pk": {"S": item}, "n": {"N": str(value)}})

    def test_a_record_has_everything(self):
        arn = self.make_table("Whole")
        self.put("Whole", "a", 1)
        consumer = StreamConsumer(arn)
        consumer.drain(self.call)
        (shard, record), = consumer.records
        self.assertGreaterEqual(len(shard), 28)
        self.assertEqual((record["eventName"], record["eventVersion"], record["eventSource"],
                          record["awsRegion"]), ("INSERT", "1.1", "aws:dynamodb", "us-east-1"))
        self.assertEqual(len(record["eventID"]), 32)
        change = record["dynamodb"]
        self.assertGreaterEqual(len(change["SequenceNumber"]), 21)
        self.assertTrue(change["SequenceNumber"].isdecimal())
        self.assertEqual(change["ApproximateCreationDateTime"].microsecond, 0)
        self.assertEqual(change["StreamViewType"], "NEW_AND_OLD_IMAGES")
        self.assertEqual(change["SizeBytes"], 3 + 3 + 3)
        image = {name: TypeDeserializer().deserialize(value)
                 for name, value in change["NewImage"].items()}
        self.assertEqual(image, {"pk": "a", "n": 1})

    def test_lineage_under_load(self):
        """Writers and a consumer at the same time, while every shard rolls ten times a second."""
        arn = self.make_table("Load")

        def write(worker):
            for value in range(1, VALUES + 1):
                for item in range(worker, ITEMS, 4):
                    self.put("Load", f"item {item}", value)
        writers = [threading.Thread(target=write, args=(worker,)) for worker in range(4)]
        for writer in writers:
            writer.start()
        consumer = StreamConsumer(arn, page=17)
        while any(writer.is_alive() for writer in writers):
            consumer.poll(self.call)
        consumer.drain(self.call)
        seen = {}
        for _, record in consumer.records:
            seen.setdefault(record["dynamodb"]["Keys"]["pk"]["S"], []).append(
                int(record["dynamodb"]["NewImage"]["n"]["N"]))
        self.assertEqual(seen, {f"item {item}": list(range(1, VALUES + 1))
                                for item in range(ITEMS)})
        self.assertGreater(len(consumer.ended), 4, "shards rolled meanwhile")
        shards = list(consumer.parents)
        self.assertEqual(shards, sorted(shards))
        self.assertTrue(any(parent for parent in consumer.parents.values()))

    def test_iterators_outlive_the_server(self):
        if "--in-memory" in self.place_of_data:
            self.skipTest("the data does not")
        arn = self.make_table("Lasting")
        self.put("Lasting", "a", 1)
        consumer = StreamConsumer(arn)
        consumer.drain(self.call)
        self.put("Lasting", "a", 2)
        self.server.stop()
        type(self).start()
        self.put("Lasting", "a", 3)
        consumer.drain(self.call)
        self.assertEqual([record["dynamodb"]["NewImage"]["n"]["N"]
                          for _, record in consumer.records], ["1", "2", "3"])

    def test_errors_have_their_classes(self):
        arn = self.make_table("Wrong")
        with self.assertRaises(self.streams.exceptions.ResourceNotFoundException):
            self.streams.describe_stream(StreamArn=arn[:-1] + "x")
        with self.assertRaises(ClientError) as caught:
            self.streams.get_records(ShardIterator="none of ours")
        self.assertEqual(caught.exception.response["Error"]["Code"], "ValidationException")


class InMemory(StreamTests, unittest.TestCase):
    @staticmethod
    def place(_):
        return ("--in-memory",)


class OnDisk(StreamTests, unittest.TestCase):
    @staticmethod
    def place(directory):
        return ("--data", directory)


if __name__ == "__main__":
    unittest.main()
