#!/usr/bin/python3
"""Who may come in: stock clients with right and wrong credentials, and a stranger who tries tricks.

Nothing that is not signed as it should be may reach the database, whatever is altered. The signer is
our own (sigv4.py), so that it can sign wrongly.
"""
import datetime
import http.client
import json
import os
import signal
import subprocess
import sys
import time
import unittest
import urllib.parse

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import sigv4  # noqa: E402
from server_process import ScratchDirectory, ServerProcess  # noqa: E402

SECRET = "s3cr3t/of+the=admin"
OTHER_SECRET = "another-secret-altogether"
TOKEN = "a-session-token-nobody-should-see"
TARGET = "DynamoDB_20120810."
CREDENTIALS = f"""
[[access_key]]
id = "ADMIN"
secret = "{SECRET}"
[[access_key]]
id = "VISITOR"
secret = "{OTHER_SECRET}"
session_token = "{TOKEN}"
"""
MISMATCH = "InvalidSignatureException"


class Door(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = ScratchDirectory()
        directory = cls.scratch.__enter__()
        cls.file = os.path.join(directory, "credentials.toml")
        cls.write(CREDENTIALS)
        cls.server = ServerProcess("--in-memory", arguments=(
            "--credentials", cls.file, "--log-level", "debug"))
        cls.host = f"127.0.0.1:{cls.server.port}"
        cls.admin = sigv4.Signer("ADMIN", SECRET)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.scratch.__exit__()

    @classmethod
    def write(cls, text):
        with open(cls.file, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(cls.file, 0o600)

    def send(self, headers, body=b"{}", target="/", method="POST"):
        """Returns (status, type of the error or None, body)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        try:
            kind = json.loads(text).get("__type", "").split("#")[-1] or None
        except ValueError:
            kind = None
        return response.status, kind, text.decode()

    def headers(self, body=b"{}", operation="ListTables", signer=None, **options):
        return (signer or self.admin).headers(self.host, TARGET + operation, body, **options)

    def client(self, key, secret, **options):
        return boto3.client("dynamodb", endpoint_url=self.server.url, region_name="us-east-1",
                            aws_access_key_id=key, aws_secret_access_key=secret,
                            config=Config(retries={"max_attempts": 0}), **options)

    def refused(self, kind, headers, body=b"{}", **where):
        status, found, text = self.send(headers, body, **where)
        self.assertEqual((status, found), (400, kind), text)
        for secret in (SECRET, OTHER_SECRET, TOKEN):
            self.assertNotIn(secret, text)

    def test_our_own_signer_gets_in(self):
        status, _, text = self.send(self.headers())
        self.assertEqual((status, json.loads(text)), (200, {"TableNames": []}))

    def test_stock_clients(self):
        self.assertEqual(self.client("ADMIN", SECRET).list_tables()["TableNames"], [])
        visitor = self.client("VISITOR", OTHER_SECRET, aws_session_token=TOKEN)
        self.assertEqual(visitor.list_tables()["TableNames"], [])
        for key, secret, token, kind in (
                ("ADMIN", "wrong", None, MISMATCH),
                ("NOBODY", SECRET, None, "UnrecognizedClientException"),
                ("ADMIN", SECRET, "token", "UnrecognizedClientException"),
                ("VISITOR", OTHER_SECRET, None, "UnrecognizedClientException"),
                ("VISITOR", OTHER_SECRET, "wrong", "UnrecognizedClientException")):
            with self.assertRaises(ClientError) as caught:
                self.client(key, secret, aws_session_token=token).list_tables()
            self.assertEqual(caught.exception.response["Error"]["Code"], kind)

    def test_unsigned_and_incomplete(self):
        headers = self.headers()
        self.refused("MissingAuthenticationTokenException", headers[:-1])
        name, value = headers[-1]
        for cut in range(0, len(value), 7):
            status, kind, text = self.send([*headers[:-1], (name, value[:cut])])
            self.assertEqual(status, 400, text)
            self.assertIn(kind, ("MissingAuthenticationTokenException",
                                 "IncompleteSignatureException", MISMATCH))
        for wrong in ("Basic QURNSU46eA==", "Bearer x", "AWS ADMIN:x", "aws4-hmac-sha256 x=y", "null"):
            self.refused("MissingAuthenticationTokenException", [*headers[:-1], (name, wrong)])
        for wrong in ("", "0" * 64, "null", value.rsplit("=", 1)[1].upper()):
            replaced = value[:value.rindex("=") + 1] + wrong
            status, _, text = self.send([*headers[:-1], (name, replaced)])
            self.assertEqual(status, 400, text)

    def test_altered_bodies_and_headers(self):
        for body in (b"{ }", b"", b'{"Limit":1}', b"{}\n"):
            status, kind, text = self.send(self.headers(), body)
            self.assertEqual(status, 400, text)
            self.assertIn(kind, (MISMATCH, "SerializationException"))
        headers = self.headers()
        for index in range(len(headers) - 1):
            name, value = headers[index]
            if name == "Content-Type":
                changed = (name, "application/json")
            elif name == "X-Amz-Date":
                changed = (name, value[:-2] + ("0Z" if value[-2] != "0" else "1Z"))
            elif name == "X-Amz-Target":
                changed = (name, TARGET + "DescribeLimits")
            else:
                changed = (name, "elsewhere")
            self.refused(MISMATCH, [*headers[:index], changed, *headers[index + 1:]])

    def test_a_signature_is_good_for_its_own_request_alone(self):
        signed = dict(self.headers())
        other = [(name, value) for name, value in self.headers(
            b'{"TableName":"Songs"}', "DeleteTable") if name != "Authorization"]
        self.refused(MISMATCH, [*other, ("Authorization", signed["Authorization"])],
                     b'{"TableName":"Songs"}')

    def test_dates(self):
        def off(**by):
            return sigv4.now() + datetime.timedelta(**by)
        for moment in (off(minutes=-16), off(minutes=16), off(days=-1), off(days=365)):
            self.refused(MISMATCH, self.headers(moment=moment))
        for moment in (off(minutes=-14), off(minutes=14)):
            self.assertEqual(self.send(self.headers(moment=moment))[0], 200)
        self.refused(MISMATCH, self.headers(scope_date="20200101"))

    def test_scopes(self):
        for change in ({"region": "eu-west-1"}, {"region": ""}, {"region": "*"}, {"service": "s3"},
                       {"service": "DynamoDB"}, {"terminator": "aws5_request"},
                       {"region": "us-east-1%2Fdynamodb"}):
            status, kind, text = self.send(self.headers(
                signer=sigv4.Signer("ADMIN", SECRET, **change)))
            self.assertEqual(status, 400, text)
            self.assertIn(kind, (MISMATCH, "IncompleteSignatureException"))
        for key in ("*", "ADMI?", "admin", "ADMIN ", "ADMIN\t", "", "ADMIN/x", "..", "%41DMIN"):
            self.assertEqual(self.send(self.headers(signer=sigv4.Signer(key, SECRET)))[0], 400, key)

    def test_headers_that_must_be_signed(self):
        names = ["content-type", "host", "x-amz-date", "x-amz-target"]
        for name in ("host", "x-amz-date", "x-amz-target"):
            self.refused(MISMATCH, self.headers(signed=[one for one in names if one != name]))
        self.assertEqual(self.send(self.headers(signed=names[1:]))[0], 200)
        self.refused(MISMATCH, [*self.headers(), ("X-Amz-Unheard-Of", "1")])
        self.assertEqual(self.send([*self.headers(), ("X-Amzn-Trace-Id", "1")])[0], 200)

    def test_repeated_headers(self):
        headers = self.headers()
        for name, value in headers:
            status, _, text = self.send([*headers, (name, value)])
            self.assertEqual(status, 400, name + text)
        status, _, _ = self.send([*headers, ("Authorization", "AWS4-HMAC-SHA256 Credential=x")])
        self.assertEqual(status, 400)

    def test_paths_and_queries(self):
        for target in ("/x", "//", "/.", "/./", "/%2f", "/..", "/?a=b", "/?X-Amz-Target=x",
                       "/?Action=ListTables", "/;", "http://evil/"):
            status, _, text = self.send(self.headers(), target=target)
            # An absolute form is the same resource on this server, and its Host is signed.
            expected = (200,) if target == "http://evil/" else (400, 404)
            self.assertIn(status, expected, target + text)
        for method in ("PUT", "DELETE", "PATCH", "post", "TRACE"):
            self.assertEqual(self.send(self.headers(), method=method)[0], 404)

    def test_presigned(self):
        body = b"{}"
        target, headers = self.admin.presigned(self.host, TARGET + "ListTables", body)
        self.assertEqual(self.send(headers, body, target=target)[0], 200)
        self.refused(MISMATCH, headers, b"{ }", target=target)
        self.refused(MISMATCH, headers, body, target=target + "&a=b")
        self.refused(MISMATCH, headers, body, target=target.replace("Expires=60", "Expires=6000"))
        self.refused(MISMATCH, [*headers, ("Authorization", "AWS4-")], body, target=target)
        self.refused(MISMATCH, [*headers, ("X-Amz-Extra", "x")], body, target=target)
        old = sigv4.now() - datetime.timedelta(seconds=90)
        target, headers = self.admin.presigned(self.host, TARGET + "ListTables", body, old)
        self.refused(MISMATCH, headers, body, target=target)
        target, headers = self.admin.presigned(self.host, TARGET + "ListTables", body, old, 120)
        self.assertEqual(self.send(headers, body, target=target)[0], 200)
        for expires in ("0", "-1", "604801", "1e9", "99999999999999999999", "x"):
            target, headers = self.admin.presigned(
                self.host, TARGET + "ListTables", body, expires=expires)
            self.refused("IncompleteSignatureException", headers, body, target=target)
        for missing in ("X-Amz-Signature", "X-Amz-Credential", "X-Amz-SignedHeaders", "X-Amz-Date"):
            target, headers = self.admin.presigned(self.host, TARGET + "ListTables", body)
            pairs = [pair for pair in urllib.parse.parse_qsl(target[2:]) if pair[0] != missing]
            self.refused("IncompleteSignatureException", headers, body,
                         target="/?" + urllib.parse.urlencode(pairs))

    def test_the_body_is_signed_as_it_is_sent(self):
        import gzip  # pylint: disable=import-outside-toplevel
        body = gzip.compress(b"{}")
        self.assertEqual(self.send([*self.headers(body), ("Content-Encoding", "gzip")], body)[0], 200)
        self.refused(MISMATCH, [*self.headers(b"{}"), ("Content-Encoding", "gzip")], body)
        unsigned = self.headers(extra=[("X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD")])
        self.refused(MISMATCH, unsigned, b"{ }")

    def test_pages_for_operators(self):
        for path in ("/", "/health", "/ready", "/metrics"):  # metrics: from this machine
            status, _, text = self.send([("Host", self.host)], b"", target=path, method="GET")
            self.assertEqual(status, 200, path)
            for secret in (SECRET, OTHER_SECRET, TOKEN):
                self.assertNotIn(secret, text)

    def test_faults_come_in_the_order_of_aws(self):
        headers = [(name, value) for name, value in self.headers(b"hi") if name != "Authorization"]
        self.refused("SerializationException", headers, b"hi")
        unknown = [(name, TARGET + "Nonsense" if name == "X-Amz-Target" else value)
                   for name, value in headers]
        self.refused("UnknownOperationException", unknown)

    def test_secrets_stay_out_of_the_log(self):
        self.client("ADMIN", SECRET).list_tables()
        self.send(self.headers(signer=sigv4.Signer("VISITOR", OTHER_SECRET, token=TOKEN)))
        self.send(self.headers(signer=sigv4.Signer("VISITOR", SECRET, token=TOKEN)))
        self.server.errors.seek(0)
        log = self.server.errors.read()
        self.assertIn("ListTables", log)
        for secret in (SECRET, OTHER_SECRET, TOKEN, "AWS4-HMAC"):
            self.assertNotIn(secret, log)

    def test_credentials_are_read_again_on_sighup(self):
        new = "[[access_key]]\nid = \"NEW\"\nsecret = \"new secret\"\n"
        self.write(CREDENTIALS + new)
        self.addCleanup(self.write, CREDENTIALS)
        client = self.client("NEW", "new secret")
        self.until(client, 200)
        self.write("[[access_key]]\nid = 1\n")  # not understood: nothing changes
        self.hang_up()
        self.until_logged('"event":"reload"')
        self.assertEqual(client.list_tables()["TableNames"], [])
        self.write(CREDENTIALS)
        self.until(client, 400)
        self.assertEqual(self.send(self.headers())[0], 200)

    def hang_up(self):
        self.server.process.send_signal(signal.SIGHUP)

    def until(self, client, status):
        self.hang_up()
        for _ in range(500):
            try:
                client.list_tables()
                found = 200
            except ClientError as error:
                found = error.response["ResponseMetadata"]["HTTPStatusCode"]
            if found == status:
                return
            time.sleep(0.02)
        self.fail(f"never {status}")

    def until_logged(self, text):
        for _ in range(500):
            self.server.errors.seek(0)
            if text in self.server.errors.read():
                return
            time.sleep(0.02)
        self.fail(f"{text} was never logged")


class Starting(unittest.TestCase):
    """What is wrong with the file is told before anything is served, and without its secrets."""

    def start(self, text, *arguments):
        with ScratchDirectory() as directory:
            path = os.path.join(directory, "c.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            from server_process import PROGRAM  # pylint: disable=import-outside-toplevel
            done = subprocess.run([PROGRAM, "serve", "--in-memory", "--port", "0", "--credentials",
                                   path, *arguments], capture_output=True, text=True, timeout=30,
                                  check=False)
            self.assertNotEqual(done.returncode, 0, text)
            self.assertNotIn("sesame", done.stdout + done.stderr)
            return done.stderr

    def test_files_that_are_refused(self):
        key = '[[access_key]]\nid = "A"\nsecret = "sesame"\n'
        statement = key + '[[access_key.statement]]\nEffect = "Allow"\nAction = "*"\n'
        for text, part in (
                ("", "it is empty"),
                ("# nobody\n", "no access key"),
                (key + "secret = \"sesame\"", "this is not TOML"),
                (key + "sesame", "this is not TOML"),
                ('[[access_key]]\nid = "A"\n', "c.toml:1: 'secret' must be a text"),
                (key + 'password = "sesame"\n', "there is no 'password' here"),
                (key + key, "there is another access key 'A'"),
                ('[[access_key]]\nid = "A/B"\nsecret = "sesame"\n', "letters, digits"),
                (key + 'user = "a*"\n', "letters, digits"),
                (statement, "either Resource or NotResource"),
                (statement + 'Resource = "Songs"\n', "'Songs' is no ARN"),
                (statement + 'Resource = "*"\nPrincipal = "*"\n', "there is no 'Principal' here"),
                (statement + 'Resource = "*"\nCondition.StringWish = {a = "b"}\n',
                 "'StringWish' is no condition operator"),
                (statement + 'Resource = "*"\nCondition.StringEquals = {"aws:x" = "b"}\n',
                 "'aws:x' is no condition key"),
                (statement + 'Resource = "*"\nCondition = "x"\n', "must be a table"),
                (statement + 'Resource = 5\n', "must be a text or a list of texts")):
            self.assertIn(part, self.start(text), text)

    def test_anonymous_and_credentials_exclude_each_other(self):
        self.assertIn("exclude each other", self.start("", "--allow-anonymous"))

    def test_a_file_that_is_not_there(self):
        with self.assertRaisesRegex(RuntimeError, "cannot read the credentials file /nowhere"):
            ServerProcess("--in-memory", arguments=("--credentials", "/nowhere"))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
