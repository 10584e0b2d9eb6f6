# SPDX-License-Identifier: Apache-2.0

"""Compares the times of requests about addresses with an account and without one: strangers.py PORT KEY [TIMINGS].

Medians must differ by less than 5 %. Each account and each network is asked once, so no limit answers instead. Codes need a mail server
in the configuration and the methods `password,code` in the app; otherwise the check fails.
"""

import json
import socket
import statistics
import sys
import time


class Client:
    def __init__(self, port: int, key: str, network: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        # Head and body go out at once; a delayed acknowledgement would hide every difference.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.key, self.network = key, network
        self.count = 0

    def timed(self, path: str, body: dict) -> tuple[float, int]:
        self.count += 1
        content = json.dumps(body).encode()
        address = f"10.{77 + self.network}.{self.count >> 8 & 255}.{self.count & 255}"
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.key}\r\n"
            f"X-Forwarded-For: {address}\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        start = time.perf_counter()
        self.socket.sendall(head.encode() + content)
        status = self.receive()
        return time.perf_counter() - start, status

    def receive(self) -> int:
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.read()
        head, body = data.split(b"\r\n\r\n", 1)
        length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
        while len(body) < length:
            body += self.read()
        return int(head[9:12])

    def read(self) -> bytes:
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("the daemon closed the connection")
        return data


# The path, the body and the status that every request must get.
REQUESTS = {
    "sign-in": ("/v1/auth/sign-in", lambda email: {"method": "password", "email": email, "password": "guess guess guess"}, 401),
    "reset": ("/v1/auth/codes", lambda email: {"kind": "reset_password", "email": email}, 202),
    "code": ("/v1/auth/codes", lambda email: {"kind": "sign_in", "email": email}, 202),
}


def compare(name: str, client: Client, timings: int, first: int) -> bool:
    path, body, expected = REQUESTS[name]
    client.timed(path, body(f"first-{name}@example.org"))
    times: dict[str, list[float]] = {"known": [], "unknown": []}
    statuses = set()
    for number in range(first, first + timings):
        for kind, email in (("known", f"user{number}@example.org"), ("unknown", f"none{number}@example.org")):
            seconds, status = client.timed(path, body(email))
            times[kind].append(seconds)
            statuses.add(status)
    known, unknown = (statistics.median(times[kind]) * 1000 for kind in ("known", "unknown"))
    difference = abs(known - unknown) / max(known, unknown)
    print(f"{name}: {timings} each, medians {known:.3f} and {unknown:.3f} ms, {difference:.1%} apart, statuses {sorted(statuses)}")
    return difference < 0.05 and statuses == {expected}


def main(port: int, key: str, timings: int) -> None:
    results = [compare(name, Client(port, key, place), timings, place * timings) for place, name in enumerate(REQUESTS)]
    sys.exit(0 if all(results) else "strangers can tell who has an account")


main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1000)
