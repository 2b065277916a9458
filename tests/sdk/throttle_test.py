#!/usr/bin/python3
"""What the stock Python SDK sees of a server that throttles.

A table of one unit a second that is asked for a hundred at once stays in debt for more than a
minute, so nothing here depends on how fast the machine is. What the installed SDK is too old to know
of goes over plain HTTP.
"""
import os
import re
import sys
import time
import unittest
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection, ServerProcess  # noqa: E402

LARGE = {"pk": {"S": "large"}, "payload": {"S": "x" * 100_000}}
SMALL = {"pk": {"S": "small"}, "group": {"S": "all"}}
TABLE_MESSAGE = ("The level of configured provisioned throughput for the table was exceeded. Consider increasing "
                 "your provisioning level with the UpdateTable API.")
MAXIMUM_MESSAGE = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"


class Throttling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = ServerProcess("--in-memory", arguments=("--throttle",))
        cls.client = cls.client_with(attempts=1)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    @classmethod
    def client_with(cls, attempts):
        return boto3.client("dynamodb", endpoint_url=cls.server.url, region_name="us-east-1",
                            aws_access_key_id="any", aws_secret_access_key="any",
                            config=Config(retries={"total_max_attempts": attempts,
                                                   "mode": "standard"}))

    def make_table(self, name, **throughput):
        self.client.create_table(
            TableName=name, KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}], **throughput)
        return self.client.describe_table(TableName=name)["Table"]["TableArn"]

    def make_slow_table(self, name):
        """In debt for writes."""
        arn = self.make_table(name, ProvisionedThroughput={"ReadCapacityUnits": 1000,
                                                           "WriteCapacityUnits": 1})
        self.client.put_item(TableName=name, Item=LARGE)
        return arn

    def make_fast_table(self, name):
        return self.make_table(name, ProvisionedThroughput={"ReadCapacityUnits": 1000,
                                                            "WriteCapacityUnits": 1000})

    def raw(self, operation, **request):
        connection = Connection(self.server.port)
        try:
            return connection.call(operation, request)
        finally:
            connection.close()

    def refused(self, call, **arguments):
        with self.assertRaises(ClientError) as caught:
            call(**arguments)
        return caught.exception.response

    def test_a_provisioned_table(self):
        arn = self.make_slow_table("Provisioned")
        with self.assertRaises(self.client.exceptions.ProvisionedThroughputExceededException) as caught:
            self.client.put_item(TableName="Provisioned", Item=SMALL)
        response = caught.exception.response
        self.assertEqual(response["Error"]["Message"], TABLE_MESSAGE)
        self.assertEqual(response["ResponseMetadata"]["HTTPStatusCode"], 400)
        self.assertEqual(self.raw("PutItem", TableName="Provisioned", Item=SMALL), (400, {
            "__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
            "message": TABLE_MESSAGE, "ThrottlingReasons": [
                {"reason": "TableWriteProvisionedThroughputExceeded", "resource": arn}]}))
        self.assertIn("Item", self.client.get_item(TableName="Provisioned", Key={"pk": LARGE["pk"]}))

    def test_a_table_on_demand_with_a_maximum(self):
        status, created = self.raw(
            "CreateTable", TableName="OnDemand", BillingMode="PAY_PER_REQUEST",
            OnDemandThroughput={"MaxWriteRequestUnits": 1},
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        self.assertEqual(status, 200, created)
        arn = created["TableDescription"]["TableArn"]
        self.client.put_item(TableName="OnDemand", Item=LARGE)
        response = self.refused(self.client.put_item, TableName="OnDemand", Item=SMALL)
        self.assertEqual(response["Error"], {"Code": "ThrottlingException", "Message": MAXIMUM_MESSAGE})
        _, answer = self.raw("PutItem", TableName="OnDemand", Item=SMALL)
        self.assertEqual(answer["ThrottlingReasons"], [
            {"reason": "TableWriteMaxOnDemandThroughputExceeded", "resource": arn}])

    def test_the_sdk_tries_again(self):
        self.make_slow_table("Retried")
        response = self.refused(self.client_with(attempts=3).put_item, TableName="Retried", Item=SMALL)
        self.assertEqual(response["ResponseMetadata"]["RetryAttempts"], 2)

    def test_the_sdk_gets_through(self):
        """A debt of a few seconds is over before the SDK gives up."""
        self.make_table("Brief", ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
        self.client.put_item(TableName="Brief", Item={"pk": {"S": "x"}, "payload": {"S": "x" * 2000}})
        began = time.monotonic()
        self.client_with(attempts=20).put_item(TableName="Brief", Item=SMALL)
        self.assertLess(time.monotonic() - began, 60)

    def test_batches(self):
        self.make_slow_table("BatchSlow")
        self.make_fast_table("BatchFast")
        put = [{"PutRequest": {"Item": SMALL}}]
        answer = self.client.batch_write_item(RequestItems={"BatchSlow": put, "BatchFast": put})
        self.assertEqual(answer["UnprocessedItems"], {"BatchSlow": put})
        response = self.refused(self.client.batch_write_item, RequestItems={"BatchSlow": put})
        self.assertEqual(response["Error"]["Code"], "ProvisionedThroughputExceededException")

    def test_transactions(self):
        self.make_slow_table("TransactSlow")
        self.make_fast_table("TransactFast")
        response = self.refused(self.client.transact_write_items, TransactItems=[
            {"Put": {"TableName": table, "Item": SMALL}} for table in ("TransactFast", "TransactSlow")])
        self.assertEqual(response["Error"]["Code"], "TransactionCanceledException")
        self.assertEqual(response["CancellationReasons"], [
            {"Code": "None"}, {"Code": "ProvisionedThroughputExceeded", "Message": TABLE_MESSAGE}])
        self.assertNotIn("Item", self.client.get_item(TableName="TransactFast", Key={"pk": SMALL["pk"]}))

    def test_metrics_count(self):
        self.make_slow_table("Counted")
        self.refused(self.client.put_item, TableName="Counted", Item=SMALL)
        with urllib.request.urlopen(self.server.url + "/metrics") as page:
            text = page.read().decode()
        count = re.search(r"^partita_throttled_table_write_provisioned_throughput (\d+)", text, re.M)
        self.assertGreaterEqual(int(count.group(1)), 1)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
