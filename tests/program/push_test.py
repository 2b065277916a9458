#!/usr/bin/python3
"""partita serve --stream-target: batches to a local HTTP server and to commands."""
import http.server
import json
import os
import signal
import ssl
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection, ScratchDirectory, ServerProcess  # noqa: E402

SECONDS_MAX = 60


class Target(http.server.ThreadingHTTPServer):
    """Keeps the events it gets; `refuses(event)` says which it answers with 500."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.events, self.refused = [], []
        self.refuses = lambda event: False
        self.answer = lambda event: {}
        self.changed = threading.Condition()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hook?x=1"

    def records(self):
        return [record for event in self.events for record in event["Records"]]

    def wait_for(self, condition):
        with self.changed:
            if not self.changed.wait_for(condition, SECONDS_MAX):
                raise AssertionError(f"got {len(self.events)} events, {len(self.refused)} refused")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):  # pylint: disable=invalid-name
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        target = self.server
        with target.changed:
            refused = target.refuses(event)
            (target.refused if refused else target.events).append(event)
            target.changed.notify_all()
        answer = json.dumps(target.answer(event)).encode()
        self.send_response(500 if refused else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def create_table(connection, name="Orders"):
    return connection.expect("CreateTable", {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}}
    )["TableDescription"]["LatestStreamArn"]


def put(connection, key, number=1, table="Orders"):
    connection.expect("PutItem", {
        "TableName": table, "Item": {"pk": {"S": key}, "n": {"N": str(number)}}})


def numbers(records):
    return [int(record["dynamodb"]["NewImage"]["n"]["N"]) for record in records]


class PushTest(unittest.TestCase):
    def setUp(self):
        self.target = Target()
        self.addCleanup(self.target.server_close)
        self.addCleanup(self.target.shutdown)
        scratch = ScratchDirectory()
        self.directory = scratch.__enter__()
        self.addCleanup(scratch.__exit__)

    def serve(self, *arguments, place=("--in-memory",), target=None, wrapper=()):
        server = ServerProcess(*place, wrapper=wrapper, arguments=(
            "--stream-target", target or f"Orders={self.target.url}", *arguments))
        self.addCleanup(lambda: server.process.poll() is None and server.stop())
        return server, Connection(server.port)

    def test_an_event_is_what_lambda_gets(self):
        _, connection = self.serve()
        arn = create_table(connection)
        put(connection, "a")
        self.target.wait_for(lambda: self.target.events)
        record, = self.target.events[0]["Records"]
        self.assertEqual(record["eventSourceARN"], arn)
        self.assertEqual(record["eventName"], "INSERT")
        self.assertEqual(record["eventSource"], "aws:dynamodb")
        self.assertEqual(record["dynamodb"]["Keys"], {"pk": {"S": "a"}})
        self.assertEqual(record["dynamodb"]["NewImage"], {"pk": {"S": "a"}, "n": {"N": "1"}})
        self.assertEqual(record["dynamodb"]["StreamViewType"], "NEW_AND_OLD_IMAGES")

    def test_batches_fill_while_the_window_is_open(self):
        _, connection = self.serve("--stream-batch-size", "10",
                                   "--stream-batch-window-ms", "300000")
        create_table(connection)
        for number in range(20):
            put(connection, "a", number)
        self.target.wait_for(lambda: len(self.target.events) == 2)
        self.assertEqual([len(event["Records"]) for event in self.target.events], [10, 10])
        self.assertEqual(numbers(self.target.records()), list(range(20)))

    def test_filter_patterns(self):
        pattern = {"eventName": ["INSERT"], "dynamodb": {
            "NewImage": {"n": {"N": ["6", "7", {"prefix": "8"}, {"suffix": "9"}]}}}}
        _, connection = self.serve("--stream-filter", json.dumps(pattern))
        create_table(connection)
        for number in range(10):
            put(connection, f"item {number}", number)
        self.target.wait_for(lambda: len(self.target.records()) == 4)
        self.assertEqual(numbers(self.target.records()), [6, 7, 8, 9])

    def test_what_fails_is_tried_again_in_order(self):
        self.target.refuses = lambda event: len(self.target.refused) < 4
        _, connection = self.serve()
        create_table(connection)
        for number in range(30):
            put(connection, "a", number)
        self.target.wait_for(lambda: len(self.target.records()) == 30)
        self.assertEqual(numbers(self.target.records()), list(range(30)))
        self.assertEqual(len(self.target.refused), 4)

    def test_a_poisoned_record_is_found_and_put_aside(self):
        letters = os.path.join(self.directory, "dead.jsonl")
        self.target.refuses = lambda event: 13 in numbers(event["Records"])
        _, connection = self.serve("--stream-bisect", "--stream-retries", "1",
                                   "--stream-batch-size", "16", "--stream-batch-window-ms", "2000",
                                   "--stream-dead-letters", letters)
        create_table(connection)
        for number in range(32):
            put(connection, "a", number)
        self.target.wait_for(lambda: len(self.target.records()) == 31)
        self.assertEqual(numbers(self.target.records()), [n for n in range(32) if n != 13])
        with open(letters, encoding="utf-8") as lines:
            letter, = map(json.loads, lines)
        self.assertEqual(letter["requestContext"]["condition"], "RetryAttemptsExhausted")
        self.assertEqual(letter["requestContext"]["approximateInvokeCount"], 2)
        self.assertEqual(letter["DDBStreamBatchInfo"]["batchSize"], 1)
        self.assertEqual(numbers(letter["payload"]["Records"]), [13])

    def test_a_target_names_the_records_that_failed(self):
        letters = os.path.join(self.directory, "dead.jsonl")

        def answer(event):
            failed = [record["dynamodb"]["SequenceNumber"] for record in event["Records"]
                      if numbers([record]) == [5]]
            return {"batchItemFailures": [{"itemIdentifier": each} for each in failed]}

        self.target.answer = answer
        _, connection = self.serve("--stream-report-failures", "--stream-bisect",
                                   "--stream-retries", "1", "--stream-batch-size", "8",
                                   "--stream-batch-window-ms", "2000",
                                   "--stream-dead-letters", letters)
        create_table(connection)
        for number in range(8):
            put(connection, "a", number)
        self.target.wait_for(lambda: any(
            numbers(event["Records"])[-1] == 7 and 5 not in numbers(event["Records"])
            for event in self.target.events))
        seen = [numbers(event["Records"]) for event in self.target.events]
        self.assertEqual(seen[0], list(range(8)))
        self.assertEqual(seen[1][0], 5, "what came before is not delivered again")
        with open(letters, encoding="utf-8") as lines:
            letter, = map(json.loads, lines)
        self.assertEqual(numbers(letter["payload"]["Records"]), [5])

    def test_an_answer_that_names_something_else_is_a_failure(self):
        self.target.answer = lambda event: (
            {"batchItemFailures": [{"itemIdentifier": ""}]} if len(self.target.events) == 1 else None)
        _, connection = self.serve("--stream-report-failures")
        create_table(connection)
        put(connection, "a", 1)
        self.target.wait_for(lambda: len(self.target.events) == 2)
        self.assertEqual(numbers(self.target.records()), [1, 1])

    def test_a_checkpoint_survives(self):
        place = ("--data", os.path.join(self.directory, "data"))
        rolling = ("--stream-shards", "4", "--stream-roll-ms", "100")
        server, connection = self.serve(*rolling, place=place)
        create_table(connection)
        for number in range(40):
            put(connection, f"item {number % 8}", number)
        self.target.wait_for(lambda: len(self.target.records()) == 40)
        # What is noted is noted durably; of the last batch before kill -9 it may not be.
        self.assertEqual(server.stop(signal.SIGTERM), 0)
        server, connection = self.serve(*rolling, place=place)
        for number in range(40, 80):
            put(connection, f"item {number % 8}", number)
        self.target.wait_for(lambda: len(self.target.records()) == 80)
        for item in range(8):
            mine = [n for n in numbers(self.target.records()) if n % 8 == item]
            self.assertEqual(mine, list(range(item, 80, 8)), "nothing missing, twice or out of order")

    def test_while_nobody_listens_nothing_is_lost(self):
        place = ("--data", os.path.join(self.directory, "data"))
        self.target.refuses = lambda event: True
        server, connection = self.serve(place=place)
        create_table(connection)
        put(connection, "a", 1)
        self.target.wait_for(lambda: self.target.refused)
        server.stop(signal.SIGKILL)
        self.target.refuses = lambda event: False
        self.serve(place=place)
        self.target.wait_for(lambda: self.target.events)
        self.assertEqual(numbers(self.target.records()), [1])

    def test_commands(self):
        out = os.path.join(self.directory, "out")
        place = ("--in-memory",)
        server, connection = self.serve(
            place=place, target=f"Orders=exec:cat >> {out}; echo >> {out},Other={self.target.url}")
        create_table(connection)
        create_table(connection, "Other")
        put(connection, "a", 1)
        put(connection, "b", 2, table="Other")
        self.target.wait_for(lambda: self.target.events)
        self.assertEqual(numbers(self.target.records()), [2])
        deadline = time.monotonic() + SECONDS_MAX
        while not (os.path.exists(out) and os.path.getsize(out)) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(server.stop(), 0)
        with open(out, encoding="utf-8") as lines:
            self.assertEqual(numbers(json.loads(lines.readline())["Records"]), [1])

    def test_https_targets_need_a_certificate_that_is_trusted(self):
        certificate = os.path.join(self.directory, "target.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=target",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", certificate + ".key",
                        "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, certificate + ".key")
        self.target.socket = context.wrap_socket(self.target.socket, server_side=True)
        letters = os.path.join(self.directory, "dead.jsonl")
        url = self.target.url.replace("http://", "https://")
        for trusted, others in ((certificate, ()), ("/etc/ssl/certs/ca-certificates.crt", (
                "--stream-retries", "0", "--stream-dead-letters", letters))):
            server, connection = self.serve(*others, target=f"Orders={url}",
                                            wrapper=("env", f"SSL_CERT_FILE={trusted}"))
            create_table(connection)
            put(connection, "a")
            if trusted == certificate:
                self.target.wait_for(lambda: self.target.events)
            else:
                deadline = time.monotonic() + SECONDS_MAX
                while not os.path.exists(letters) and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertTrue(os.path.exists(letters), "not delivered, so put aside")
            self.assertEqual(server.stop(), 0)
        self.assertEqual(len(self.target.events), 1)

    def test_what_is_no_target_is_told(self):
        for target in ("Orders", "Orders=ftp://x", "=http://x"):
            with self.assertRaisesRegex(RuntimeError, "stream target"):
                ServerProcess("--in-memory", arguments=("--stream-target", target))
        with self.assertRaisesRegex(RuntimeError, "Event filter"):
            ServerProcess("--in-memory", arguments=(
                "--stream-target", "Orders=http://127.0.0.1:1", "--stream-filter", '{"a": 1}'))

    def test_a_slow_target_does_not_hold_up_the_end(self):
        server, connection = self.serve(target="Orders=exec:sleep 50")
        create_table(connection)
        put(connection, "a")
        time.sleep(0.3)
        began = time.monotonic()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - began, 30)


if __name__ == "__main__":
    unittest.main()
