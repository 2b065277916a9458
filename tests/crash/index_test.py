#!/usr/bin/python3
"""kill -9 while global indexes are built, dropped, and follow their table.

Whatever moment the server dies at, in the end each index holds exactly the entries its table's
items ask for: no more, no less, none outdated, and its counts say so.
"""
import argparse
import os
import random
import signal
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection, ScratchDirectory, ServerProcess, create_table  # noqa: E402
from worker import LOST  # noqa: E402

TABLE = "Things"
ITEMS = 4000  # more than a table may have that is filled without saying so
WRITERS = 4
SECONDS_MAX = 120
ROUNDS = 4


def index_creation(name):
    return {"TableName": TABLE, "AttributeDefinitions": [
        {"AttributeName": "colour", "AttributeType": "S"}, {"AttributeName": "size", "AttributeType": "N"}],
        "GlobalSecondaryIndexUpdates": [{"Create": {
            "IndexName": name, "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "colour", "KeyType": "HASH"},
                          {"AttributeName": "size", "KeyType": "RANGE"}]}}]}


def index_deletion(name):
    return {"TableName": TABLE, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": name}}]}


def random_item(chance, number):
    """Now and then without a key of the index."""
    item = {"pk": {"S": f"thing {number}"}, "stamp": {"N": str(chance.randrange(10**9))}}
    if chance.random() < 0.9:
        item["colour"] = {"S": chance.choice(("red", "green", "blue"))}
    if chance.random() < 0.9:
        item["size"] = {"N": str(chance.randrange(20))}
    return item


class Writer(threading.Thread):
    """Changes items in every way there is until the server is gone."""

    def __init__(self, port, seed):
        super().__init__()
        self.port, self.chance = port, random.Random(seed)
        self.stopping = threading.Event()
        self.answers = 0

    def run(self):
        connection = Connection(self.port)
        try:
            while not self.stopping.is_set():
                connection.call(*self.request())
                self.answers += 1
        except LOST:
            pass
        finally:
            connection.close()

    def request(self):
        kind = self.chance.random()
        numbers = self.chance.sample(range(ITEMS), 3)
        keys = [{"pk": {"S": f"thing {number}"}} for number in numbers]
        items = [random_item(self.chance, number) for number in numbers]
        if kind < 0.15:
            return "DeleteItem", {"TableName": TABLE, "Key": keys[0]}
        if kind < 0.3:  # moves the entry
            return "UpdateItem", {"TableName": TABLE, "Key": keys[0],
                                  "UpdateExpression": "SET colour = :c ADD size :one",
                                  "ExpressionAttributeValues": {":c": {"S": "yellow"},
                                                                ":one": {"N": "1"}}}
        if kind < 0.45:
            return "BatchWriteItem", {"RequestItems": {TABLE: [
                {"PutRequest": {"Item": items[0]}}, {"DeleteRequest": {"Key": keys[1]}},
                {"PutRequest": {"Item": items[2]}}]}}
        if kind < 0.6:
            return "TransactWriteItems", {"TransactItems": [
                {"Put": {"TableName": TABLE, "Item": items[0]}},
                {"Put": {"TableName": TABLE, "Item": items[1]}},
                {"Delete": {"TableName": TABLE, "Key": keys[2]}}]}
        return "PutItem", {"TableName": TABLE, "Item": items[0]}


def scan(connection, **where):
    items, start = [], {}
    while True:
        page = connection.expect("Scan", {"TableName": TABLE, **where, **start})
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def has_entry(item):
    """Are both keys there, and such that they can be keys?"""
    return 0 < len(item.get("colour", {}).get("S", "")) <= 2048 and "N" in item.get("size", {})


def in_order(items):
    return sorted(items, key=lambda item: item["pk"]["S"])


class Indexes(unittest.TestCase):
    seed = 0

    def settled(self, connection):
        """The table's description once no index comes or goes any more."""
        deadline = time.monotonic() + SECONDS_MAX
        while True:
            table = connection.expect("DescribeTable", {"TableName": TABLE})["Table"]
            indexes = table.get("GlobalSecondaryIndexes", [])
            if table["TableStatus"] == "ACTIVE" and all(
                    index["IndexStatus"] == "ACTIVE" for index in indexes):
                return table
            self.assertLess(time.monotonic(), deadline, table)
            time.sleep(0.02)

    def check(self, connection):
        """Each index against its table, as soon as it has caught up."""
        table = self.settled(connection)
        items = scan(connection, ConsistentRead=True)
        expected = in_order(filter(has_entry, items))
        self.assertEqual(table["ItemCount"], len(items))
        deadline = time.monotonic() + SECONDS_MAX
        for index in table.get("GlobalSecondaryIndexes", []):
            name = index["IndexName"]
            while in_order(scan(connection, IndexName=name)) != expected:
                self.assertLess(time.monotonic(), deadline, f"{name} differs from the table")
                time.sleep(0.05)
        table = connection.expect("DescribeTable", {"TableName": TABLE})["Table"]
        for index in table.get("GlobalSecondaryIndexes", []):
            self.assertEqual(index["ItemCount"], len(expected))
        return [index["IndexName"] for index in table.get("GlobalSecondaryIndexes", [])]

    def fill(self, connection):
        chance = random.Random(self.seed)
        for number in range(ITEMS):
            connection.expect("PutItem", {"TableName": TABLE, "Item": random_item(chance, number)})
        for number, odd in enumerate(({"colour": {"S": ""}, "size": {"N": "1"}},
                                      {"colour": {"S": "red"}, "size": {"S": "large"}},
                                      {"colour": {"S": "x" * 2049}, "size": {"N": "1"}})):
            connection.expect("PutItem", {"TableName": TABLE,
                                          "Item": {"pk": {"S": f"odd {number}"}, **odd}})

    def rounds(self, *modes):
        """Indexes come and go under load; the server dies at a random moment, again and again.

        The server of round n is started with the arguments modes[n % len(modes)].
        """
        chance = random.Random(self.seed)
        print(f"seed {self.seed}", flush=True)
        written = 0
        with ScratchDirectory() as directory:
            place = ("--data", directory, "--durability", "relaxed")
            server = ServerProcess(*place, arguments=modes[0])
            connection = Connection(server.port)
            create_table(connection, TABLE, ("pk", "S"))
            self.fill(connection)
            names = []
            for number in range(1, ROUNDS + 1):
                writers = [Writer(server.port, self.seed * 100 + number * 10 + i)
                           for i in range(WRITERS)]
                for writer in writers:
                    writer.start()
                if names and number % 2 == 0:
                    connection.expect("UpdateTable", index_deletion(chance.choice(names)))
                else:
                    connection.expect("UpdateTable", index_creation(f"index{number}"))
                time.sleep(chance.uniform(0, 0.4))
                server.stop(signal.SIGKILL)
                for writer in writers:
                    writer.stopping.set()
                    writer.join(60)
                    written += writer.answers
                server = ServerProcess(*place, arguments=modes[number % len(modes)])
                connection = Connection(server.port)
                names = self.check(connection)
            self.assertEqual(server.stop(), 0)
        self.assertGreater(written, 0)
        print(f"{written} writes in {ROUNDS} rounds", flush=True)

    def catch_backfilling(self, connection):
        """Creates indexes until one was seen backfilling."""
        for number in range(50):
            name = f"caught{number}"
            connection.expect("UpdateTable", index_creation(name))
            while True:
                table = connection.expect("DescribeTable", {"TableName": TABLE})["Table"]
                index = table["GlobalSecondaryIndexes"][0]
                if index.get("Backfilling"):
                    return name
                if index["IndexStatus"] == "ACTIVE":
                    break
            connection.expect("UpdateTable", index_deletion(name))
            self.settled(connection)
        return self.fail("no index was seen backfilling")

    def test_killed_in_the_middle_of_a_backfill(self):
        with ScratchDirectory() as directory:
            place = ("--data", directory, "--durability", "relaxed")
            server = ServerProcess(*place)
            connection = Connection(server.port)
            create_table(connection, TABLE, ("pk", "S"))
            self.fill(connection)
            name = self.catch_backfilling(connection)
            status, answer = connection.call("Scan", {"TableName": TABLE, "IndexName": name})
            if status != 200:
                self.assertEqual(answer["message"], "Cannot read from backfilling global secondary "
                                                    f"index: {name}")
            server.stop(signal.SIGKILL)
            with ServerProcess(*place) as server:
                self.assertEqual(self.check(Connection(server.port)), [name])

    def test_indexes_in_the_items_commit(self):
        self.rounds(())

    def test_indexes_that_follow(self):
        self.rounds(("--index-lag-ms", "30"))

    def test_one_way_and_the_other_in_turn(self):
        self.rounds(("--index-lag-ms", "100"), ())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options, rest = parser.parse_known_args()
    ROUNDS, Indexes.seed = options.rounds, options.seed
    unittest.main(argv=[sys.argv[0], *rest], warnings="ignore")
