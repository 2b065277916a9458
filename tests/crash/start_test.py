#!/usr/bin/python3
"""What cannot be served says so in one sentence and a non-zero exit; a full disk is an error to the
client and no loss."""
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import (PROGRAM, Connection, ScratchDirectory, ServerProcess,  # noqa: E402
                            create_table)

NOBODY = 65534


class Start(unittest.TestCase):
    def assert_refused(self, *arguments, says, program=PROGRAM, user=None):
        """`partita serve` ends at once, non-zero, with one line on stderr that has `says` in it."""
        done = subprocess.run([program, "serve", *arguments], capture_output=True, text=True,
                              timeout=60, check=False, user=user)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(says, lines[0])

    def test_a_directory_opened_twice(self):
        with ScratchDirectory() as directory, ServerProcess("--data", directory) as server:
            create_table(Connection(server.port), "Kept", ("pk", "S"))
            self.assert_refused("--port", "0", "--data", directory, says=directory)
            names = Connection(server.port).expect("ListTables", {})["TableNames"]
            self.assertEqual(names, ["Kept"], "the first server was disturbed")

    def test_a_directory_made_by_a_newer_format(self):
        with ScratchDirectory() as directory:
            ServerProcess("--data", directory).stop()
            with open(os.path.join(directory, "FORMAT"), "w", encoding="ascii") as file:
                file.write("partita 999\n")
            self.assert_refused("--port", "0", "--data", directory, says="newer")

    def test_a_directory_that_is_not_ours(self):
        with ScratchDirectory() as directory:
            with open(os.path.join(directory, "holiday.jpg"), "w", encoding="ascii") as file:
                file.write("x")
            self.assert_refused("--port", "0", "--data", directory, says=directory)
            self.assertEqual(os.listdir(directory), ["holiday.jpg"])

    def test_a_directory_that_is_a_file(self):
        with ScratchDirectory() as directory:
            path = os.path.join(directory, "file")
            with open(path, "w", encoding="ascii") as file:
                file.write("x")
            self.assert_refused("--port", "0", "--data", path, says=path)

    def test_a_directory_we_may_not_read(self):
        with ScratchDirectory() as directory:
            program = shutil.copy(PROGRAM, directory)  # where nobody may run it
            os.chmod(directory, 0o755)
            data = os.path.join(directory, "data")
            os.mkdir(data, 0)
            # Root may read everything, so it becomes nobody.
            user = NOBODY if os.geteuid() == 0 else None
            self.assert_refused("--port", "0", "--data", data, says=data, program=program, user=user)

    def test_damaged_data(self):
        with ScratchDirectory() as directory:
            server = ServerProcess("--data", directory)
            create_table(Connection(server.port), "Kept", ("pk", "S"))
            server.stop()
            manifests = [os.path.join(folder, name) for folder, _, names in os.walk(directory)
                         for name in names if name.startswith("MANIFEST")]
            self.assertTrue(manifests)
            for path in manifests:
                with open(path, "r+b") as file:
                    file.write(b"\xff" * 64)
            self.assert_refused("--port", "0", "--data", directory, says=directory)

    def test_a_port_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            self.assert_refused("--in-memory", "--port", port, says=port)

    def test_bad_flags(self):
        self.assert_refused("--prot", "1", says="--port")
        self.assert_refused("--port", "eighty", says="eighty")
        self.assert_refused("--port", "65536", says="65536")
        self.assert_refused("--durability", "sometimes", says="sometimes")
        self.assert_refused("--in-memory", "--data", "x", says="--data")

    def test_help_and_version(self):
        for arguments in (["--help"], ["--version"], ["serve", "--help"]):
            done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60,
                                  check=True)
            self.assertIn("artita", done.stdout)
            self.assertEqual(done.stderr, "")

    def test_a_full_disk_is_an_error_and_no_loss(self):
        """A limit on the size of files stands for the full disk: writes fail just the same."""
        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))

        with ScratchDirectory() as directory:
            with ServerProcess("--data", directory) as server:
                create_table(Connection(server.port), "Disk", ("pk", "S"))
            server = ServerProcess("--data", directory, preparation=limit_files)
            connection = Connection(server.port)
            acknowledged = 0
            status, answer = 200, {}
            while status == 200 and acknowledged < 1000:
                status, answer = connection.call("PutItem", {
                    "TableName": "Disk",
                    "Item": {"pk": {"S": str(acknowledged)}, "d": {"S": "x" * 100_000}}})
                acknowledged += status == 200
            self.assertEqual(status, 500, "the disk did not fill up")
            self.assertIn("InternalServerError", answer["__type"])
            self.assertGreater(acknowledged, 0)
            # It is still there, and still says so.
            status, _ = connection.call("PutItem", {"TableName": "Disk",
                                                    "Item": {"pk": {"S": "one more"}}})
            self.assertEqual(status, 500)
            status, _ = connection.call("GetItem", {"TableName": "Disk", "Key": {"pk": {"S": "0"}}})
            self.assertEqual(status, 200)
            server.stop(signal.SIGKILL)

            with ServerProcess("--data", directory) as server:
                connection = Connection(server.port)
                for number in range(acknowledged):
                    self.assertIn("Item", connection.expect("GetItem", {
                        "TableName": "Disk", "Key": {"pk": {"S": str(number)}}}))
                connection.expect("PutItem", {"TableName": "Disk", "Item": {"pk": {"S": "more"}}})


if __name__ == "__main__":
    unittest.main(warnings="ignore")
