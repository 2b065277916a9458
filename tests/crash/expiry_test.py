#!/usr/bin/python3
"""kill -9 while time to live is enabled on a full table, while items expire, and while it is disabled.

Whatever moment the server dies at: what has expired goes, nothing else does, and an index never
tells of an item that is not there.
"""
import argparse
import http.client
import os
import random
import signal
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection, ScratchDirectory, ServerProcess  # noqa: E402

TABLE = "Sessions"
ITEMS = 3000
SECONDS_MAX = 120
ROUNDS = 4
HOUR = 3600


class Machine:
    """A server that is killed and started again, and its clock."""

    def __init__(self, directory):
        self.place = ("--data", directory, "--durability", "relaxed")
        self.start()

    def start(self):
        self.server = ServerProcess(*self.place, arguments=("--ttl-delay", "0"))
        self.connection = Connection(self.server.port)

    def kill(self):
        self.connection.close()
        self.server.stop(signal.SIGKILL)
        self.start()

    def advance(self, seconds):
        client = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        client.request("POST", "/_partita/clock/advance", f"{seconds}s", {"X-Partita-Admin": "1"})
        answer = client.getresponse()
        if answer.status != 200:
            raise AssertionError(answer.read())
        client.close()

    def change(self, enabled):
        self.connection.expect("UpdateTimeToLive", {
            "TableName": TABLE,
            "TimeToLiveSpecification": {"Enabled": enabled, "AttributeName": "until"}})

    def status(self):
        answer = self.connection.expect("DescribeTimeToLive", {"TableName": TABLE})
        return answer["TimeToLiveDescription"]["TimeToLiveStatus"]

    def ids(self, **where):
        found, start = set(), {}
        while True:
            page = self.connection.expect("Scan", {"TableName": TABLE, **where, **start})
            found |= {item["id"]["S"] for item in page["Items"]}
            if "LastEvaluatedKey" not in page:
                return found
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def count(self):
        return self.connection.expect("DescribeTable", {"TableName": TABLE})["Table"]["ItemCount"]


def create(connection):
    connection.expect("CreateTable", {
        "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"}
                                 for name in ("id", "user")],
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "GlobalSecondaryIndexes": [{
            "IndexName": "by_user", "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [{"AttributeName": "user", "KeyType": "HASH"}]}]})


def fill(connection, prefix, until):
    """`until(number)` is when an item expires, or None."""
    for first in range(0, ITEMS, 25):
        requests = []
        for number in range(first, first + 25):
            item = {"id": {"S": f"{prefix}{number}"}, "user": {"S": str(number % 7)}}
            if until(number) is not None:
                item["until"] = {"N": str(until(number))}
            requests.append({"PutRequest": {"Item": item}})
        connection.expect("BatchWriteItem", {"RequestItems": {TABLE: requests}})


class Expiry(unittest.TestCase):
    seed = 0

    def wait_for(self, what, condition):
        deadline = time.monotonic() + SECONDS_MAX
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.02)

    def check(self, machine, expected):
        """In the end exactly these items are there, in the table, its index and its count."""
        self.wait_for("what has expired goes", lambda: machine.count() <= len(expected))
        self.assertEqual(machine.ids(), expected)
        self.assertEqual(machine.ids(IndexName="by_user"), expected)
        self.assertEqual(machine.count(), len(expected))

    def test_the_server_dies_while_items_expire(self):
        chance = random.Random(self.seed)
        print(f"seed {self.seed}", flush=True)
        now = int(time.time())
        partly = 0
        with ScratchDirectory() as directory:
            machine = Machine(directory)
            create(machine.connection)
            kept = {f"old{number}" for number in range(0, ITEMS, 2)}
            fill(machine.connection, "old", lambda number: now - 1000 if number % 2 else None)
            machine.change(True)
            time.sleep(chance.uniform(0, 0.3))  # the table is being filled in
            machine.kill()
            self.check(machine, kept)
            self.assertEqual(machine.status(), "ENABLED")
            for number in range(ROUNDS):
                fill(machine.connection, f"new{number}-", lambda _: now + 10 * HOUR)
                machine.advance(20 * HOUR)
                time.sleep(chance.uniform(0, 0.15))  # items expire
                machine.kill()  # the clock is back, and nothing more expires
                left = machine.ids()
                self.assertTrue(kept <= left)
                partly += 0 < len(left - kept) < ITEMS
                self.assertEqual(machine.ids(IndexName="by_user"), left)
                self.assertEqual(machine.count(), len(left))
                machine.advance(20 * HOUR)
                self.check(machine, kept)
                machine.advance(-20 * HOUR)
            machine.advance(2 * HOUR)
            machine.change(False)
            machine.kill()
            self.wait_for("DISABLED", lambda: machine.status() == "DISABLED")
            fill(machine.connection, "last", lambda _: now - 1000)
            machine.kill()
            self.check(machine, kept | {f"last{number}" for number in range(ITEMS)})
            self.assertEqual(machine.server.stop(), 0)
        print(f"{partly} of {ROUNDS} deaths in the middle of a sweep", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    given, rest = parser.parse_known_args()
    ROUNDS, Expiry.seed = given.rounds, given.seed
    unittest.main(argv=[sys.argv[0], *rest])
