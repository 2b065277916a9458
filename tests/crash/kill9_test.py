#!/usr/bin/python3
"""kill -9 and SIGTERM under load, then a full comparison with what was acknowledged.

Each worker owns its keys, so what a key may hold after a crash is known exactly: what was last
acknowledged, or what the one request under way would have made of it.
"""
import argparse
import json
import os
import random
import signal
import socket
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import (SIGNATURE, Connection, ScratchDirectory, ServerProcess,  # noqa: E402
                            create_table)
from worker import CrashWorker  # noqa: E402

WORKERS = 16
KEYS_EACH = 40
TABLE = "Ledger"
ROUNDS = 6


class Worker(CrashWorker):
    """Writes to its own keys and remembers what was acknowledged."""

    def __init__(self, number, seed):
        super().__init__()
        self.number = number
        self.random = random.Random(seed * 1000 + number)
        self.acknowledged = {}  # sort key: value, for items that are there
        self.under_way = None  # (sort key, value or None for a deletion)
        self.increments = 0
        self.increment_under_way = False
        self.answers = 0

    def key(self, sort):
        return {"pk": {"S": f"worker {self.number}"}, "sk": {"N": str(sort)}}

    def write(self, connection):
        sort = self.random.randrange(KEYS_EACH)
        kind = self.random.random()
        if kind < 0.1:
            self.increment_under_way = True
            connection.expect("UpdateItem", {
                "TableName": TABLE, "Key": {"pk": {"S": "shared"}, "sk": {"N": "0"}},
                "UpdateExpression": "ADD tally :one",
                "ExpressionAttributeValues": {":one": {"N": "1"}}})
            self.increments += 1
            self.increment_under_way = False
        elif kind < 0.25:
            self.under_way = (sort, None)
            connection.expect("DeleteItem", {"TableName": TABLE, "Key": self.key(sort)})
            self.acknowledged.pop(sort, None)
        else:
            value = self.random.randrange(10**9)
            self.under_way = (sort, value)
            pad = "x" * self.random.choice((0, 10, 300, 3000))
            connection.expect("PutItem", {
                "TableName": TABLE,
                "Item": {**self.key(sort), "value": {"N": str(value)}, "pad": {"S": pad}}})
            self.acknowledged[sort] = value
        self.under_way = None
        self.answers += 1

    def wrong_keys(self, stored):
        """What is stored under a key but neither acknowledged nor under way."""
        for sort in range(KEYS_EACH):
            have = stored.get((f"worker {self.number}", sort))
            allowed = [self.acknowledged.get(sort)]
            if self.under_way and self.under_way[0] == sort:
                allowed.append(self.under_way[1])
            if have not in allowed:
                yield f"worker {self.number} key {sort}: stored {have}, allowed {allowed}"


def number_size(text):
    """Bytes DynamoDB charges for a whole number: one, and one for every two significant digits."""
    return 1 + (len(text.rstrip("0")) + 1) // 2


def item_size(item):
    return sum(len(name) + (len(value["S"]) if "S" in value else number_size(value["N"]))
               for name, value in item.items())


def scan(connection):
    items, start = [], {}
    while True:
        page = connection.expect("Scan", {"TableName": TABLE, "ConsistentRead": True, **start})
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def run_workers(workers, port, seconds, then):
    """Lets the workers write for a while, calls `then`, and waits for them to notice."""
    for worker in workers:
        worker.port = port
        worker.start()
    time.sleep(seconds)
    then()
    for worker in workers:
        worker.stopping.set()
    for worker in workers:
        worker.join(60)


class Crash(unittest.TestCase):
    seed = 0

    def check(self, connection, workers):
        """Compares everything stored with everything acknowledged."""
        for worker in workers:
            if worker.failure:
                raise worker.failure
        items = scan(connection)
        stored = {(item["pk"]["S"], int(item["sk"]["N"])): int(item["value"]["N"])
                  for item in items if "value" in item}
        wrong = [line for worker in workers for line in worker.wrong_keys(stored)]
        self.assertEqual(wrong, [])
        total = sum(int(item["tally"]["N"]) for item in items if "tally" in item)
        least = sum(worker.increments for worker in workers)
        most = least + sum(worker.increment_under_way for worker in workers)
        self.assertGreaterEqual(total, least)
        self.assertLessEqual(total, most)
        described = connection.expect("DescribeTable", {"TableName": TABLE})["Table"]
        self.assertEqual(described["ItemCount"], len(items))
        self.assertEqual(described["TableSizeBytes"], sum(map(item_size, items)))
        return stored, total

    def successors(self, workers, stored, total, round_number):
        """Workers for the next round who know what is stored now."""
        fresh = [Worker(number, self.seed + round_number) for number in range(WORKERS)]
        for worker in fresh:
            worker.acknowledged = {sort: value for (owner, sort), value in stored.items()
                                   if owner == f"worker {worker.number}"}
        fresh[0].increments = total
        self.assertGreater(sum(worker.answers for worker in workers), 0, "nobody wrote anything")
        return fresh

    def rounds(self, number_of_rounds, end):
        """Start, load, `end`, start again, compare; on one directory."""
        print(f"seed {self.seed}", flush=True)
        chance = random.Random(self.seed)
        written = 0
        with ScratchDirectory() as directory:
            server = ServerProcess("--data", directory)
            create_table(Connection(server.port), TABLE, ("pk", "S"), ("sk", "N"))
            workers = [Worker(number, self.seed) for number in range(WORKERS)]
            for round_number in range(1, number_of_rounds + 1):
                run_workers(workers, server.port, chance.uniform(0.3, 1.5), lambda: end(server))
                written += sum(worker.answers for worker in workers)
                server = ServerProcess("--data", directory)
                stored, total = self.check(Connection(server.port), workers)
                workers = self.successors(workers, stored, total, round_number)
            self.assertEqual(server.stop(), 0)
        print(f"{written} acknowledged writes in {number_of_rounds} rounds", flush=True)

    def test_kill_9_under_load_loses_nothing_acknowledged(self):
        self.rounds(ROUNDS, lambda server: server.stop(signal.SIGKILL))

    def test_sigterm_under_load_loses_nothing_and_exits_with_0(self):
        self.rounds(2, lambda server: self.assertEqual(server.stop(signal.SIGTERM), 0))

    def test_sigterm_answers_the_request_it_is_reading(self):
        with ScratchDirectory() as directory:
            server = ServerProcess("--data", directory)
            create_table(Connection(server.port), TABLE, ("pk", "S"))
            body = json.dumps({"TableName": TABLE, "Item": {"pk": {"S": "late"}}}).encode()
            with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
                signature = "".join(f"{name}: {value}\r\n" for name, value in SIGNATURE.items())
                client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n" + signature.encode()
                               + b"X-Amz-Target: DynamoDB_20120810.PutItem\r\nContent-Type: "
                               b"application/x-amz-json-1.0\r\nContent-Length: "
                               + str(len(body)).encode() + b"\r\n\r\n" + body[:10])
                time.sleep(0.2)
                server.process.send_signal(signal.SIGTERM)
                time.sleep(0.2)
                client.sendall(body[10:])
                answer = client.recv(65536)
            self.assertTrue(answer.startswith(b"HTTP/1.1 200"), answer)
            self.assertEqual(server.wait(), 0)
            with ServerProcess("--data", directory) as server:
                self.assertEqual(len(scan(Connection(server.port))), 1)

    def test_a_crash_while_tables_come_and_go(self):
        """Tables whose creation was acknowledged are there, deleted ones are not."""
        with ScratchDirectory() as directory:
            server = ServerProcess("--data", directory)
            connection = Connection(server.port)
            for number in range(30):
                create_table(connection, f"Table{number:02}", ("pk", "S"))
                connection.expect("PutItem", {"TableName": f"Table{number:02}",
                                              "Item": {"pk": {"S": "x"}}})
                if number % 3 == 0:
                    connection.expect("DeleteTable", {"TableName": f"Table{number:02}"})
            server.stop(signal.SIGKILL)
            with ServerProcess("--data", directory) as server:
                connection = Connection(server.port)
                left = [f"Table{number:02}" for number in range(30) if number % 3]
                deadline = time.monotonic() + 10
                while connection.expect("ListTables", {})["TableNames"] != left:
                    self.assertLess(time.monotonic(), deadline, connection.call("ListTables", {}))
                    time.sleep(0.1)
                for name in left:
                    self.assertEqual(connection.expect("Scan", {"TableName": name})["Count"], 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options, rest = parser.parse_known_args()
    ROUNDS, Crash.seed = options.rounds, options.seed
    unittest.main(argv=[sys.argv[0], *rest], warnings="ignore")
