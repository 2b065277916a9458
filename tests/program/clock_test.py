#!/usr/bin/python3
"""The clock of a running server is moved with `partita clock`, and what depends on time follows."""
import email.utils
import http.client
import json
import os
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import (PROGRAM, Connection, ScratchDirectory, ServerProcess,  # noqa: E402
                            create_table)


def clock(server, *words, expect=0, **environment):
    """Runs `partita clock` and returns what it printed."""
    done = subprocess.run([PROGRAM, "clock", *words, "--port", str(server.port)],
                          capture_output=True, text=True, check=False, timeout=60,
                          env={**os.environ, **environment})
    if done.returncode != expect:
        raise AssertionError(f"{words}: {done.returncode} {done.stdout}{done.stderr}")
    return json.loads(done.stdout) if expect == 0 else done.stdout + done.stderr


# A stream of one shard that rolls as late as may be, once a day.
ONE_SHARD = ("--stream-shards", "1", "--stream-roll-ms", str(24 * 3600 * 1000))


def other_address():
    """An address of this machine that is not loopback, or None."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        probe.connect(("192.0.2.1", 9))
        address = probe.getsockname()[0]
    except OSError:
        return None
    finally:
        probe.close()
    return None if address.startswith("127.") else address


class Clock(unittest.TestCase):
    def connect(self, server):
        connection = Connection(server.port)
        self.addCleanup(connection.close)
        return connection

    def test_every_action(self):
        with ServerProcess("--in-memory") as server:
            self.assertFalse(clock(server)["frozen"])
            self.assertEqual(clock(server, "freeze", "2030-01-31T12:00:00Z")["time"],
                             "2030-01-31T12:00:00.000Z")
            self.assertEqual(clock(server, "advance", "1h30m")["time"], "2030-01-31T13:30:00.000Z")
            self.assertEqual(clock(server, "advance", "-1d")["time"], "2030-01-30T13:30:00.000Z")
            self.assertEqual(clock(server, "set", "1000")["time"], "1970-01-01T00:16:40.000Z")
            self.assertTrue(clock(server, "show")["frozen"])
            self.assertEqual(clock(server, "release")["ahead_ms"], 0)
            self.assertTrue(clock(server, "freeze")["frozen"])

    def test_mistakes_are_explained(self):
        with ServerProcess("--in-memory") as server:
            self.assertIn("A moment is", clock(server, "set", "soon", expect=1))
            self.assertIn("A stretch of time is", clock(server, "advance", "5", expect=1))
            self.assertIn("needs a moment", clock(server, "set", expect=2))
            self.assertIn("did you mean 'freeze'", clock(server, "freze", expect=2))
            self.assertIn("too much", clock(server, "release", "now", expect=2))
        done = subprocess.run([PROGRAM, "clock", "--port", "1"], capture_output=True, text=True,
                              check=False, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no server answers at 127.0.0.1:1", done.stderr)

    def test_timestamps_follow_and_the_date_of_answers_does_not(self):
        with ServerProcess("--in-memory") as server:
            clock(server, "freeze", "2031-05-05")
            connection = self.connect(server)
            create_table(connection, "Things", ("pk", "S"))
            table = connection.expect("DescribeTable", {"TableName": "Things"})["Table"]
            self.assertEqual(table["CreationDateTime"], 1935705600)
            plain = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            self.addCleanup(plain.close)
            plain.request("GET", "/health")
            date = email.utils.parsedate_to_datetime(plain.getresponse().headers["Date"])
            self.assertLess(abs(date.timestamp() - time.time()), 3600)

    def test_a_request_token_lives_ten_minutes_of_the_clock(self):
        for place in (("--in-memory",), ("--engine", "rehearsal")):
            with ServerProcess(*place) as server:
                connection = self.connect(server)
                create_table(connection, "Things", ("pk", "S"))
                clock(server, "freeze", "2031-05-05")
                add = {"ClientRequestToken": "once", "TransactItems": [{"Update": {
                    "TableName": "Things", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}}}}]}

                def count():
                    key = {"TableName": "Things", "Key": {"pk": {"S": "a"}}}
                    return connection.expect("GetItem", key)["Item"]["n"]["N"]

                connection.expect("TransactWriteItems", add)
                clock(server, "advance", "599s")
                connection.expect("TransactWriteItems", add)
                self.assertEqual(count(), "1")
                clock(server, "set", "2030-01-01")  # back: it happened all the same
                connection.expect("TransactWriteItems", add)
                self.assertEqual(count(), "1")
                clock(server, "set", "2031-05-05T00:10:01Z")
                connection.expect("TransactWriteItems", add)
                self.assertEqual(count(), "2")

    def test_a_delay_of_tables_follows_and_a_step_back_ends_it(self):
        with ServerProcess("--in-memory", arguments=("--table-delay-ms", "60000")) as server:
            connection = self.connect(server)

            def status(name):
                return connection.expect("DescribeTable", {"TableName": name})["Table"]["TableStatus"]

            def create(name):
                connection.expect("CreateTable", {
                    "TableName": name, "BillingMode": "PAY_PER_REQUEST",
                    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})

            clock(server, "freeze")
            create("One")
            self.assertEqual(status("One"), "CREATING")
            clock(server, "advance", "59s")
            self.assertEqual(status("One"), "CREATING")
            clock(server, "advance", "1s")
            self.assertEqual(status("One"), "ACTIVE")
            create("Back")
            clock(server, "advance", "-1d")
            self.assertEqual(status("Back"), "ACTIVE")

    def test_an_index_that_follows_later_is_not_held_up_by_a_step_back(self):
        with ServerProcess("--in-memory", arguments=("--index-lag-ms", "60000")) as server:
            connection = self.connect(server)
            clock(server, "freeze", "2031-05-05")
            connection.expect("CreateTable", {
                "TableName": "Things", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"}
                                         for name in ("pk", "of")],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "GlobalSecondaryIndexes": [{
                    "IndexName": "by_of", "Projection": {"ProjectionType": "ALL"},
                    "KeySchema": [{"AttributeName": "of", "KeyType": "HASH"}]}]})

            def entries():
                return connection.expect("Scan", {"TableName": "Things", "IndexName": "by_of"})["Count"]

            def wait_for(count):
                deadline = time.monotonic() + 60
                while entries() != count and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertEqual(entries(), count)

            item = {"pk": {"S": "a"}, "of": {"S": "x"}}
            connection.expect("PutItem", {"TableName": "Things", "Item": item})
            self.assertEqual(entries(), 0)
            clock(server, "advance", "60s")
            wait_for(1)
            connection.expect("PutItem", {"TableName": "Things", "Item": {**item, "pk": {"S": "b"}}})
            clock(server, "set", "2026-01-01")
            wait_for(2)

    def test_a_restart_is_back_at_the_machines_time_and_keeps_what_was_written(self):
        with ScratchDirectory() as directory:
            with ServerProcess("--data", directory) as server:
                clock(server, "set", "2040-01-01")
                connection = self.connect(server)
                create_table(connection, "Things", ("pk", "S"))
                connection.expect("PutItem", {"TableName": "Things", "Item": {"pk": {"S": "a"}}})
                self.assertEqual(server.stop(), 0)
            with ServerProcess("--data", directory) as server:
                self.assertEqual(clock(server)["ahead_ms"], 0)
                connection = self.connect(server)
                connection.expect("PutItem", {"TableName": "Things", "Item": {"pk": {"S": "b"}}})
                self.assertEqual(connection.expect("Scan", {"TableName": "Things"})["Count"], 2)

    def records_grow_old(self, server):
        connection = self.connect(server)
        create_table(connection, "Things", ("pk", "S"))
        connection.expect("UpdateTable", {
            "TableName": "Things",
            "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}})
        arn = connection.expect("ListStreams", {})["Streams"][0]["StreamArn"]
        stream = connection.expect("DescribeStream", {"StreamArn": arn})["StreamDescription"]
        shard = {"StreamArn": arn, "ShardId": stream["Shards"][0]["ShardId"]}
        from_the_start = {**shard, "ShardIteratorType": "TRIM_HORIZON"}

        def put(name):
            connection.expect("PutItem", {"TableName": "Things", "Item": {"pk": {"S": name}}})

        def iterator(place):
            answer = connection.expect("GetShardIterator", place)
            return {"ShardIterator": answer["ShardIterator"]}

        def names(start):
            records = connection.expect("GetRecords", start)["Records"]
            return [record["dynamodb"]["Keys"]["pk"]["S"] for record in records]

        put("old")
        first = iterator(from_the_start)
        number = connection.expect("GetRecords", first)["Records"][0]["dynamodb"]["SequenceNumber"]
        clock(server, "advance", "14m")
        self.assertEqual(names(first), ["old"])
        clock(server, "advance", "2m")
        _, expired = connection.call("GetRecords", first)
        self.assertIn("ExpiredIteratorException", expired["__type"])
        self.assertEqual(names(iterator(from_the_start)), ["old"])
        clock(server, "advance", "23h")
        put("new")
        self.assertEqual(names(iterator(from_the_start)), ["old", "new"])
        clock(server, "advance", "1h")
        self.assertEqual(names(iterator(from_the_start)), ["new"])
        at_old = {**shard, "ShardIteratorType": "AT_SEQUENCE_NUMBER", "SequenceNumber": number}
        status, answer = connection.call("GetShardIterator", at_old)
        if status == 200:  # that the record is gone is not known before it is read
            _, answer = connection.call("GetRecords", {"ShardIterator": answer["ShardIterator"]})
        self.assertIn("TrimmedDataAccessException", answer["__type"])

    def test_iterators_and_the_records_of_a_stream_grow_old(self):
        with ServerProcess("--in-memory", *ONE_SHARD) as server:
            self.records_grow_old(server)
        with ScratchDirectory() as directory:
            with ServerProcess("--data", directory, *ONE_SHARD) as server:
                self.records_grow_old(server)

    def test_with_credentials_it_takes_a_key_that_may_do_everything(self):
        with ScratchDirectory() as directory:
            path = os.path.join(directory, "credentials.toml")
            with open(path, "w", encoding="ascii") as file:
                file.write('[[access_key]]\nid = "ALL"\nsecret = "a"\n'
                           '[[access_key]]\nid = "SOME"\nsecret = "b"\n'
                           '[[access_key.statement]]\nEffect = "Allow"\nAction = "dynamodb:*"\n'
                           'Resource = "*"\n')
            with ServerProcess("--in-memory", arguments=("--credentials", path)) as server:
                signed = "signed with an access key"
                self.assertIn(signed, clock(server, expect=1, AWS_ACCESS_KEY_ID=""))
                for key, secret in (("ALL", "b"), ("SOME", "b"), ("NONE", "a")):
                    self.assertIn(signed, clock(server, "advance", "1h", expect=1,
                                                AWS_ACCESS_KEY_ID=key, AWS_SECRET_ACCESS_KEY=secret))
                shown = clock(server, "freeze", "2030-01-01", AWS_REGION="us-east-1",
                              AWS_ACCESS_KEY_ID="ALL", AWS_SECRET_ACCESS_KEY="a")
                self.assertEqual(shown["time"], "2030-01-01T00:00:00.000Z")

    def test_other_machines_are_refused_unless_they_are_allowed(self):
        address = other_address()
        if address is None:
            self.skipTest("this machine has no address but loopback")

        def ask(server):
            client = http.client.HTTPConnection(address, server.port, timeout=60)
            client.request("GET", "/_partita/clock", headers={"X-Partita-Admin": "1"})
            answer = client.getresponse()
            status, text = answer.status, answer.read().decode()
            client.close()
            return status, text

        open_to_all = ("--host", "0.0.0.0", "--allow-anonymous")
        with ServerProcess("--in-memory", arguments=open_to_all) as server:
            status, text = ask(server)
            self.assertEqual(status, 403)
            self.assertIn("--admin-hosts", text)
        for hosts in (address, "any"):
            arguments = (*open_to_all, "--admin-hosts", f"127.0.0.9, {hosts}")
            with ServerProcess("--in-memory", arguments=arguments) as server:
                self.assertEqual(ask(server)[0], 200)


if __name__ == "__main__":
    unittest.main()
