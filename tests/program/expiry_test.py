#!/usr/bin/python3
"""Time to live as a program meets it, through boto3 and with a clock that the test moves."""
import http.client
import os
import subprocess
import sys
import time
import unittest

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import PROGRAM, ServerProcess  # noqa: E402

TABLE = "Sessions"
NOW = 1_900_000_000
SECONDS_MAX = 60


class Expiry(unittest.TestCase):
    def start(self, delay="0", *arguments):
        server = ServerProcess("--in-memory", arguments=("--ttl-delay", delay, *arguments))
        self.addCleanup(server.stop)
        self.port = server.port
        self.database = boto3.client(
            "dynamodb", endpoint_url=server.url, region_name="us-east-1", aws_access_key_id="any",
            aws_secret_access_key="any", config=Config(retries={"max_attempts": 0}))
        self.addCleanup(self.database.close)
        self.clock("freeze", str(NOW))
        self.database.create_table(
            TableName=TABLE, BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                                  for name, kind in (("user", "S"), ("id", "S"), ("size", "N"))],
            KeySchema=[{"AttributeName": "user", "KeyType": "HASH"},
                       {"AttributeName": "id", "KeyType": "RANGE"}],
            LocalSecondaryIndexes=[{
                "IndexName": "by_size", "Projection": {"ProjectionType": "ALL"},
                "KeySchema": [{"AttributeName": "user", "KeyType": "HASH"},
                              {"AttributeName": "size", "KeyType": "RANGE"}]}],
            GlobalSecondaryIndexes=[{
                "IndexName": "by_id", "Projection": {"ProjectionType": "KEYS_ONLY"},
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}])

    def clock(self, action, value=""):
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        client.request("POST", f"/_partita/clock/{action}", value, {"X-Partita-Admin": "1"})
        answer = client.getresponse()
        self.assertEqual(answer.status, 200, answer.read())
        client.close()

    def change(self, enabled, attribute="until"):
        return self.database.update_time_to_live(
            TableName=TABLE,
            TimeToLiveSpecification={"Enabled": enabled, "AttributeName": attribute})

    def describe(self):
        return self.database.describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"]

    def wait_for(self, condition):
        deadline = time.monotonic() + SECONDS_MAX
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def enable(self):
        self.assertEqual(self.change(True)["TimeToLiveSpecification"],
                         {"Enabled": True, "AttributeName": "until"})
        self.wait_for(lambda: self.describe() ==
                      {"TimeToLiveStatus": "ENABLED", "AttributeName": "until"})

    def put(self, number, until):
        self.database.put_item(TableName=TABLE, Item={
            "user": {"S": "ada"}, "id": {"S": str(number)}, "size": {"N": str(number)},
            "until": {"N": str(until)}})

    def ids(self, **where):
        return {item["id"]["S"] for item in self.database.scan(TableName=TABLE, **where)["Items"]}

    def refusal(self, *change):
        with self.assertRaises(ClientError) as raised:
            self.change(*change)
        self.assertEqual(raised.exception.response["Error"]["Code"], "ValidationException")
        return raised.exception.response["Error"]["Message"]

    def test_items_expire_from_the_table_and_its_indexes(self):
        self.start()
        for number in range(20):  # before it is enabled
            self.put(number, NOW + 10 * number)
        self.enable()
        self.put(20, NOW + 200)
        self.clock("advance", "101s")
        self.wait_for(lambda: len(self.ids()) == 10)
        left = {str(number) for number in range(11, 21)}
        self.assertEqual(self.ids(), left)
        self.assertEqual(self.ids(IndexName="by_id"), left)
        self.assertEqual(self.ids(IndexName="by_size"), left)
        self.assertEqual(self.database.describe_table(TableName=TABLE)["Table"]["ItemCount"], 10)

    def test_until_then_an_expired_item_is_read_and_can_be_kept(self):
        self.start("172800")
        self.enable()
        for number in range(3):
            self.put(number, NOW + 10)
        self.clock("advance", "47h")
        self.assertEqual(len(self.ids()), 3)
        self.database.update_item(
            TableName=TABLE, Key={"user": {"S": "ada"}, "id": {"S": "1"}},
            UpdateExpression="SET #u = :later", ExpressionAttributeNames={"#u": "until"},
            ExpressionAttributeValues={":later": {"N": str(NOW + 10**7)}})
        self.clock("advance", "2h")
        self.wait_for(lambda: self.ids() == {"1"})

    def test_one_change_an_hour(self):
        self.start()
        self.assertEqual(self.describe(), {"TimeToLiveStatus": "DISABLED"})
        self.assertEqual(self.refusal(False), "TimeToLive is already disabled")
        self.enable()
        lately = "Time to live has been modified multiple times within a fixed interval"
        self.assertEqual(self.refusal(True), "TimeToLive is already enabled")
        self.assertEqual(self.refusal(False, "other"), "TimeToLive is active on a different "
                         "AttributeName: current AttributeName is until")
        self.assertEqual(self.refusal(False), lately)
        self.clock("advance", "1h")
        self.change(False)
        self.wait_for(lambda: self.describe() == {"TimeToLiveStatus": "DISABLED"})
        self.assertEqual(self.refusal(True, "other"), lately)
        self.put(1, NOW)
        self.clock("advance", "1h")
        self.assertEqual(self.ids(), {"1"})
        self.enable()
        self.wait_for(lambda: not self.ids())

    def test_a_lagging_index_forgets_expired_items_too(self):
        self.start("0", "--index-lag-ms", "1000")
        self.enable_lagging()
        self.put(1, NOW + 100)
        self.clock("advance", "50s")
        self.wait_for(lambda: self.ids(IndexName="by_id") == {"1"})
        self.clock("advance", "51s")
        self.wait_for(lambda: not self.ids())
        self.clock("advance", "2s")
        self.wait_for(lambda: not self.ids(IndexName="by_id"))

    def enable_lagging(self):
        self.change(True)
        self.clock("advance", "2s")
        self.wait_for(lambda: self.describe()["TimeToLiveStatus"] == "ENABLED")

    def test_the_delay_is_at_most_two_days(self):
        done = subprocess.run([PROGRAM, "serve", "--in-memory", "--ttl-delay", "172801"],
                              capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("from 0 to 172800", done.stderr)


if __name__ == "__main__":
    unittest.main()
