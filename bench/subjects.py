"""Servers that can be measured: how to start each, and what to call it."""
import http.client
import json
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

SERVER_CORE, LOAD_CORE = "0", "1"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Subject:
    """A server process pinned to one core."""

    def __init__(self, name, command, speaks="dynamodb", durable=False):
        self.name, self.command, self.speaks, self.durable = name, command, speaks, durable
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="partita-bench-")
        self.process = None
        self.cold_start_ms = None

    def start(self):
        arguments = [part.format(port=self.port, folder=self.folder) for part in self.command]
        began = time.perf_counter()
        self.process = subprocess.Popen(
            ["taskset", "-c", SERVER_CORE] + arguments,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        while time.perf_counter() - began < 20:
            if self.answers():
                self.cold_start_ms = (time.perf_counter() - began) * 1000
                return self
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} stopped with {self.process.returncode}")
            time.sleep(0.0005)
        raise RuntimeError(f"{self.name} did not answer")

    def start_repeatedly(self, times):
        """Leaves it running; its cold start is the median, since the first one reads the disk."""
        taken = [self.start().cold_start_ms]
        for _ in range(times - 1):
            self.end_process()
            taken.append(self.start().cold_start_ms)
        self.cold_start_ms = statistics.median(taken)

    def answers(self):
        try:
            if self.speaks == "dynamodb":
                return self.call("ListTables", {}) is not None
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except (OSError, http.client.HTTPException, RuntimeError):
            return False

    def call(self, operation, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("POST", "/", json.dumps(body), {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": "DynamoDB_20120810." + operation,
            "Authorization": "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/"
                             "aws4_request, SignedHeaders=host, Signature=0",
            "X-Amz-Date": "20260101T000000Z",
        })
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{self.name} {operation}: {text[:200]}")
        return json.loads(text)

    def cpu_seconds(self):
        ticks = 0
        for pid in self.pids():
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def rss_mb(self):
        total = 0
        for pid in self.pids():
            with open(f"/proc/{pid}/status") as file:
                for line in file:
                    if line.startswith("VmRSS:"):
                        total += int(line.split()[1])
        return total / 1024

    def pids(self):
        """The process and its children (nginx has a worker)."""
        pids = [self.process.pid]
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            pids += [int(pid) for pid in file.read().split()]
        return pids

    def end_process(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def stop(self):
        self.end_process()
        shutil.rmtree(self.folder, ignore_errors=True)


NGINX = """
daemon off; worker_processes 1; pid {folder}/pid; error_log /dev/null crit;
events {{ worker_connections 1024; }}
http {{
  access_log off; keepalive_requests 1000000000; client_max_body_size 16m;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    default_type application/x-amz-json-1.0;
    location / {{ return 200 '{body}'; }}
  }}
}}
"""


def nginx(body_bytes, name):
    subject = Subject(name, ["nginx", "-c", "{folder}/nginx.conf"], speaks="http")
    with open(f"{subject.folder}/nginx.conf", "w") as file:
        file.write(NGINX.format(folder=subject.folder, port=subject.port, body="x" * body_bytes))
    return subject


def least_servers(program):
    """A server that does nothing: what the load can reach at most."""
    if not os.path.exists(program):
        return []
    return [Subject("least server", [program, "{port}", "1100"], speaks="nothing")]


def partita(binary, name, *flags, durable=False):
    return Subject(name, [binary, "serve", "--port", "{port}", "--threads", "1", *flags],
                   durable=durable)


def peers(binary, node_modules):
    """Everything that can be compared and is installed."""
    subjects = [
        nginx(1100, "nginx 1 KB"),
        nginx(2, "nginx 2 B"),
        *least_servers(os.path.join(os.path.dirname(binary), "bench_least_server")),
        partita(binary, "Partita memory", "--in-memory"),
        partita(binary, "Partita rocksdb", "--data", "{folder}/data", durable=True),
    ]
    dynoxide = os.path.join(node_modules, "@dynoxide/linux-x64/dynoxide")
    if os.path.exists(dynoxide):
        os.chmod(dynoxide, 0o755)
        subjects.append(Subject("Dynoxide memory", [dynoxide, "serve", "--port", "{port}"]))
        subjects.append(Subject("Dynoxide file", [dynoxide, "serve", "--port", "{port}", "--db-path",
                                                  "{folder}/db.sqlite"], durable=True))
    dynalite = os.path.join(node_modules, "dynalite/cli.js")
    if os.path.exists(dynalite):
        subjects.append(Subject("dynalite", ["node", dynalite, "--port", "{port}",
                                             "--createTableMs", "0"]))
    if shutil.which("redis-server"):
        common = ["redis-server", "--port", "{port}", "--save", "", "--dir", "{folder}"]
        subjects.append(Subject("redis", common, speaks="redis"))
        subjects.append(Subject("redis AOF always", common + [
            "--appendonly", "yes", "--appendfsync", "always"], speaks="redis", durable=True))
    return subjects
