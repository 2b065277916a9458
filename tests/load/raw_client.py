"""Clients that behave badly on purpose: raw sockets, and a look at what the server makes of them."""
import json
import os
import select
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import SIGNATURE  # noqa: E402

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def head_of(operation, length):
    return (f"POST / HTTP/1.1\r\nHost: h\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n"
            f"Content-Type: application/x-amz-json-1.0\r\n"
            f"{''.join(f'{name}: {value}' + chr(13) + chr(10) for name, value in SIGNATURE.items())}"
            f"{length}\r\n\r\n").encode()


def request_bytes(operation, request):
    body = json.dumps(request).encode()
    return head_of(operation, f"Content-Length: {len(body)}") + body


def chunked_bytes(operation, request, chunk_bytes):
    body = json.dumps(request).encode()
    chunks = [body[i:i + chunk_bytes] for i in range(0, len(body), chunk_bytes)]
    return (head_of(operation, "Transfer-Encoding: chunked")
            + b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n")


class RawClient:
    """One connection, byte by byte in our hands."""

    def __init__(self, port, timeout=60, receive_buffer=None):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:  # small, so that what is not read soon stays with the server
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect(("127.0.0.1", port))
        self.received = b""

    def send(self, data):
        self.socket.sendall(data)

    def _fill(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise ConnectionError("the server closed the connection")
        self.received += data

    def receive(self):
        """The next answer: (status, body)."""
        while b"\r\n\r\n" not in self.received:
            self._fill()
        head, _, rest = self.received.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, value in
                   (line.split(": ", 1) for line in lines[1:])}
        length = int(headers.get("content-length", 0))
        while len(rest) < length:
            self._fill()
            rest = self.received[len(head) + 4:]
        self.received = rest[length:]
        return int(lines[0].split()[1]), rest[:length]

    def at_end(self):
        """Whether the server closes without a further byte."""
        try:
            return not self.received and self.socket.recv(1) == b""
        except ConnectionError:
            return True

    def readable(self):
        return bool(select.select([self.socket], [], [], 0)[0])

    def reset(self):
        """Closes with RST instead of FIN."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self):
        self.socket.close()


class Usage:
    """What a process uses, from /proc."""

    def __init__(self, pid):
        self.folder = f"/proc/{pid}"

    def _status(self, name):
        with open(f"{self.folder}/status", encoding="ascii") as file:
            return int(next(line for line in file if line.startswith(name + ":")).split()[1])

    def resident_bytes(self):
        return self._status("VmRSS") * 1024

    def forget_peak(self):
        with open(f"{self.folder}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")

    def peak_bytes(self):
        """The most that was resident since forget_peak."""
        return self._status("VmHWM") * 1024

    def virtual_bytes(self):
        return self._status("VmSize") * 1024

    def threads(self):
        return self._status("Threads")

    def descriptors(self):
        return len(os.listdir(f"{self.folder}/fd"))

    def processor_seconds(self):
        with open(f"{self.folder}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


def wait_until(holds, seconds=60):
    """Whether it came to hold in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
