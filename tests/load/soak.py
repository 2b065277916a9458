#!/usr/bin/python3
"""Mixed load for a long time; the server must not grow (./test --soak).

All operations, tables that come and go, connections that come and go, bad requests and clients that
vanish, against a memory and a RocksDB server at once. Every few seconds what each server uses is
noted. The amount of live data is held steady, so memory, descriptors, threads and the size of the
data directory must level off: the last quarter is compared with the second (the first warms up).
"""
import argparse
import os
import random
import statistics
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection, ScratchDirectory, ServerProcess  # noqa: E402
from load.raw_client import RawClient, Usage, request_bytes  # noqa: E402

WORKERS = 4  # for each server
KEYS = 4000  # for each worker
MB = 1 << 20
TABLE = "Soak"
PEOPLE = {"AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind}
                                   for name, kind in (("pk", "S"), ("sk", "N"), ("town", "S"))],
          "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                        {"AttributeName": "sk", "KeyType": "RANGE"}],
          "BillingMode": "PAY_PER_REQUEST",
          "LocalSecondaryIndexes": [{
              "IndexName": "by-town", "Projection": {"ProjectionType": "ALL"},
              "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                            {"AttributeName": "town", "KeyType": "RANGE"}]}]}

# What may differ between the second and the last quarter and still be level: a share, and an amount.
TOLERANCE = {"memory MB": (0.10, 12), "descriptors": (0.0, 12), "threads": (0.0, 2),
             "disk MB": (0.5, 100), "CPU us": (0.5, 50)}
CACHE_MB = 32  # full within minutes; by default it would go on growing for the better part of an hour
# RocksDB fills its write buffers and cache before it levels off; below this it may grow.
FREE_UP_TO = {"memory": {}, "rocksdb": {"memory MB": 250, "disk MB": 300}}


class Worker(threading.Thread):
    """Does one thing after another at random; remembers how long each took."""

    def __init__(self, port, number, seed):
        super().__init__(daemon=True)
        self.port = port
        self.number = number
        self.random = random.Random(seed + number)
        self.connection = Connection(port)
        self.stopping = threading.Event()
        self.seconds = []
        self.operations = 0
        self.failure = None

    def run(self):
        actions = [(30, self.put), (25, self.get), (15, self.update), (8, self.delete),
                   (8, self.query), (2, self.scan), (1, self.table), (4, self.bad_request),
                   (2, self.reconnect), (1, self.vanish), (2, self.condition)]
        kinds, weights = [action for _, action in actions], [weight for weight, _ in actions]
        try:
            while not self.stopping.is_set():
                action = self.random.choices(kinds, weights)[0]
                started = time.monotonic()
                action()
                self.seconds.append(time.monotonic() - started)
                self.operations += 1
        except Exception as failure:  # pylint: disable=broad-except
            self.failure = failure

    def key(self, number=None):
        number = self.random.randrange(KEYS) if number is None else number
        return {"pk": {"S": f"worker {self.number} {number // 50}"}, "sk": {"N": str(number % 50)}}

    def expect(self, operation, request, status=200):
        got, answer = self.connection.call(operation, {"TableName": TABLE, **request})
        if got != status:
            raise RuntimeError(f"{operation}: {got} {answer}")
        return answer

    def put(self):
        size = self.random.choice((10, 100, 100, 400, 2000))
        self.expect("PutItem", {"Item": {
            **self.key(), "d": {"S": "x" * size}, "n": {"N": str(self.random.randrange(10**9))},
            "town": {"S": self.random.choice(("Ulm", "Bonn", "Trier"))}}})

    def get(self):
        self.expect("GetItem", {"Key": self.key(), "ConsistentRead": self.random.random() < 0.5})

    def update(self):
        self.expect("UpdateItem", {
            "Key": self.key(), "UpdateExpression": "SET n = if_not_exists(n, :one) + :one REMOVE e",
            "ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValues": "ALL_NEW"})

    def delete(self):
        self.expect("DeleteItem", {"Key": self.key(), "ReturnValues": "ALL_OLD"})

    def condition(self):
        self.expect("PutItem", {"Item": self.key(), "ConditionExpression": "n = :no",
                                "ExpressionAttributeValues": {":no": {"S": "never"}}}, 400)

    def query(self):
        request = {"KeyConditionExpression": "pk = :pk", "Limit": 20,
                   "FilterExpression": "n > :n",
                   "ExpressionAttributeValues": {":pk": self.key()["pk"], ":n": {"N": "1000"}}}
        if self.random.random() < 0.5:
            request["IndexName"] = "by-town"
        page = self.expect("Query", request)
        if "LastEvaluatedKey" in page:
            self.expect("Query", {**request, "ExclusiveStartKey": page["LastEvaluatedKey"]})

    def scan(self):
        self.expect("Scan", {"Limit": 200, "TotalSegments": 8,
                             "Segment": self.random.randrange(8)})

    def table(self):
        name = f"Passing{self.number}"
        self.connection.expect("CreateTable", {"TableName": name, **PEOPLE})
        for number in range(20):
            self.connection.expect("PutItem", {"TableName": name, "Item": {
                "pk": {"S": "x"}, "sk": {"N": str(number)}, "d": {"S": "x" * 5000}}})
        self.connection.expect("DescribeTable", {"TableName": name})
        self.connection.expect("DeleteTable", {"TableName": name})
        while name in self.connection.expect("ListTables", {})["TableNames"]:
            time.sleep(0.02)

    def bad_request(self):
        kind = self.random.randrange(4)
        if kind == 0:
            self.expect("GetItem", {"Key": {"wrong": {"S": "key"}}}, 400)
        elif kind == 1:  # a new text each time: a cache of expressions must not grow with them
            text = f"attribute_exists(a{self.random.randrange(10**9)}) AND ("
            self.expect("PutItem", {"Item": self.key(), "ConditionExpression": text}, 400)
        elif kind == 2:
            name = f"a{self.random.randrange(10**9)}"
            self.expect("GetItem", {"Key": self.key(), "ProjectionExpression": name})
        else:
            client = RawClient(self.port)
            client.send(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n")
            if client.receive()[0] != 400:
                raise RuntimeError("a malformed request was not refused")
            client.close()

    def reconnect(self):
        self.connection.close()
        self.connection = Connection(self.port)

    def vanish(self):
        client = RawClient(self.port)
        client.send(request_bytes("Scan", {"TableName": TABLE}) * 3 + b"POST / HT")
        client.reset()


class Watched:
    """A server under load, and what it used so far."""

    def __init__(self, name, place, seed):
        self.name = name
        cache = ("--cache-mb", str(CACHE_MB)) if place[0] == "--data" else ()
        self.server = ServerProcess(*place, arguments=cache)
        self.usage = Usage(self.server.process.pid)
        self.processor_seconds = self.operations = 0
        self.directory = place[1] if place[0] == "--data" else None
        Connection(self.server.port).expect("CreateTable", {"TableName": TABLE, **PEOPLE})
        self.workers = [Worker(self.server.port, number, seed) for number in range(WORKERS)]
        self.samples = []
        self.preload()

    def preload(self):
        """All the items there will ever be, so that live data does not grow."""
        client = RawClient(self.server.port)
        for worker in self.workers:
            for first in range(0, KEYS, 100):
                client.send(b"".join(request_bytes("PutItem", {
                    "TableName": TABLE, "Item": {**worker.key(number), "d": {"S": "x" * 500}}})
                    for number in range(first, first + 100)))
                for _ in range(100):
                    if client.receive()[0] != 200:
                        raise RuntimeError("the data cannot be loaded")
        client.close()

    def sample(self):
        values = {"memory MB": self.usage.resident_bytes() / MB,
                  "descriptors": self.usage.descriptors(), "threads": self.usage.threads()}
        if self.directory:
            values["disk MB"] = directory_bytes(self.directory) / MB
        # What an operation costs, not how long it takes: others use the machine too.
        used, done = self.usage.processor_seconds(), sum(one.operations for one in self.workers)
        if done > self.operations:
            values["CPU us"] = (used - self.processor_seconds) * 1e6 / (done - self.operations)
        self.processor_seconds, self.operations = used, done
        seconds = [worker.seconds for worker in self.workers]
        for worker in self.workers:
            worker.seconds = []
        took = sorted(second for one in seconds for second in one)
        if took:
            values["p50 ms"] = took[len(took) // 2] * 1000
            values["p99 ms"] = took[len(took) * 99 // 100] * 1000
        self.samples.append(values)
        print(f"{self.name:8}", "  ".join(f"{name} {value:.1f}" for name, value in values.items()),
              flush=True)

    def live_bytes(self):
        """By the table's own count."""
        described = Connection(self.server.port).expect("DescribeTable", {"TableName": TABLE})
        return described["Table"]["TableSizeBytes"]

    def failures(self):
        for worker in self.workers:
            if worker.failure:
                yield f"worker {worker.number}: {worker.failure!r}"
        if self.server.process.poll() is not None:
            yield f"the server ended with {self.server.process.poll()}"
        quarter = len(self.samples) // 4
        for name, (share, amount) in TOLERANCE.items():
            if name not in self.samples[0] or quarter == 0:
                continue
            values = [sample[name] for sample in self.samples if name in sample]
            second = statistics.median(values[quarter:2 * quarter])
            last = statistics.median(values[-quarter:])
            print(f"{self.name:8} {name}: second quarter {second:.1f}, last {last:.1f}")
            free = FREE_UP_TO[self.name].get(name, 0)
            if last > max(second * (1 + share) + amount, free):
                yield f"{name} grows: {second:.1f} in the second quarter, {last:.1f} in the last"


def directory_bytes(path):
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                total += os.stat(os.path.join(folder, name)).st_blocks * 512
            except FileNotFoundError:
                pass  # deleted meanwhile
    return total


def soak(minutes, seed):
    interval = min(15.0, minutes * 60 / 24)
    with ScratchDirectory() as directory:
        watched = [Watched("memory", ("--in-memory",), seed),
                   Watched("rocksdb", ("--data", directory), seed + 1000)]
        for one in watched:
            for worker in one.workers:
                worker.start()
        end = time.monotonic() + minutes * 60
        while time.monotonic() < end and all(worker.is_alive() for one in watched
                                             for worker in one.workers):
            time.sleep(interval)
            for one in watched:
                one.sample()
        for one in watched:
            for worker in one.workers:
                worker.stopping.set()
            for worker in one.workers:
                worker.join(60)
        failures = []
        for one in watched:
            operations = sum(worker.operations for worker in one.workers)
            print(f"{one.name}: {operations} operations, {one.live_bytes() / MB:.1f} MB live data")
            failures += [f"{one.name}: {failure}" for failure in one.failures()]
            code = one.server.stop()
            if code != 0:
                failures.append(f"{one.name}: exit code {code}")
    for failure in failures:
        print("FAILED:", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    sys.exit(soak(arguments.minutes, arguments.seed))
