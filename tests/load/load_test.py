#!/usr/bin/python3
"""Many clients and bad ones: the server goes on serving the others, in bounded memory."""
import json
import os
import resource
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection, ServerProcess, create_table  # noqa: E402
from load.raw_client import (RawClient, Usage, chunked_bytes, head_of, request_bytes,  # noqa: E402
                             wait_until)

TABLE = "Load"
IDLE_CONNECTIONS = 10_000
KB, MB = 1 << 10, 1 << 20
IDLE_CONNECTION_BYTES_MAX = 8 * KB  # of the server's memory, whatever went over it before


def item(number, size=100):
    return {"pk": {"S": f"item {number}"}, "d": {"S": "x" * size}}


def put(number, size=100):
    return request_bytes("PutItem", {"TableName": TABLE, "Item": item(number, size)})


def get(number):
    return request_bytes("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": f"item {number}"}}})


SCAN = request_bytes("Scan", {"TableName": TABLE})


class Load(unittest.TestCase):
    def setUp(self):
        self.server = ServerProcess("--in-memory")
        self.addCleanup(self.server.stop)
        self.port = self.server.port
        self.usage = Usage(self.server.process.pid)
        create_table(Connection(self.port), TABLE, ("pk", "S"))
        self.connect_and(put(0))

    def connect(self, **options):
        client = RawClient(self.port, **options)
        self.addCleanup(client.close)
        return client

    def connect_and(self, data, status=200):
        """A client that has sent something and got an answer."""
        client = self.connect()
        client.send(data)
        self.assertEqual(client.receive()[0], status)
        return client

    def assert_others_are_served(self, rounds=20):
        client = self.connect()
        for _ in range(rounds):
            client.send(get(0))
            self.assertEqual(client.receive()[0], 200)
        client.close()

    def assert_memory_within(self, before, more_bytes_max):
        more = self.usage.resident_bytes() - before
        print(f"{more / MB:.1f} MB more, {more_bytes_max / MB:.0f} MB allowed", flush=True)
        self.assertLessEqual(more, more_bytes_max)

    def test_ten_thousand_idle_connections_with_load_beside_them(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        count = min(IDLE_CONNECTIONS, hard - 500)
        if count < IDLE_CONNECTIONS:
            print(f"only {count} connections: there may be no more than {hard} descriptors")
        before = self.usage.resident_bytes()
        # Each has used its buffers before it falls idle: 40 KB in and out.
        clients = []
        for number in range(count):
            client = self.connect()
            client.send(put(number % 100, 40_000) + get(number % 100))
            clients.append(client)
            if len(clients) % 50 == 0:
                for waiting in clients[-50:]:
                    self.assertEqual([waiting.receive()[0], waiting.receive()[0]], [200, 200])
        self.load_beside()
        # Most of the memory comes back once they have been idle for a moment.
        allowed = count * IDLE_CONNECTION_BYTES_MAX + 100 * 50_000
        wait_until(lambda: self.usage.resident_bytes() - before <= allowed, 20)
        self.assert_memory_within(before, allowed)

        used = self.usage.processor_seconds()
        time.sleep(1)
        self.assertLess(self.usage.processor_seconds() - used, 0.3, "idle connections cost work")
        for client in clients[::97]:
            client.send(get(0))
            self.assertEqual(client.receive()[0], 200)
        descriptors = self.usage.descriptors()
        for client in clients:
            client.close()
        self.assertTrue(wait_until(lambda: self.usage.descriptors() <= descriptors - count))

    def load_beside(self):
        failures = []

        def work(worker):
            connection = Connection(self.port)
            try:
                for number in range(200):
                    key = f"worker {worker} {number % 20}"
                    connection.expect("PutItem", {"TableName": TABLE, "Item": {"pk": {"S": key}}})
                    connection.expect("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": key}}})
            except Exception as failure:  # pylint: disable=broad-except
                failures.append(failure)

        workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(120)
        self.assertEqual(failures, [])

    def test_slow_requests_are_ended_and_stop_nobody(self):
        """Heads and bodies that drip, a byte now and then, for longer than the server is patient."""
        heads = [self.connect() for _ in range(100)]
        bodies = [self.connect() for _ in range(100)]
        for client in heads:
            client.send(b"POST / HTTP/1.1\r\nHost: h\r\n")
        for client in bodies:
            client.send(head_of("PutItem", "Content-Length: 1000"))
        ended = 0
        end = time.monotonic() + 60
        while ended < len(heads):
            self.assertLess(time.monotonic(), end, "slow heads are waited for forever")
            ended = 0
            for client in heads:
                if client.readable():
                    ended += 1
                else:
                    client.send(b"a: b\r\n")
            self.assert_others_are_served(1)
            time.sleep(0.2)
        for client in heads:
            self.assertEqual(client.receive()[0], 408)
        # A body has more time; these are still welcome to finish.
        body = json.dumps({"TableName": TABLE, "Item": item("slow")}).encode().ljust(1000)
        for client in bodies[:10]:
            for byte in body:
                client.send(bytes([byte]))
            self.assertEqual(client.receive()[0], 200)

    def test_clients_that_never_read_cost_bounded_memory(self):
        for number in range(40):
            self.connect_and(put(number, 100_000)).close()
        before = self.usage.resident_bytes()
        stalled = [self.connect(receive_buffer=4096) for _ in range(30)]
        for client in stalled:  # each asks for 200 MB
            client.send(SCAN * 200)
        self.assert_others_are_served(100)
        # One page of 1 MB beyond the limit on what is unsent, and room to grow the buffer.
        self.assert_memory_within(before, len(stalled) * 5 * MB)
        for client in stalled[::2]:
            client.reset()
        slow = stalled[1]
        for _ in range(20):  # who does read gets all of it
            status, body = slow.receive()
            self.assertEqual(status, 200)
            self.assertGreater(len(body), MB)
        self.assert_others_are_served()

    def test_pipelining_floods_are_answered_in_order_and_in_bounded_memory(self):
        before = self.usage.resident_bytes()
        requests = 3000
        clients = [self.connect() for _ in range(10)]

        def flood(client, number):
            client.send(b"".join(put(f"{number} {i}") if i % 2 else get(0)
                                 for i in range(requests)))

        senders = [threading.Thread(target=flood, args=(client, number))
                   for number, client in enumerate(clients)]
        for sender in senders:
            sender.start()
        self.assert_others_are_served(50)
        self.assert_memory_within(before, len(clients) * 4 * MB + 20 * MB)
        for client in clients:
            for i in range(requests):
                status, body = client.receive()
                self.assertEqual(status, 200)
                self.assertEqual(body == b"{}", i % 2 == 1, "answers out of order")
        for sender in senders:
            sender.join(60)

    def test_bodies_a_byte_at_a_time(self):
        whole = put("bytes", 3000)
        chunked = chunked_bytes("PutItem", {"TableName": TABLE, "Item": item("chunks", 3000)}, 1)
        clients = [self.connect() for _ in range(8)]
        for position in range(len(chunked)):
            for number, client in enumerate(clients):
                data = chunked if number % 2 else whole
                if position < len(data):
                    client.send(data[position:position + 1])
        for client in clients:
            self.assertEqual(client.receive()[0], 200)
        for name in ("bytes", "chunks"):
            client = self.connect_and(get(name))
            client.send(get(name))
            self.assertEqual(json.loads(client.receive()[1])["Item"], item(name, 3000))

    def test_resets_and_half_open_connections_leave_nothing_behind(self):
        self.assert_others_are_served()
        descriptors = self.usage.descriptors()
        data = put("half") + get(0)
        for length in range(0, len(data), 3):
            for end in ("reset", "close", "half"):
                client = RawClient(self.port)
                client.send(data[:length])
                if end == "half":
                    client.socket.shutdown(1)
                    while client.socket.recv(65536):
                        pass
                if end == "reset":
                    client.reset()
                client.close()
        # Those who vanish with answers on the way.
        for _ in range(100):
            client = RawClient(self.port, receive_buffer=4096)
            client.send(SCAN * 50)
            client.reset()
        self.assert_others_are_served()
        self.assertTrue(wait_until(lambda: self.usage.descriptors() <= descriptors),
                        f"{self.usage.descriptors()} descriptors, {descriptors} before")

    def test_oversize_heads_and_bodies_are_refused_before_they_are_stored(self):
        before = self.usage.resident_bytes()
        for length in ("Content-Length: 16777217", "Content-Length: 99999999999999999999"):
            client = self.connect()
            client.send(head_of("PutItem", length))
            self.assertIn(client.receive()[0], (400, 413))
            self.assertTrue(client.at_end())
        for _ in range(50):
            client = self.connect()
            client.send(b"GET / HTTP/1.1\r\nHost: h\r\nA: " + b"x" * 40_000)
            self.assertEqual(client.receive()[0], 400)
        # What is announced takes no memory, only what arrives.
        waiting = [self.connect() for _ in range(100)]
        for client in waiting:
            client.send(head_of("PutItem", "Content-Length: 16777216") + b"{" + b" " * 100_000)
        chunked = self.connect()
        chunked.send(head_of("PutItem", "Transfer-Encoding: chunked") + b"1000000\r\n")
        self.assert_others_are_served(50)
        self.assert_memory_within(before, len(waiting) * 400 * KB + 10 * MB)
        chunked.send(b" " * 16 * MB + b"\r\n1\r\n")
        self.assertEqual(chunked.receive()[0], 413)

    def test_connections_opened_and_closed_in_a_hurry(self):
        for _ in range(3000):
            client = RawClient(self.port)
            client.close()
        clients = [self.connect() for _ in range(500)]  # more than one turn of accepting
        for client in clients:
            client.send(get(0))
        for client in clients:
            self.assertEqual(client.receive()[0], 200)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
