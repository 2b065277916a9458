#!/usr/bin/python3
"""User instructions for one GetItem and one PutItem over HTTP, in memory, items of 1 KB.

The server runs twice under callgrind with different numbers of requests; the difference in
instructions divided by the difference in requests is the cost of one. Two clients take turns, so
that a request is always waiting: what a server does while it waits for one is not work. Counts
hardly vary between runs, so they are the gate; wall-clock times only inform.
"""
import glob
import json
import os
import re
import socket
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection, ScratchDirectory, ServerProcess, create_table  # noqa: E402

FEW, MANY = 500, 2500
INSTRUCTIONS_MAX = {"GetItem": 15_000, "PutItem": 20_000}
KEYS = 50


def item(number):
    """About 1 KB in 12 attributes."""
    attributes = {f"attribute{index:02}": {"S": "x" * 80} for index in range(10)}
    return {"pk": {"S": f"key {number % KEYS:04}"}, "n": {"N": str(number)}, **attributes}


def http_request(operation, body):
    text = json.dumps(body).encode()
    return (f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n"
            f"Content-Type: application/x-amz-json-1.0\r\nContent-Length: {len(text)}\r\n\r\n"
            ).encode() + text


def read_answer(client):
    """One answer, which must be a 200."""
    buffer = b""
    while b"\r\n\r\n" not in buffer:
        buffer += client.recv(65536)
    head, body = buffer.split(b"\r\n\r\n", 1)
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(head)
    length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
    while len(body) < length:
        body += client.recv(65536)


def instructions(operation, count, arguments):
    """All user instructions of a server that answers `count` requests, and its start and end."""
    with ScratchDirectory() as directory:
        out = os.path.join(directory, "callgrind.out")
        server = ServerProcess("--in-memory", arguments=("--threads", "1", *arguments), wrapper=(
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"))
        connection = Connection(server.port)
        create_table(connection, "Work", ("pk", "S"))
        for number in range(KEYS):
            connection.expect("PutItem", {"TableName": "Work", "Item": item(number)})
        connection.close()
        clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(2)]
        for number in range(count):
            body = {"TableName": "Work"}
            if operation == "GetItem":
                body["Key"] = {"pk": item(number)["pk"]}
            else:
                body["Item"] = item(number)
            clients[number % 2].sendall(http_request(operation, body))
            if number > 0:
                read_answer(clients[1 - number % 2])
        read_answer(clients[1 - count % 2])
        for client in clients:
            client.close()
        server.stop(seconds=120)
        total = 0
        for path in glob.glob(out + "*"):
            with open(path, encoding="utf-8", errors="replace") as report:
                total += sum(int(number) for number in
                             re.findall(r"^(?:summary|totals): (\d+)", report.read(), re.M)[:1])
        if total == 0:
            raise RuntimeError("callgrind counted nothing")
        return total


class Instructions(unittest.TestCase):
    def cost(self, operation, arguments=("--allow-anonymous",)):
        each = (instructions(operation, MANY, arguments)
                - instructions(operation, FEW, arguments)) / (MANY - FEW)
        print(f"{operation}: {each:,.0f} user instructions", flush=True)
        self.assertGreater(each, 100, "the measurement is broken")
        self.assertLess(each, INSTRUCTIONS_MAX[operation])

    def test_get_item(self):
        self.cost("GetItem")

    def test_put_item(self):
        self.cost("PutItem")


if __name__ == "__main__":
    unittest.main(warnings="ignore")
