#!/usr/bin/python3
"""What an operator sees of a running server: metrics, readiness, the log."""
import http.client
import json
import os
import re
import resource
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import (PROGRAM, Connection, ScratchDirectory, ServerProcess,  # noqa: E402
                            create_table)

LABEL = r'[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf'([a-zA-Z_:][\w:]*)(\{{{LABEL}(?:,{LABEL})*\}})? (\S+)')


def get(port, path):
    """Returns (status, body)."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    client.request("GET", path)
    response = client.getresponse()
    return response.status, response.read().decode()


def scrape(port):
    """All samples, {name with labels: value}; fails where Prometheus would."""
    status, text = get(port, "/metrics")
    if status != 200 or not text.endswith("\n"):
        raise AssertionError(text)
    samples, kinds = {}, {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            if name in kinds:
                raise AssertionError(f"{name} is described twice")
            kinds[name] = kind
        elif not line.startswith("# HELP "):
            match = SAMPLE.fullmatch(line)
            if not match:
                raise AssertionError(f"not a sample: {line}")
            family = re.sub("_(bucket|sum|count)$", "", match.group(1))
            if match.group(1) not in kinds and kinds.get(family) != "histogram":
                raise AssertionError(f"no type: {line}")
            name = match.group(1) + (match.group(2) or "")
            if name in samples:
                raise AssertionError(f"twice: {name}")
            samples[name] = float(match.group(3))
    return samples


class Operations(unittest.TestCase):
    def work(self, port):
        connection = Connection(port)
        create_table(connection, "Kept", ("pk", "S"))
        for number in range(5):
            connection.expect("PutItem", {"TableName": "Kept", "Item": {"pk": {"S": str(number)}}})
        for number in range(4):
            connection.expect("GetItem", {"TableName": "Kept", "Key": {"pk": {"S": str(number)}}})
        connection.expect("Scan", {"TableName": "Kept"})
        status, _ = connection.call("PutItem", {
            "TableName": "Kept", "Item": {"pk": {"S": "0"}},
            "ConditionExpression": "attribute_not_exists(pk)"})
        self.assertEqual(status, 400)
        connection.close()

    def check_common(self, samples):
        success = 'partita_requests_total{operation="%s",result="success",error=""}'
        self.assertEqual(samples[success % "PutItem"], 5)
        self.assertEqual(samples[success % "GetItem"], 4)
        self.assertEqual(samples['partita_requests_total{operation="PutItem",result="client_error",'
                                 'error="ConditionalCheckFailedException"}'], 1)
        histogram = 'partita_request_duration_seconds_%s{operation="PutItem"%s}'
        self.assertEqual(samples[histogram % ("count", "")], 6)
        self.assertEqual(samples[histogram % ("bucket", ',le="+Inf"')], 6)
        self.assertGreater(samples[histogram % ("sum", "")], 0)
        buckets = [value for name, value in samples.items()
                   if name.startswith('partita_request_duration_seconds_bucket{operation="PutItem"')]
        self.assertEqual(buckets, sorted(buckets))
        self.assertEqual(samples['partita_table_items{table="Kept"}'], 5)
        self.assertEqual(samples["partita_accepts_writes"], 1)
        self.assertGreaterEqual(samples["partita_engine_commits_total"], 6)
        for name in ("process_resident_memory_bytes", "process_open_fds", "partita_connections_open",
                     "partita_received_bytes_total", "partita_sent_bytes_total"):
            self.assertGreater(samples[name], 0, name)

    def test_metrics_in_memory(self):
        with ServerProcess("--in-memory") as server:
            self.work(server.port)
            self.check_common(scrape(server.port))

    def test_metrics_on_disk(self):
        with ScratchDirectory() as directory, ServerProcess("--data", directory) as server:
            self.work(server.port)
            samples = scrape(server.port)
            self.check_common(samples)
            self.assertGreater(samples["partita_engine_syncs_total"], 0)
            self.assertGreater(samples["partita_engine_sync_seconds_total"], 0)
            self.assertEqual(samples["partita_engine_unsynced_versions"], 0)
            self.assertGreater(samples["partita_data_directory_free_bytes"], 0)
            self.assertGreater(samples["partita_rocksdb_memtable_bytes"], 0)
            again = scrape(server.port)
            self.assertGreater(again["partita_uptime_seconds"], samples["partita_uptime_seconds"])

    def test_a_disk_that_fails_makes_it_not_ready_and_says_so(self):
        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))

        with ScratchDirectory() as directory:
            server = ServerProcess("--data", directory, preparation=limit_files)
            self.assertEqual(get(server.port, "/ready"), (200, "ready\n"))
            connection = Connection(server.port)
            create_table(connection, "Disk", ("pk", "S"))
            status, count = 200, 0
            while status == 200 and count < 1000:
                status, _ = connection.call("PutItem", {
                    "TableName": "Disk", "Item": {"pk": {"S": str(count)}, "d": {"S": "x" * 100_000}}})
                count += 1
            self.assertGreaterEqual(status, 500)
            status, reason = get(server.port, "/ready")
            self.assertEqual(status, 503)
            self.assertTrue(reason.startswith("not ready: "), reason)
            self.assertIn("check the disk", reason)
            self.assertEqual(get(server.port, "/health"), (200, "alive\n"))
            self.assertEqual(scrape(server.port)["partita_accepts_writes"], 0)
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            server.errors.seek(0)
            lines = [json.loads(line) for line in server.errors]
            warning = [line for line in lines if line["level"] == "warning"][0]
            self.assertEqual(warning["operation"], "PutItem")
            self.assertEqual(len(warning["request_id"]), 52)
            self.assertIn("check the disk", warning["reason"])
            self.assertNotIn("xxx", json.dumps(lines))
            server.process.stdout.close()

    def test_the_log_tells_a_life_from_start_to_stop(self):
        with ScratchDirectory() as directory:
            server = ServerProcess("--data", directory, arguments=("--log-level", "info"))
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(60), 0)
            server.errors.seek(0)
            events = [json.loads(line)["event"] for line in server.errors]
            self.assertEqual(events, ["listening", "opened", "stopping", "stopped"])
            server.process.stdout.close()

    def test_the_environment_and_the_file_configure_it(self):
        with ScratchDirectory() as directory:
            path = os.path.join(directory, "partita.toml")
            with open(path, "w", encoding="ascii") as file:
                file.write('region = "eu-west-1"\naccount_id = "123456789012"\n')
            os.environ["PARTITA_IN_MEMORY"] = "true"
            self.addCleanup(os.environ.pop, "PARTITA_IN_MEMORY")
            with ServerProcess("--config", path) as server:
                connection = Connection(server.port)
                create_table(connection, "Kept", ("pk", "S"))
                arn = connection.expect("DescribeTable", {"TableName": "Kept"})["Table"]["TableArn"]
                self.assertEqual(arn, "arn:aws:dynamodb:eu-west-1:123456789012:table/Kept")
            with open(path, "a", encoding="ascii") as file:
                file.write("prot = 1\n")
            done = subprocess.run([PROGRAM, "serve", "--config", path], capture_output=True,
                                  text=True, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (2, f"partita: {path}:3: there is no setting 'prot'; "
                                 "did you mean port?\n"))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
