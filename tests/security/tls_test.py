#!/usr/bin/python3
"""HTTPS: stock clients, large and split messages, old protocols, and a certificate that is replaced."""
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import unittest

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, SSLError

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import sigv4  # noqa: E402
from server_process import PROGRAM, ScratchDirectory, ServerProcess  # noqa: E402

SECRET = "the secret of the tests"
CLIENTS, ROUNDS = 8, 30


def make_certificate(directory, name):
    """A certificate for 127.0.0.1 that signs itself, in <name>.pem, with its key in <name>.key."""
    path = os.path.join(directory, name)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path + ".key", "-out",
                    path + ".pem"], check=True, capture_output=True)
    os.chmod(path + ".key", 0o600)
    return path + ".pem", path + ".key"


class Https(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = ScratchDirectory()
        cls.directory = cls.scratch.__enter__()
        cls.certificate, cls.key = make_certificate(cls.directory, "first")
        credentials = os.path.join(cls.directory, "credentials.toml")
        with open(credentials, "w", encoding="utf-8") as file:
            file.write(f'[[access_key]]\nid = "KEY"\nsecret = "{SECRET}"\n')
        cls.server = ServerProcess("--in-memory", arguments=(
            "--tls-cert", cls.certificate, "--tls-key", cls.key, "--credentials", credentials))
        cls.url = f"https://127.0.0.1:{cls.server.port}"
        cls.signer = sigv4.Signer("KEY", SECRET)
        cls.client().create_table(
            TableName="Songs", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.scratch.__exit__()

    @classmethod
    def client(cls, secret=SECRET, verify=None):
        return boto3.client("dynamodb", endpoint_url=cls.url, region_name="us-east-1",
                            aws_access_key_id="KEY", aws_secret_access_key=secret,
                            verify=verify or cls.certificate,
                            config=Config(retries={"max_attempts": 0}))

    def connect(self, certificate=None, **settings):
        context = ssl.create_default_context(cafile=certificate or self.certificate)
        for name, value in settings.items():
            setattr(context, name, value)
        plain = socket.create_connection(("127.0.0.1", self.server.port), timeout=30)
        return context.wrap_socket(plain, server_hostname="127.0.0.1")

    def request(self, operation, request):
        body = json.dumps(request).encode()
        headers = self.signer.headers(f"127.0.0.1:{self.server.port}",
                                      f"DynamoDB_20120810.{operation}", body)
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        return f"POST / HTTP/1.1\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body

    @staticmethod
    def answers(connection, count):
        """The bodies of so many answers, each of which must be a 200."""
        reader, bodies = connection.makefile("rb"), []
        for _ in range(count):
            status, length = reader.readline(), 0
            if b" 200 " not in status:
                raise RuntimeError(status)
            while (line := reader.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            bodies.append(json.loads(reader.read(length)))
        return bodies

    def test_the_clock_is_moved_over_tls(self):
        def clock(**environment):
            return subprocess.run(
                [PROGRAM, "clock", "--tls", "--port", str(self.server.port)], check=False, timeout=60,
                capture_output=True, text=True, env={
                    **os.environ, "AWS_ACCESS_KEY_ID": "KEY", "AWS_SECRET_ACCESS_KEY": SECRET,
                    "AWS_REGION": "us-east-1", "AWS_SESSION_TOKEN": "", **environment})
        shown = clock(SSL_CERT_FILE=self.certificate)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertFalse(json.loads(shown.stdout)["frozen"])
        unknown = clock(SSL_CERT_FILE="/etc/ssl/certs/ca-certificates.crt")
        self.assertEqual(unknown.returncode, 1)
        self.assertIn("certificate", unknown.stderr)

    def test_stock_clients_with_right_and_wrong_credentials(self):
        self.assertEqual(self.client().list_tables()["TableNames"], ["Songs"])
        with self.assertRaises(ClientError) as caught:
            self.client("wrong").list_tables()
        self.assertEqual(caught.exception.response["Error"]["Code"], "InvalidSignatureException")
        with self.assertRaises(SSLError):  # nobody vouches for the certificate
            self.client(verify=True).list_tables()
        for secret, works in ((SECRET, True), ("wrong", False)):
            done = subprocess.run(
                ["aws", "dynamodb", "list-tables", "--endpoint-url", self.url, "--region",
                 "us-east-1", "--ca-bundle", self.certificate], capture_output=True, text=True,
                check=False, env={**os.environ, "AWS_ACCESS_KEY_ID": "KEY",
                                  "AWS_SECRET_ACCESS_KEY": secret})
            self.assertEqual(done.returncode == 0, works, done.stderr)

    def test_large_requests_and_answers(self):
        client = self.client()
        text = "x" * 390_000
        for number in range(4):
            client.put_item(TableName="Songs", Item={"pk": {"S": f"large {number}"},
                                                     "text": {"S": text}})
        page = client.scan(TableName="Songs")  # 1 MB
        self.assertIn("LastEvaluatedKey", page)
        large = [item for item in page["Items"] if item["pk"]["S"].startswith("large")]
        self.assertGreater(len(large), 1)
        self.assertTrue(all(item["text"]["S"] == text for item in large))

    def test_many_requests_at_once_on_one_connection(self):
        many = 300
        with self.connect() as connection:
            sending = threading.Thread(target=lambda: connection.sendall(
                self.request("DescribeTable", {"TableName": "Songs"}) * many))
            sending.start()
            bodies = self.answers(connection, many)
            sending.join()
        self.assertTrue(all(body["Table"]["TableName"] == "Songs" for body in bodies))

    def test_bytes_one_by_one_and_several_records(self):
        with self.connect() as connection:
            request = self.request("ListTables", {})
            for byte in request:
                connection.sendall(bytes([byte]))
            self.assertEqual(self.answers(connection, 1), [{"TableNames": ["Songs"]}])
            large = self.request("PutItem", {"TableName": "Songs", "Item": {
                "pk": {"S": "split"}, "text": {"S": "y" * 100_000}}})
            connection.sendall(large + request)
            self.assertEqual(self.answers(connection, 2)[1], {"TableNames": ["Songs"]})

    def test_clients_side_by_side(self):
        wrong = []

        def work(number):
            client = self.client()
            for round_number in range(ROUNDS):
                name = {"S": f"client {number}"}
                client.put_item(TableName="Songs", Item={"pk": name, "n": {"N": str(round_number)}})
                item = client.get_item(TableName="Songs", Key={"pk": name},
                                       ConsistentRead=True)["Item"]
                if item["n"]["N"] != str(round_number):
                    wrong.append(item)
        threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_connections_end_politely(self):
        with self.connect() as connection:
            request = self.request("ListTables", {}).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            connection.sendall(request)
            self.assertEqual(len(self.answers(connection, 1)), 1)
            self.assertEqual(connection.recv(1), b"")  # closed by a message, not by the network

    def test_who_speaks_plain_http_is_told(self):
        for request in (b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", self.request("ListTables", {}),
                        b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 300000\r\n\r\n" + b"x" * 300000):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as plain:
                plain.sendall(request)
                found = b""
                while piece := plain.recv(4096):
                    found += piece
                head, _, body = found.partition(b"\r\n\r\n")
                self.assertTrue(head.startswith(b"HTTP/1.1 400 "), head)
                self.assertEqual(body, b"The plain HTTP request was sent to HTTPS port")
        self.assertEqual(self.client().list_tables()["TableNames"], ["Songs"])

    def test_what_is_neither_tls_nor_http_gets_nothing(self):
        for text in (b"\x16\x03\x01\x02\x00\x01" + b"\0" * 600, bytes(range(256)) * 20,
                     b"HTTP/1.1 200 OK\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as plain:
                plain.sendall(text)
                try:
                    found = plain.recv(4096)
                except ConnectionResetError:
                    found = b""
                self.assertNotIn(b"HTTP", found)
        self.assertEqual(self.client().list_tables()["TableNames"], ["Songs"])

    def test_versions(self):
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with self.connect(minimum_version=version, maximum_version=version) as connection:
                connection.sendall(self.request("ListTables", {}))
                self.assertEqual(len(self.answers(connection, 1)), 1)
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            import warnings  # pylint: disable=import-outside-toplevel
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
                old.set_ciphers("ALL:@SECLEVEL=0")
                old.minimum_version = ssl.TLSVersion.TLSv1
                old.maximum_version = ssl.TLSVersion.TLSv1_1
                with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as plain:
                    old.wrap_socket(plain)

    def test_a_new_certificate_drops_nobody(self):
        second, key = make_certificate(self.directory, "second")
        first = os.path.join(self.directory, "kept.pem")
        with open(self.certificate, "rb") as old, open(first, "wb") as kept:
            kept.write(old.read())
        connection = self.connect(first)
        connection.sendall(self.request("ListTables", {}))
        self.assertEqual(len(self.answers(connection, 1)), 1)
        os.replace(second, self.certificate)
        os.replace(key, self.key)
        self.server.process.send_signal(signal.SIGHUP)
        for _ in range(500):
            try:
                self.connect(self.certificate).close()
                break
            except ssl.SSLError:
                time.sleep(0.02)
        else:
            self.fail("the new certificate was never served")
        connection.sendall(self.request("ListTables", {}))  # on the old one
        self.assertEqual(len(self.answers(connection, 1)), 1)
        connection.close()
        with open(self.certificate, "w", encoding="utf-8") as broken:
            broken.write("nonsense")
        self.server.process.send_signal(signal.SIGHUP)
        self.addCleanup(self.restore, first)
        for _ in range(500):
            self.server.errors.seek(0)
            if '"event":"reload"' in self.server.errors.read():
                break
            time.sleep(0.02)
        with self.assertRaises(ssl.SSLError):
            self.connect(first)  # still the second

    def restore(self, _):
        """Other tests want a certificate and key that belong together."""
        certificate, key = make_certificate(self.directory, "third")
        os.replace(certificate, self.certificate)
        os.replace(key, self.key)
        self.server.process.send_signal(signal.SIGHUP)
        for _ in range(500):
            try:
                return self.connect(self.certificate).close()
            except ssl.SSLError:
                time.sleep(0.02)
        raise RuntimeError("the third certificate was never served")


class Starting(unittest.TestCase):
    def test_files_that_are_refused(self):
        with ScratchDirectory() as directory:
            certificate, key = make_certificate(directory, "one")
            _, other = make_certificate(directory, "other")
            for arguments, part in (
                    (("--tls-cert", certificate), "go together"),
                    (("--tls-key", key), "go together"),
                    (("--tls-cert", "/nowhere", "--tls-key", key), "TLS certificate /nowhere"),
                    (("--tls-cert", certificate, "--tls-key", "/nowhere"), "TLS key /nowhere"),
                    (("--tls-cert", certificate, "--tls-key", other), "values mismatch"),
                    (("--tls-cert", key, "--tls-key", key), "TLS certificate")):
                done = subprocess.run([PROGRAM, "serve", "--in-memory", "--port", "0", *arguments],
                                      capture_output=True, text=True, timeout=30, check=False)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(part, done.stderr)
                self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main(warnings="ignore")
