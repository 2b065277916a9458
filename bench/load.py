"""Putting load on a subject: wrk for HTTP, redis-benchmark for redis; both pinned to one core."""
import csv
import json
import os
import re
import subprocess
import tempfile
import time

import workloads
from subjects import LOAD_CORE

HERE = os.path.dirname(os.path.abspath(__file__))


class Measurement:
    """One short run."""

    def __init__(self, per_second, p50_us, p99_us, cpu_us, failed):
        self.per_second, self.p50_us, self.p99_us = per_second, p50_us, p99_us
        self.cpu_us, self.failed = cpu_us, failed


def run_wrk(subject, operation, bodies, seconds, connections):
    cpu_before = subject.cpu_seconds()
    output = subprocess.run(
        ["taskset", "-c", LOAD_CORE, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency",
         "-s", os.path.join(HERE, "requests.lua"), f"http://127.0.0.1:{subject.port}/",
         "--", bodies, operation],
        capture_output=True, text=True, check=True).stdout
    cpu = subject.cpu_seconds() - cpu_before
    found = re.search(r"RESULT requests=(\d+) microseconds=(\d+) p50=(\d+) p99=(\d+) failed=(\d+)",
                      output)
    requests, microseconds, p50, p99, failed = map(int, found.groups())
    return Measurement(requests * 1e6 / microseconds, p50, p99, cpu * 1e6 / max(requests, 1), failed)


def run_redis(subject, operation, requests, connections):
    cpu_before = subject.cpu_seconds()
    output = subprocess.run(
        ["taskset", "-c", LOAD_CORE, "redis-benchmark", "-p", str(subject.port), "-t", operation,
         "-d", str(workloads.ITEM_BYTES), "-r", "100000", "-n", str(requests),
         "-c", str(connections), "--csv"],
        capture_output=True, text=True, check=True).stdout
    cpu = subject.cpu_seconds() - cpu_before
    row = list(csv.DictReader(output.splitlines()))[-1]
    return Measurement(float(row["rps"]), float(row["p50_latency_ms"]) * 1000,
                       float(row["p99_latency_ms"]) * 1000, cpu * 1e6 / requests, 0)


def fill(subject, items):
    """Creates the tables and stores `items` items of 1 KB, and 2,000 small ones."""
    for table in workloads.TABLES:
        subject.call("CreateTable", table)
    time.sleep(0.3)
    for make, count in ((workloads.put, items), (workloads.page_item, 2000)):
        sent = 0
        while sent < count:
            sent += fill_for_a_while(subject, make, sent, count)


def fill_for_a_while(subject, make, first, count, seconds=2):
    """Stores items from `first` on for some seconds and returns how many came in."""
    with tempfile.NamedTemporaryFile("w", suffix=".bodies") as file:
        for number in range(first, count):
            file.write(json.dumps(make(number), separators=(",", ":")) + "\n")
        file.flush()
        # wrk goes through the bodies in turn and stops by time. Those of the last moment may not
        # have been answered, so the next call begins a little before.
        measured = run_wrk(subject, "PutItem", file.name, seconds, 16)
    if measured.failed:
        raise RuntimeError(f"{subject.name}: {measured.failed} failed while filling")
    return max(1, int(measured.per_second * seconds * 0.98) - 64)


def syncs_per_write(subject, bodies, connections):
    """fdatasync and fsync calls per acknowledged write, counted by strace on a short run."""
    trace = tempfile.NamedTemporaryFile(suffix=".strace")
    tracer = subprocess.Popen(
        ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync,sync_file_range", "-o", trace.name,
         "-p", str(subject.process.pid)], stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    if subject.speaks == "redis":
        requests = 5000
        run_redis(subject, "set", requests, connections)
    else:
        measured = run_wrk(subject, "PutItem", bodies, 1, connections)
        requests = max(1, int(measured.per_second))
    tracer.terminate()
    tracer.wait(10)
    calls = 0
    with open(trace.name) as file:
        for line in file:
            parts = line.split()
            if parts and parts[-1] in ("fsync", "fdatasync", "sync_file_range"):
                calls += int(parts[3])
    return calls / requests
