"""Starts `partita serve` for tests and talks to it.

The program is build/release/partita unless PARTITA_PROGRAM names another.
"""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
PROGRAM = os.environ.get("PARTITA_PROGRAM", os.path.join(ROOT, "build/release/partita"))
START_SECONDS_MAX = 30
STREAM_OPERATIONS = ("ListStreams", "DescribeStream", "GetShardIterator", "GetRecords")


# A signature that is complete, which is all a server without credentials asks for.
SIGNATURE = {
    "X-Amz-Date": "20260101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0"}


class ServerProcess:
    """A running server. `place` is ("--in-memory",) or ("--data", directory).

    `wrapper` is a command to run it under; `preparation` is called in the new process.
    """

    def __init__(self, *place, wrapper=(), arguments=(), preparation=None):
        command = [*wrapper, PROGRAM, "serve", "--port", "0", *place, *arguments]
        self.errors = tempfile.TemporaryFile(mode="w+")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            command, stdout=subprocess.PIPE, stderr=self.errors, text=True,
            preexec_fn=preparation)
        self.port = self._read_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def _read_port(self):
        """The start-up line names the port the server was given."""
        for line in self.process.stdout:
            match = re.search(r"https?://[^\s:]+:(\d+)", line)
            if match:
                return int(match.group(1))
        self.process.wait(START_SECONDS_MAX)
        self.errors.seek(0)
        raise RuntimeError(f"partita ended with {self.process.returncode}: {self.errors.read()}")

    def stop(self, signal_number=signal.SIGTERM, seconds=60):
        """Sends the signal, waits for the end and returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal_number)
        return self.wait(seconds)

    def wait(self, seconds=60):
        """The exit code of a server that was told to end."""
        code = self.process.wait(seconds)
        self.process.stdout.close()
        self.errors.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Connection:
    """One kept-alive connection that speaks JSON 1.0 without an SDK."""

    def __init__(self, port, timeout=60):
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def call(self, operation, request):
        """Returns (status, answer)."""
        service = "DynamoDBStreams" if operation in STREAM_OPERATIONS else "DynamoDB"
        self.http.request("POST", "/", json.dumps(request), {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"{service}_20120810.{operation}", **SIGNATURE})
        response = self.http.getresponse()
        return response.status, json.loads(response.read())

    def expect(self, operation, request):
        """The answer, which must not be an error."""
        status, answer = self.call(operation, request)
        if status != 200:
            raise RuntimeError(f"{operation}: {status} {answer}")
        return answer

    def close(self):
        self.http.close()


def create_table(connection, name, partition_key, sort_key=None):
    """Keys are (name, type). On demand, ready when this returns."""
    keys = [(partition_key, "HASH")] + ([(sort_key, "RANGE")] if sort_key else [])
    connection.expect("CreateTable", {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": kind}
                                 for (key, kind), _ in keys],
        "KeySchema": [{"AttributeName": key, "KeyType": role} for (key, _), role in keys]})
    while connection.expect("DescribeTable", {"TableName": name})["Table"]["TableStatus"] != "ACTIVE":
        time.sleep(0.01)


class ScratchDirectory:
    """A directory that is gone after the test."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="partita-test-")
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)
