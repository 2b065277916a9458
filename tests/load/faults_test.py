#!/usr/bin/python3
"""What a server runs out of (descriptors, memory, disk), what breaks under it (syncs), and being told
to stop in the middle of it all. It says so, goes on with what it has, and loses nothing it has
acknowledged."""
import http.client
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import (PROGRAM, Connection, ScratchDirectory, ServerProcess,  # noqa: E402
                            create_table)
from load.raw_client import RawClient, Usage, head_of, request_bytes, wait_until  # noqa: E402

TABLE = "Faults"
FAILING_SYNC_LIBRARY = os.path.join(os.path.dirname(PROGRAM), "libfailing_sync.so")
LOST = (OSError, http.client.HTTPException, ValueError)
MB = 1 << 20


def put(connection, name, size=10):
    """The status, or 0 when the connection was lost instead."""
    try:
        return connection.call("PutItem", {
            "TableName": TABLE, "Item": {"pk": {"S": name}, "d": {"S": "x" * size}}})[0]
    except LOST:
        connection.close()
        return 0


def get(connection, name):
    answer = connection.expect("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": name}}})
    return len(answer["Item"]["d"]["S"]) if "Item" in answer else None


def limit(which, value):
    """For ServerProcess(preparation=...)."""
    return lambda: resource.setrlimit(which, (value, value))


def remove_group(path):
    """Whether the control group is still there."""
    try:
        os.rmdir(path)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


class Faults(unittest.TestCase):
    def start(self, *place, **options):
        server = ServerProcess(*place, **options)
        self.addCleanup(server.process.kill)
        return server

    def data_directory(self):
        scratch = ScratchDirectory()
        path = scratch.__enter__()  # pylint: disable=unnecessary-dunder-call
        self.addCleanup(scratch.__exit__)
        return path

    def assert_stored(self, connection, acknowledged):
        """`acknowledged` is {name: size}; the table's own count is that of a scan."""
        for name, size in acknowledged.items():
            self.assertEqual(get(connection, name), size, name)
        count, start = 0, {}
        while True:
            page = connection.expect("Scan", {"TableName": TABLE, "Select": "COUNT", **start})
            count += page["Count"]
            if "LastEvaluatedKey" not in page:
                break
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        described = connection.expect("DescribeTable", {"TableName": TABLE})["Table"]
        self.assertEqual(described["ItemCount"], count)
        self.assertGreaterEqual(count, len(acknowledged))


class Descriptors(Faults):
    def exhaust(self, place, descriptors, work):
        """More clients than descriptors; `work` is done by one of the lucky."""
        server = self.start(*place, preparation=limit(resource.RLIMIT_NOFILE, descriptors))
        usage = Usage(server.process.pid)
        lucky = Connection(server.port)
        create_table(lucky, TABLE, ("pk", "S"))
        clients = [RawClient(server.port) for _ in range(descriptors + 50)]
        request = request_bytes("ListTables", {})
        for client in clients:
            client.send(request)
        self.assertTrue(wait_until(lambda: sum(client.readable() for client in clients) >=
                                   descriptors // 4), "hardly anybody is served")
        work(lucky)
        used = usage.processor_seconds()
        time.sleep(1)
        self.assertLess(usage.processor_seconds() - used, 0.5, "it spins")
        served = [client for client in clients if client.readable()]
        waiting = [client for client in clients if client not in served]
        self.assertGreater(len(waiting), 0, "there were descriptors for everybody")
        for client in served + waiting:  # whose turn comes when others leave
            self.assertEqual(client.receive()[0], 200)
            client.close()
        return server, lucky

    def test_clients_wait_until_descriptors_are_free(self):
        server, lucky = self.exhaust(("--in-memory",), 64,
                                     lambda connection: put(connection, "while full"))
        self.assertEqual(get(lucky, "while full"), 10)
        self.assertEqual(server.stop(), 0)

    def test_the_database_keeps_descriptors_for_its_files(self):
        directory = self.data_directory()
        acknowledged = {}

        def write(connection):  # enough for new logs and tables
            for number in range(160):
                self.assertEqual(put(connection, f"item {number}", 390_000), 200)
                acknowledged[f"item {number}"] = 390_000

        place = ("--data", directory, "--durability", "relaxed")
        server, lucky = self.exhaust(place, 128, write)
        self.assert_stored(lucky, acknowledged)
        self.assertEqual(server.stop(), 0)
        with ServerProcess("--data", directory) as server:
            self.assert_stored(Connection(server.port), acknowledged)


class Memory(Faults):
    def fill(self, server, size, most):
        """Writes until memory is short and for a while longer. Returns what was acknowledged."""
        acknowledged, refusals, client = {}, 0, None
        for first in range(0, most, 20):
            names = [f"item {number}" for number in range(first, first + 20)]
            try:
                client = client or RawClient(server.port)
                client.send(b"".join(request_bytes("PutItem", {
                    "TableName": TABLE, "Item": {"pk": {"S": name}, "d": {"S": "x" * size}}})
                    for name in names))
                for name in names:
                    status = client.receive()[0]
                    self.assertIn(status, (200, 500, 503))
                    if status == 200:
                        acknowledged[name] = size
                    refusals += status != 200
            except LOST:
                client = None
                refusals += 1
            if refusals >= 200:
                break
        self.assertIsNone(server.process.poll(), "the server is gone")
        self.assertGreaterEqual(refusals, 200, "memory did not run out")
        self.assertGreater(len(acknowledged), 10)
        return acknowledged

    def limited(self, *place, more_bytes):
        """A server that may use so much more than it does at its start."""
        os.environ["MALLOC_ARENA_MAX"] = "1"  # an arena takes 64 MB of addresses and uses little
        try:
            server = self.start(*place)
        finally:
            del os.environ["MALLOC_ARENA_MAX"]
        create_table(Connection(server.port), TABLE, ("pk", "S"))
        allowed = Usage(server.process.pid).virtual_bytes() + more_bytes
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (allowed, allowed))
        return server

    def test_a_full_memory_refuses_and_goes_on(self):
        for size in (300, 3_000, 100_000):
            with self.subTest(size=size):
                server = self.limited("--in-memory", more_bytes=8 * MB)
                acknowledged = self.fill(server, size, 60_000_000 // size)
                print(f"{len(acknowledged)} items of {size} bytes", flush=True)
                names = list(acknowledged)
                # On every thread of the server, also one that has had nothing to do before.
                connections = [Connection(server.port) for _ in range(2 * os.cpu_count())]
                for number, name in enumerate(names[::max(1, len(names) // 300)]):
                    self.assertEqual(get(connections[number % len(connections)], name), size)
                connection = connections[0]
                # With room again it writes again.
                for name in names[:len(names) // 2]:
                    status, _ = connection.call("DeleteItem", {"TableName": TABLE,
                                                               "Key": {"pk": {"S": name}}})
                    self.assertEqual(status, 200)
                    del acknowledged[name]
                self.assertTrue(wait_until(lambda: put(connection, "again") == 200, 20))
                self.assert_stored(connection, {
                    **{name: size for name in list(acknowledged)[::50]}, "again": 10})
                server.stop()

    def test_a_control_group_that_is_full_refuses_and_goes_on(self):
        for place in (("--in-memory",), ("--data", self.data_directory(), "--cache-mb", "16")):
            with self.subTest(place=place[0]):
                join, killed = self.control_group(160 * MB)
                server = self.start(*place, preparation=join)
                connection = Connection(server.port)
                create_table(connection, TABLE, ("pk", "S"))
                if place[0] == "--data":  # has the disk for what memory does not hold
                    for number in range(1500):
                        self.assertEqual(put(connection, f"item {number}", 300_000), 200)
                    self.assertEqual(get(connection, "item 0"), 300_000)
                else:
                    acknowledged = self.fill(server, 100_000, 3000)
                    print(f"{len(acknowledged)} items of 100000 bytes", flush=True)
                    self.assertGreater(len(acknowledged), 700)
                    connection = Connection(server.port)
                    self.assertEqual(get(connection, "item 0"), 100_000)
                    for name in list(acknowledged)[:400]:
                        connection.expect("DeleteItem", {"TableName": TABLE,
                                                         "Key": {"pk": {"S": name}}})
                    self.assertTrue(wait_until(lambda: put(connection, "again") == 200, 20))
                self.assertEqual(killed(), 0)
                self.assertEqual(server.stop(), 0)

    def control_group(self, memory_bytes):
        """A function that puts the calling process into a new group with so much memory, and one that
        tells how many processes the kernel has killed there."""
        versions = (("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.oom_control"),
                    ("/sys/fs/cgroup", "memory.max", "memory.events"))
        for top, limit_file, kills_file in versions:
            group = os.path.join(top, f"partita-test-{os.getpid()}-{time.monotonic_ns()}")
            try:
                os.mkdir(group)
            except OSError:
                continue
            self.addCleanup(lambda: wait_until(lambda: not remove_group(group), 10))
            try:
                with open(os.path.join(group, limit_file), "w", encoding="ascii") as file:
                    file.write(str(memory_bytes))
            except OSError:
                continue

            def join():
                with open(os.path.join(group, "cgroup.procs"), "w", encoding="ascii") as file:
                    file.write(str(os.getpid()))

            def killed():
                with open(os.path.join(group, kills_file), encoding="ascii") as file:
                    return sum(int(line.split()[1]) for line in file
                               if line.startswith("oom_kill "))

            return join, killed
        return self.skipTest("control groups with a limit of memory cannot be made here")

    def test_requests_too_large_for_the_memory_left_harm_nobody_else(self):
        server = self.limited("--in-memory", more_bytes=60 * MB)
        connection = Connection(server.port)
        self.assertEqual(put(connection, "small"), 200)
        large = [RawClient(server.port) for _ in range(30)]
        for client in large:  # 450 MB in all
            try:
                client.send(head_of("PutItem", "Content-Length: 16000000") + b" " * 15_000_000)
            except OSError:
                pass  # it was closed on us
        self.assertEqual(get(connection, "small"), 10)
        for client in large:
            client.reset()
        self.assertTrue(wait_until(lambda: put(connection, "after", 300_000) == 200, 20))
        self.assertEqual(server.stop(), 0)

    def test_a_durable_server_short_of_memory_loses_nothing(self):
        directory = self.data_directory()
        server = self.limited("--data", directory, more_bytes=30 * MB)
        acknowledged = self.fill(server, 200_000, 400)
        print(f"{len(acknowledged)} items of 200000 bytes", flush=True)
        self.assertEqual(get(Connection(server.port), "item 0"), 200_000)
        server.stop(signal.SIGKILL)
        with ServerProcess("--data", directory) as server:
            self.assert_stored(Connection(server.port), acknowledged)


class Disk(Faults):
    def test_a_full_disk_that_becomes_free_again(self):
        if os.geteuid() != 0:
            self.skipTest("a small disk is mounted by root only")
        disk = self.data_directory()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk],
                                 check=False, capture_output=True)
        if mounted.returncode != 0:
            self.skipTest(f"cannot mount: {mounted.stderr}")
        self.addCleanup(subprocess.run, ["umount", disk], check=False)
        directory = os.path.join(disk, "data")
        server = self.start("--data", directory)
        connection = Connection(server.port)
        create_table(connection, TABLE, ("pk", "S"))
        ballast = os.path.join(disk, "ballast")
        acknowledged = {}
        for round_number in range(3):
            with open(ballast, "wb") as file:
                file.write(b"x" * 12 * MB)
                try:
                    for _ in range(200):
                        file.write(b"x" * 65536)
                        file.flush()
                except OSError:
                    pass
                left = os.statvfs(disk)
                file.truncate(max(0, file.tell() - MB + left.f_bavail * left.f_bsize))
            statuses = []
            for number in range(30):  # 3 MB
                name = f"round {round_number} item {number}"
                status = put(connection, name, 100_000)
                statuses.append(status)
                if status == 200:
                    acknowledged[name] = 100_000
            self.assertIn(503, statuses, "the disk did not fill up")
            self.assertLessEqual(set(statuses), {200, 500, 503})
            self.assertEqual(get(connection, next(iter(acknowledged))), 100_000)  # reads go on
            os.remove(ballast)
            self.assertTrue(wait_until(lambda: put(connection, "free", 10) == 200, 30),
                            "it does not notice that there is room again")
            acknowledged["free"] = 10
        self.assert_stored(connection, acknowledged)
        server.stop(signal.SIGKILL)
        with ServerProcess("--data", directory) as server:
            self.assert_stored(Connection(server.port), acknowledged)

    def test_a_failed_sync_makes_it_read_only_until_the_next_start(self):
        directory = self.data_directory()
        broken = os.path.join(self.data_directory(), "broken")
        os.environ.update({"LD_PRELOAD": FAILING_SYNC_LIBRARY, "FAILING_SYNC": broken})
        try:
            server = self.start("--data", directory)
        finally:
            del os.environ["LD_PRELOAD"]
        connection = Connection(server.port)
        create_table(connection, TABLE, ("pk", "S"))
        acknowledged = {}
        for number in range(20):
            self.assertEqual(put(connection, f"item {number}"), 200)
            acknowledged[f"item {number}"] = 10
        with open(broken, "w", encoding="ascii"):
            pass
        self.assertEqual(put(connection, "uncertain"), 500, "an answer although the sync failed")
        os.remove(broken)  # too late: nobody knows what is on the disk
        for number in range(3):
            status, answer = connection.call("PutItem", {
                "TableName": TABLE, "Item": {"pk": {"S": f"refused {number}"}}})
            self.assertEqual(status, 500)
            self.assertIn("read-only", answer["message"])
        self.assertEqual(get(connection, "item 0"), 10)
        for number in range(3):
            self.assertIsNone(get(connection, f"refused {number}"))
        self.assertEqual(server.stop(), 0)
        with ServerProcess("--data", directory) as server:
            connection = Connection(server.port)
            self.assert_stored(connection, acknowledged)
            self.assertEqual(put(connection, "later"), 200)


class Stopping(Faults):
    def test_sigterm_under_load_with_every_kind_of_client_connected(self):
        directory = self.data_directory()
        server = self.start("--data", directory)
        port = server.port
        create_table(Connection(port), TABLE, ("pk", "S"))
        acknowledged, failures = {}, []

        def write(worker):
            connection = Connection(port)
            number = 0
            while True:
                name = f"worker {worker} {number}"
                status = put(connection, name, 500)
                if status == 0:
                    return
                if status != 200:
                    failures.append(status)
                    return
                acknowledged[name] = 500
                number += 1

        idle = [RawClient(port) for _ in range(500)]
        for client in idle[:100]:
            client.send(request_bytes("ListTables", {}))
        half = [RawClient(port) for _ in range(20)]
        for client in half:
            client.send(head_of("PutItem", "Content-Length: 1000") + b"{")
        workers = [threading.Thread(target=write, args=(number,)) for number in range(16)]
        for worker in workers:
            worker.start()
        self.assertTrue(wait_until(lambda: len(acknowledged) > 300))
        stalled = [RawClient(port, receive_buffer=4096) for _ in range(20)]
        for client in stalled:
            client.send(request_bytes("Scan", {"TableName": TABLE}) * 300)
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(60), 0)  # far more than it may take: ten seconds
        for worker in workers:
            worker.join(60)
        self.assertEqual(failures, [], "an error in place of an answer or a closed connection")
        with ServerProcess("--data", directory) as server:
            self.assert_stored(Connection(server.port), acknowledged)
        print(f"{len(acknowledged)} acknowledged writes", flush=True)

    def test_a_request_in_a_dying_server_is_answered_or_its_connection_closed(self):
        """No client is left hanging: after SIGTERM each gets its whole answer, or the end."""
        server = self.start("--in-memory")
        create_table(Connection(server.port), TABLE, ("pk", "S"))
        clients = [RawClient(server.port) for _ in range(200)]
        request = request_bytes("PutItem", {"TableName": TABLE, "Item": {"pk": {"S": "x"}}})
        for number, client in enumerate(clients):
            client.send(request[:len(request) if number % 2 else 20])
        server.process.send_signal(signal.SIGTERM)
        for number, client in enumerate(clients):
            try:
                if number % 2 == 0:
                    client.send(request[20:])
                status, body = client.receive()
            except LOST:
                self.assertEqual(client.received, b"", "half an answer")
                continue
            self.assertEqual((status, json.loads(body)), (200, {}))
        self.assertEqual(server.wait(60), 0)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
