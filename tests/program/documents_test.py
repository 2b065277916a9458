#!/usr/bin/python3
"""What the documents show is true: their commands run, their programs compile, their tables are
those of the program.

Every fenced block of README.md, ARCHITECTURE.md and docs/ says what it is, by its language (```text
and ```mermaid show no command) or by a comment on the line before it:

  <!-- run -->                     bash; exports and functions stay for the next block of the document
  <!-- run at the root -->         the same, in the root of the repository
  <!-- run in the background -->   a server; the test goes on when it is ready
  <!-- run after stopping the server -->
  <!-- prints -->                  what the block before printed; a line of ... stands for any lines
  <!-- file: name -->              is written to this file, for later blocks
  <!-- compiles -->                C++ that compiles with nothing but the public headers
  <!-- from path -->               part of this file, which is compiled and run elsewhere; a line of
                                   ... stands for lines left out
  <!-- not run: why -->

Blocks run in an empty directory of their document's, in order. 8000 becomes a port that is free.
"""
import glob
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import time
import unittest
import urllib.error
import urllib.request
from dataclasses import dataclass

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import PROGRAM, ROOT, ScratchDirectory, ServerProcess  # noqa: E402

BLOCK_SECONDS_MAX, START_SECONDS_MAX = 600, 120
NOTHING_TO_RUN = ("text", "mermaid")
MARKER = re.compile(r"<!-- (run|run at the root|run in the background|run after stopping the server|"
                    r"prints|file: \S+|compiles|from \S+|not run: .+) -->")


@dataclass
class Block:
    line: int
    marker: str
    language: str
    text: str


def blocks_of(text):
    """Returns (blocks, complaints)."""
    blocks, complaints = [], []
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        fence = re.fullmatch(r"(```+)(\w*)", lines[number])
        if not fence:
            number += 1
            continue
        end = number + 1
        while end < len(lines) and lines[end] != fence.group(1):
            end += 1
        before = lines[number - 1].strip() if number > 0 else ""
        marker = MARKER.fullmatch(before)
        block = Block(number + 1, marker.group(1) if marker else "", fence.group(2),
                      "\n".join(lines[number + 1:end]) + "\n")
        if end == len(lines):
            complaints.append(f"line {block.line}: a block that does not end")
        elif not marker and block.language not in NOTHING_TO_RUN:
            complaints.append(f"line {block.line}: a block that does not say whether it is run; put "
                              "<!-- run --> or <!-- not run: why --> on the line before it, or make "
                              "it ```text (tests/program/documents_test.py knows more markers)")
        blocks.append(block)
        number = end + 1
    return blocks, complaints


def documents():
    names = ["README.md", "ARCHITECTURE.md"]
    for path in sorted(glob.glob(os.path.join(ROOT, "docs/**/*.md"), recursive=True)):
        names.append(os.path.relpath(path, ROOT))
    return names


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def matches(printed, expected):
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "..." else re.escape(line)
                      for line in expected.splitlines(keepends=True))
    return re.fullmatch(pattern, printed) is not None


def quotes(text, source):
    """Whether the parts of text between lines of ... are in source, in their order. A part may be
    less indented than it is in the source."""
    lines, at = source.splitlines(), 0
    for part in re.split(r"^\s*\.\.\.\n", text, flags=re.MULTILINE):
        wanted = textwrap.dedent(part).splitlines()
        while at + len(wanted) <= len(lines):
            if textwrap.dedent("\n".join(lines[at:at + len(wanted)])).splitlines() == wanted:
                break
            at += 1
        else:
            return False
        at += len(wanted)
    return True


class Reader:
    """Follows one document as a reader would."""

    def __init__(self, folder):
        self.folder, self.port = folder, str(free_port())
        self.state = os.path.join(folder, ".state")
        self.servers = []
        self.printed = ""
        self.environment = {
            "PATH": os.path.dirname(PROGRAM) + ":/usr/local/bin:/usr/bin:/bin", "HOME": folder,
            "LANG": "C.UTF-8", "AWS_CONFIG_FILE": "/nonexistent", "AWS_PAGER": "",
            "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent", "AWS_MAX_ATTEMPTS": "1"}
        for name in ("CCACHE_DIR", "XDG_CACHE_HOME"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def follow(self, block):
        """Returns what is wrong, or None."""
        text = re.sub(r"\b8000\b", self.port, block.text)
        kind = block.marker.split(":")[0]
        if kind == "file":
            path = os.path.join(self.folder, block.marker.split(": ")[1])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif kind == "prints":
            if not matches(self.printed, text):
                return f"printed:\n{self.printed}"
        elif kind == "compiles":
            return self.compile(text)
        elif kind.startswith("from "):
            with open(os.path.join(ROOT, kind[len("from "):]), encoding="utf-8") as source:
                return None if quotes(block.text, source.read()) else "the file says otherwise"
        elif kind == "run in the background":
            return self.serve(text)
        elif kind.startswith("run"):
            if kind == "run after stopping the server":
                self.stop_servers()
            return self.run(text, ROOT if kind == "run at the root" else self.folder)
        return None

    def run(self, text, folder):
        script = (f"[ ! -f {self.state} ] || source {self.state}\nset -euo pipefail\n{text}\n"
                  f"{{ export -p; declare -f; }} > {self.state}\n")
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=self.environment, text=True,
                              capture_output=True, timeout=BLOCK_SECONDS_MAX, check=False)
        self.printed = done.stdout
        return done.stdout + done.stderr if done.returncode != 0 else None

    def compile(self, text):
        done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I",
                               os.path.join(ROOT, "include"), "-x", "c++", "-"], input=text,
                              text=True, capture_output=True, check=False)
        return done.stderr if done.returncode != 0 else None

    def serve(self, text):
        log_path = os.path.join(self.folder, f".server{len(self.servers)}")
        folder = ROOT if text.startswith("./run") else self.folder
        environment = dict(self.environment, PARTITA_PORT=self.port)
        if folder == ROOT:
            environment["PARTITA_DATA"] = os.path.join(self.folder, "partita-data")
        with open(log_path, "w", encoding="utf-8") as log:
            self.servers.append(subprocess.Popen(  # pylint: disable=consider-using-with
                ["bash", "-c", "set -e\n" + text], cwd=folder, env=environment, stdout=log,
                stderr=log, start_new_session=True))
        end = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < end and self.servers[-1].poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/ready", timeout=5):
                    return None
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        with open(log_path, encoding="utf-8") as log:
            return "the server did not start: " + log.read()

    def stop_servers(self):
        for server in self.servers:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGTERM)
            server.wait(60)
        self.servers = []


class Documents(unittest.TestCase):
    maxDiff = None

    def follow(self, name):
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            blocks, complaints = blocks_of(file.read())
        self.assertEqual(complaints, [], name)
        with ScratchDirectory() as folder:
            reader = Reader(folder)
            try:
                for block in blocks:
                    wrong = reader.follow(block)
                    self.assertIsNone(wrong, f"{name}:{block.line} ({block.marker})\n{block.text}\n"
                                             f"{wrong}")
            finally:
                reader.stop_servers()

    def read(self, name):
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            return file.read()

    def test_the_table_of_settings_is_that_of_the_program(self):
        table = subprocess.run([PROGRAM, "settings"], capture_output=True, text=True,
                               check=True).stdout
        self.assertIn(table, self.read("docs/configuring.md"),
                      "put the output of `partita settings` into docs/configuring.md")

    def test_every_metric_is_explained_and_no_other(self):
        with ScratchDirectory() as directory, ServerProcess("--data", directory) as server:
            with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics") as page:
                exposed = set(re.findall(r"^# TYPE (\w+) ", page.read().decode(), re.MULTILINE))
        explained = set(re.findall(r"`((?:partita|process)_\w+)", self.read("docs/operating.md")))
        self.assertEqual(exposed - explained, set(), "not in docs/operating.md")
        self.assertEqual(explained - exposed, set(), "docs/operating.md explains what is not there")

    def test_links_lead_somewhere(self):
        for name in documents():
            # Not within blocks, where [](int x) is a lambda.
            prose = re.sub(r"^(```+).*?^\1$", "", self.read(name), flags=re.M | re.S)
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
                if "://" not in target:
                    path = os.path.join(ROOT, os.path.dirname(name), target)
                    self.assertTrue(os.path.exists(path), f"{name}: {target}")

    def test_a_block_without_marker_and_a_false_command_are_noticed(self):
        _, complaints = blocks_of("text\n\n```\nls\n```\n")
        self.assertEqual(len(complaints), 1)
        blocks, complaints = blocks_of("<!-- run -->\n```sh\nfalse\n```\n\n```text\nx\n```\n")
        self.assertEqual(complaints, [])
        with ScratchDirectory() as folder:
            reader = Reader(folder)
            self.assertIsNotNone(reader.follow(blocks[0]))
            self.assertIsNone(reader.follow(blocks[1]))
            self.assertIsNotNone(reader.follow(Block(1, "compiles", "cpp", "int x = nothing;\n")))
            reader.printed = "a\nb\nc\n"
            self.assertIsNone(reader.follow(Block(1, "prints", "text", "a\n...\nc\n")))
            self.assertIsNotNone(reader.follow(Block(1, "prints", "text", "a\nc\n")))
        source = "a {\n  b;\n    c;\n  d;\n}\n"
        for text in ("b;\n  c;\n", "a {\n...\n  d;\n", "  b;\n    c;\n"):
            self.assertTrue(quotes(text, source), text)
        for text in ("b;\nc;\n", "d;\n...\nb;\n", "b\n", "a {\n  d;\n"):
            self.assertFalse(quotes(text, source), text)


for document in documents():
    setattr(Documents, "test_" + re.sub(r"\W", "_", document),
            lambda self, name=document: self.follow(name))

if __name__ == "__main__":
    unittest.main(warnings="ignore")
