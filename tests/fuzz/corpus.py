#!/usr/bin/python3
"""Writes what the fuzzers start from: the requests of tests/api, one folder for each fuzzer.

Every operation the server knows must have a request there, so one without scripts is an error.
"""
import argparse
import glob
import gzip
import hashlib
import json
import os
import re
import sys
import zlib

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
REQUEST = re.compile(r"^([A-Z][A-Za-z]+)\s+(\{.*)$")
SCRIPT_LINES_MAX = 12  # as many as fuzz_server looks at
BODY_CHARACTERS_MAX = 3000

HTTP = [
    "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    "HEAD /ping HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: [::1]:8000\r\nConnection: close, x\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
    "Content-Type: application/x-amz-json-1.0\r\nContent-Length: 2\r\n\r\n{}",
    "POST /?a=b HTTP/1.1\r\nhost: h\r\nContent-Type: application/json; charset=utf-8\r\n"
    "Authorization: AWS4-HMAC-SHA256 Credential=a/20200101/us-east-1/dynamodb/aws4_request\r\n"
    "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
    "1\r\n{\r\n1;x=\"y\"\r\n}\r\n0\r\nTrailer: t\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n",
]


AUTHORIZATION = ("AWS4-HMAC-SHA256 Credential=KEY/20260101/us-east-1/dynamodb/aws4_request, "
                 "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64)
PRESIGNED = ("X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=TOKEN%2F20260101%2Fus-east-1%2F"
             "dynamodb%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=60&"
             "X-Amz-SignedHeaders=host%3Bx-amz-target&X-Amz-Security-Token=t&X-Amz-Signature=0a")
SIGNATURES = [AUTHORIZATION + "\n\n20260101T000000Z\n{}", "\n" + PRESIGNED + "\n\n{}",
              "AWS4-\nX-Amz-Algorithm\n\n", "AWS4-HMAC-SHA256 Signature=b, Credential\n\nd\n"]
CREDENTIALS = """[[access_key]]
id = "A"
secret = "sesame"
user = "a"
[[access_key.statement]]
Effect = "Allow"
Action = ["dynamodb:Get*", "dynamodb:Query"]
NotResource = "arn:aws:dynamodb:*:*:table/${aws:username}?/index/*"
Condition."ForAllValues:StringLike" = { "dynamodb:LeadingKeys" = ["a*"] }
Condition.Null = { "dynamodb:Select" = true }
"""


def expanded(text, variables):
    """The script's <placeholders>, as far as they can be known without running it."""
    text = re.sub(r"<repeat (.*?) (\d+)>", lambda m: m[1] * min(int(m[2]), 40), text)
    text = re.sub(r"<(\w+):(\d+)>", lambda m: str(variables.get(m[1], 1)).zfill(int(m[2])), text)
    return re.sub(r"<(\w+)>", lambda m: str(variables.get(m[1], '{"pk":{"S":"x"}}')), text)


def create_table(words):
    keys = [word.split(":") for word in words[1:]]
    return "CreateTable", json.dumps({
        "TableName": words[0], "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind}
                                 for name, kind in keys],
        "KeySchema": [{"AttributeName": name, "KeyType": role}
                      for (name, _), role in zip(keys, ("HASH", "RANGE"))]})


def requests_of(script):
    """[(operation, body in one line)]"""
    with open(script, encoding="utf-8") as file:
        lines = file.read().split("\n")
    found, variables, number = [], {}, 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.startswith("table "):
            found.append(create_table(line.split()[1:]))
        elif line.startswith("for "):
            variables[line.split()[1]] = int(line.split()[2])
        elif match := REQUEST.match(line):
            body = [match[2]]
            while number < len(lines) and not lines[number].startswith("=>"):
                body.append(lines[number])
                number += 1
            found.append((match[1], expanded(" ".join(body), variables)[:BODY_CHARACTERS_MAX]))
    return found


def expressions_of(body):
    try:
        document = json.loads(body)
    except ValueError:
        return
    for name, value in document.items():
        if name.endswith("Expression") and isinstance(value, str):
            # The target's placeholders have these names.
            yield re.sub(r"#\w+", "#n", re.sub(r":\w+", ":n", value))


def server_operations():
    with open(os.path.join(ROOT, "src/wire/dispatch.cc"), encoding="utf-8") as file:
        return sorted(set(re.findall(r'\{"(\w+)",\s*serve<', file.read())))


def write(folder, inputs):
    os.makedirs(folder, exist_ok=True)
    for data in inputs:
        with open(os.path.join(folder, hashlib.sha1(data).hexdigest()), "wb") as file:
            file.write(data)


def make(where):
    """Returns {fuzzer: folder}; fails when an operation has no request."""
    scripts = [requests_of(path) for path in sorted(glob.glob(f"{ROOT}/tests/api/*/*.api"))]
    requests = [request for script in scripts for request in script]
    missing = set(server_operations()) - {operation for operation, _ in requests}
    if missing or not server_operations():
        sys.exit(f"tests/api has no request to begin fuzzing from: {', '.join(sorted(missing))}")
    lines = [f"{operation} {body}".encode() for operation, body in requests]
    inputs = {
        "fuzz_json": lines,
        "fuzz_server": [b"\n".join(f"{operation} {body}".encode() for operation, body in
                                   script[start:start + SCRIPT_LINES_MAX])
                        for script in scripts for start in range(0, len(script), SCRIPT_LINES_MAX)]
                       + [b"\n".join([*lines[:1], line]) for line in lines],
        "fuzz_expression": [text.encode() for _, body in requests for text in expressions_of(body)],
        "fuzz_signature": [text.encode() for text in SIGNATURES],
        "fuzz_credentials": [CREDENTIALS.encode()],
        "fuzz_coding": [b"\0" + gzip.compress(b"{}" * 50) + gzip.compress(b" " * 9000),
                        b"\1" + zlib.compress(b'{"a":' * 40), b"\0gzip;q=0.5, *;q=1"],
        "fuzz_http": [b"\0\0" + text.encode() for text in HTTP],
    }
    folders = {}
    for fuzzer, data in inputs.items():
        folders[fuzzer] = os.path.join(where, fuzzer)
        write(folders[fuzzer], data)
    return folders


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("where", help="a folder, made if needed")
    for name, path in make(parser.parse_args().where).items():
        print(f"{len(os.listdir(path))} inputs in {path}")
