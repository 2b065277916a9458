#!/usr/bin/python3
"""kill -9 under load with a consumer running, shards rolling all the time.

Each worker owns its items and writes 1, 2, 3 … to them. What was acknowledged must be in the stream
once and in order, whatever was killed in between; of the one write under way when the server died
nobody knows, but if it happened it is in the stream too. The consumer keeps its iterators across
restarts. What the stream says of an item in the end is what the table holds.
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
from server_process import Connection, ScratchDirectory, ServerProcess  # noqa: E402
from stream_consumer import StreamConsumer  # noqa: E402
from worker import CrashWorker, LOST  # noqa: E402

WORKERS = 8
ITEMS_EACH = 5
TABLE = "Ledger"
ROUNDS = 5
SETTINGS = ("--stream-shards", "4", "--stream-roll-ms", "150")


class Worker(CrashWorker):
    """Writes ascending numbers to its own items, alone, in batches and in transactions."""

    def __init__(self, number, port, seed):
        super().__init__(port)
        self.number = number
        self.random = random.Random(seed * 1000 + number)
        self.acknowledged = {}  # item: last number, or None when it was deleted
        self.next = {}
        self.changes = 0

    def key(self, item):
        return {"pk": {"S": f"{self.number}/{item}"}}

    def put(self, item):
        self.next[item] = self.next.get(item, 0) + 1
        return {**self.key(item), "n": {"N": str(self.next[item])}}

    def write(self, connection):
        kind = self.random.random()
        items = self.random.sample(range(ITEMS_EACH), 2)
        if kind < 0.1:
            connection.expect("DeleteItem", {"TableName": TABLE, "Key": self.key(items[0])})
            self.changes += self.acknowledged.get(items[0]) is not None
            self.acknowledged[items[0]] = None
            return
        if kind < 0.3:
            connection.expect("TransactWriteItems", {"TransactItems": [
                {"Put": {"TableName": TABLE, "Item": self.put(item)}} for item in items]})
        elif kind < 0.5:
            connection.expect("BatchWriteItem", {"RequestItems": {TABLE: [
                {"PutRequest": {"Item": self.put(item)}} for item in items]}})
        else:
            items = items[:1]
            connection.expect("PutItem", {"TableName": TABLE, "Item": self.put(items[0])})
        for item in items:
            self.acknowledged[item] = self.next[item]
            self.changes += 1


class Reader(threading.Thread):
    """Lets the consumer read until the server dies."""

    def __init__(self, consumer, port):
        super().__init__()
        self.consumer = consumer
        self.port = port
        self.failure = None
        self.stopping = threading.Event()

    def run(self):
        connection = Connection(self.port)
        try:
            while not self.stopping.is_set():
                if not self.consumer.poll(connection.expect):
                    time.sleep(0.005)
        except LOST:
            pass
        except RuntimeError as failure:
            self.failure = failure
        finally:
            connection.close()


def history(records):
    """Each item's records in the order of the stream."""
    items = {}
    for _, record in records:
        change = record["dynamodb"]
        items.setdefault(change["Keys"]["pk"]["S"], []).append(record)
    return items


class StreamCrash(unittest.TestCase):
    seed = 0
    rounds = ROUNDS

    def check_item(self, name, records, stored):
        """An unbroken chain: every old image is the new image before it."""
        image, sequence = None, 0
        for record in records:
            change = record["dynamodb"]
            self.assertEqual(change.get("OldImage"), image, f"{name}: something is missing")
            self.assertGreater(int(change["SequenceNumber"]), sequence, name)
            image, sequence = change.get("NewImage"), int(change["SequenceNumber"])
            kind = ("REMOVE" if image is None else
                    "MODIFY" if "OldImage" in change else "INSERT")
            self.assertEqual(record["eventName"], kind)
        self.assertEqual(image, stored.get(name), f"{name}: the stream ends elsewhere")

    def check(self, connection, consumer, workers):
        consumer.drain(connection.expect)
        ids = [record["eventID"] for _, record in consumer.records]
        self.assertEqual(len(ids), len(set(ids)), "something came twice")
        items = history(consumer.records)
        stored = {item["pk"]["S"]: item for item in
                  connection.expect("Scan", {"TableName": TABLE, "ConsistentRead": True})["Items"]}
        for name in set(items) | set(stored):
            self.check_item(name, items.get(name, []), stored)
        for worker in workers:
            if worker.failure:
                raise worker.failure
        self.assertGreaterEqual(len(ids), sum(worker.changes for worker in workers))

    def test_kill_under_load(self):
        with ScratchDirectory() as directory:
            consumer, everyone, numbers = None, [], {}
            for turn in range(self.rounds):
                server = ServerProcess("--data", directory, arguments=SETTINGS)
                connection = Connection(server.port)
                if consumer is None:
                    described = connection.expect("CreateTable", {
                        "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
                        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                        "StreamSpecification": {"StreamEnabled": True,
                                                "StreamViewType": "NEW_AND_OLD_IMAGES"}})
                    consumer = StreamConsumer(described["TableDescription"]["LatestStreamArn"])
                else:
                    self.check(connection, consumer, everyone)
                workers = [Worker(number, server.port, self.seed * 100 + turn)
                           for number in range(WORKERS)]
                for worker in workers:
                    worker.next = numbers.setdefault(worker.number, {})
                    worker.acknowledged = {item: None for item in range(ITEMS_EACH)}
                reader = Reader(consumer, server.port)
                for thread in (*workers, reader):
                    thread.start()
                time.sleep(random.Random(self.seed + turn).uniform(0.7, 1.5))
                server.stop(signal.SIGKILL)
                for thread in (*workers, reader):
                    thread.stopping.set()
                for thread in (*workers, reader):
                    thread.join(60)
                if reader.failure:
                    raise reader.failure
                everyone += workers
                connection.close()
            with ServerProcess("--data", directory, arguments=SETTINGS) as server:
                self.check(Connection(server.port), consumer, everyone)
                self.assertGreater(len(consumer.ended), 8, "shards rolled")
                self.assertTrue(any(consumer.parents.values()), "children have parents")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given, rest = parser.parse_known_args()
    StreamCrash.seed, StreamCrash.rounds = given.seed, given.rounds
    print(f"seed {given.seed}")
    unittest.main(argv=[sys.argv[0], *rest])
