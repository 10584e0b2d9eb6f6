# SPDX-License-Identifier: Apache-2.0

"""Repeats one costly request over many connections and measures its effect on others.

Prints a line of JSON: how many requests were answered and how, and how long /healthz took meanwhile. Talks to 127.0.0.1 alone, for so many
seconds and no longer.
"""

import argparse
import base64
import collections
import itertools
import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import time
import zlib

PLAIN = 5 << 20


def fill(start, piece, end, size, join=b","):
    """Returns a document of about `size` bytes; `piece` may be a function of its number."""
    if callable(piece):
        parts, length, number = [], 0, 0
        while length < size:
            parts.append(piece(number))
            length += len(parts[-1]) + 1
            number += 1
        return start + join.join(parts) + end
    return start + join.join([piece] * max(1, size // (len(piece) + len(join)))) + end


def escaped(number):
    return b'"\\u006b%06x":1' % number


# Members, values and texts that were costly for a decoder. Each is used as an event's parameters or as a whole body.
SHAPES = {
    "members": lambda size: fill(b"{", lambda i: b'"k%06x":1' % i, b"}", size),
    "escaped": lambda size: fill(b"{", escaped, b"}", size),
    "duplicates": lambda size: fill(b"{", b'"a":1', b"}", size),
    "array": lambda size: fill(b"[", b"0", b"]", size),
    "objects": lambda size: fill(b"[", b"{}", b"]", size),
    "depth": lambda size: b"[" * 500 + b"]" * 500,
    "open": lambda size: b"[" * size,
    "string": lambda size: b'"' + b"a" * size + b'"',
    "escapes": lambda size: b'"' + b"\\u0041" * (size // 6) + b'"',
    "backslashes": lambda size: b'"' + b"\\\\" * (size // 2) + b'"',
    "digits": lambda size: b"1" * size,
    "numbers": lambda size: fill(b"[", b"1.7976931348623157e308", b"]", size),
    "minus": lambda size: b"-" * size,
    "nan": lambda size: fill(b"[", b"NaN", b"]", size),
    "quotes": lambda size: fill(b"[", b'""', b"]", size),
    "blank": lambda size: b"[" + b" " * size + b"]",
}


def native(value):
    return b'{"events":[{"name":"a","params":' + value + b"}]}"


def routes(key):
    """Places of a value of any shape: path, request head, and the body around the value. A path with `data=` receives the body."""
    bearer = f"Authorization: Bearer {key}\r\n"
    app = "1"
    sentry = f"X-Sentry-Auth: Sentry sentry_key={key}\r\n"
    capture = lambda value: b'{"event":"a","properties":{"token":"' + key.encode() + b'","x":' + value + b"}}"
    crash = b'{"crashes":[{"timestamp":"2026-01-01T00:00:00Z","type":"a","installation_id":"i","release":"a@1","context":{},"custom_keys":'
    return {
        "events": ("/v1/events", bearer, native),
        "events_around": ("/v1/events", bearer, lambda value: b'{"x":' + value + b',"events":[{"name":"a"}]}'),
        "events_lines": ("/v1/events", bearer + "Content-Type: application/x-ndjson\r\n", lambda value: b'{"name":"a","params":' + value + b"}\n" + b"{}\n" * 1000),
        "users": ("/v1/users", bearer, lambda value: b'{"users":[{"user_id":"a","properties":' + value + b"}]}"),
        "crashes": ("/v1/crashes", bearer, lambda value: crash + value + b"}]}"),
        "crashes_frames": ("/v1/crashes", bearer, lambda value: crash[:-14] + b'"frames":' + value + b"}]}"),
        "apple": ("/v1/crashes/report", bearer, lambda value: b'{"app_name":"a"}\n{"threads":' + value + b"}"),
        "store": (f"/api/{app}/store/", sentry, lambda value: b'{"message":"a","extra":' + value + b"}"),
        "envelope": (
            f"/api/{app}/envelope/", sentry,
            lambda value: b'{}\n{"type":"event"}\n{"message":"a","contexts":{"a":' + value + b"}}\n"),
        "store_packed": (f"/api/{app}/store/", sentry, lambda value: base64.b64encode(zlib.compress(b'{"message":"a","extra":' + value + b"}"))),
        "ga4": (f"/mp/collect?api_secret={key}", "", lambda value: b'{"app_instance_id":"a","events":[{"name":"a","params":' + value + b"}]}"),
        "segment": ("/v1/batch", "", lambda value: b'{"batch":[{"type":"track","event":"a","anonymousId":"i","properties":' + value + b'}],"writeKey":"' + key.encode() + b'"}'),
        "segment_root": (
            "/v1/batch", "",
            lambda value: b'{"batch":[' + b",".join([b'{"type":"track","event":"a"}'] * 400) + b'],"context":' + value + b',"writeKey":"' + key.encode() + b'"}'),
        "posthog": ("/batch", "", lambda value: b'{"batch":[{"event":"a","distinct_id":"i","properties":' + value + b'}],"api_key":"' + key.encode() + b'"}'),
        "posthog_set": ("/batch", "", lambda value: b'{"batch":[{"event":"$set","distinct_id":"i","$set":' + value + b'}],"api_key":"' + key.encode() + b'"}'),
        "segment_calls": (
            "/v1/batch", "",
            lambda value: b'{"context":' + value + b',"batch":[' + b",".join([b'{"type":"track","event":"a"}'] * 2_000) + b'],"writeKey":"' + key.encode() + b'"}'),
        "posthog_form": ("/e/", "Content-Type: application/x-www-form-urlencoded\r\n",
                         lambda value: b"data=" + base64.b64encode(capture(value)).replace(b"+", b"%2B")),
        "posthog_packed": ("/e/", bearer, lambda value: zlib.compress(capture(value), 9, 31)),
        "posthog_query": ("/e/?data=", "", lambda value: base64.urlsafe_b64encode(capture(value))),
        "devices": ("/v1/devices", bearer, lambda value: b'{"platform":"ios","endpoint":' + value + b"}"),
    }


def coded(body, coding):
    if coding == "plain":
        return body, ""
    if coding == "gzip":
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        return packer.compress(body) + packer.flush(), "Content-Encoding: gzip\r\n"
    program = {"br": ["brotli", "-c", "-q", "5"], "zstd": ["zstd", "-c", "-q", "-9"]}[coding]
    packed = subprocess.run(program, input=body, stdout=subprocess.PIPE, check=True).stdout
    return packed, f"Content-Encoding: {coding}\r\n"


# Places with small values: calls that share one context, and query strings.
LARGEST = {"segment_calls": 60_000, "posthog_query": 9_000}


def request(route, shape, coding, key, size, client=None):
    path, fields, wrap = routes(key)[route]
    body = wrap(SHAPES[shape](min(size, LARGEST.get(route, size))))
    if client is not None:
        fields += f"X-Forwarded-For: 198.51.{client // 250}.{client % 250 + 1}\r\n"
    if path.endswith("data="):
        return f"GET {path}{body.decode()} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode()
    packed, field = coded(body, coding)
    kind = "" if "Content-Type" in fields else "Content-Type: application/json\r\n"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{fields}{kind}{field}Content-Length: {len(packed)}\r\n\r\n"
    return head.encode() + packed


class Attacker:
    """Connections that send a request, wait for the response, and repeat."""

    def __init__(self, port, requests, connections, seconds):
        self.port, self.requests, self.connections, self.seconds = port, requests, connections, seconds
        self.statuses = collections.Counter()
        self.failures = 0
        self.slowest = 0.0
        self.turn = 0

    def run(self):
        self.end = time.monotonic() + self.seconds
        selector = selectors.DefaultSelector()
        for _ in range(self.connections):
            self.connect(selector)
        while (now := time.monotonic()) < self.end:
            for entry, events in selector.select(0.1):
                self.step(selector, entry, events)
            if not selector.get_map():
                time.sleep(0.01)
        for entry in list(selector.get_map().values()):
            entry.fileobj.close()

    def connect(self, selector):
        if time.monotonic() >= self.end:
            return
        connection = socket.socket()
        connection.connect(("127.0.0.1", self.port))
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ | selectors.EVENT_WRITE, self.fresh())

    def fresh(self):
        self.turn += 1
        return {"rest": memoryview(self.requests[self.turn % len(self.requests)]), "answer": b"", "begun": time.monotonic()}

    def step(self, selector, entry, events):
        connection, state = entry.fileobj, entry.data
        try:
            if events & selectors.EVENT_READ:
                received = connection.recv(65536)
                if not received:
                    raise ConnectionError
                state["answer"] += received
                if b"\r\n\r\n" in state["answer"]:
                    return self.answered(selector, connection, state)
            if events & selectors.EVENT_WRITE and state["rest"]:
                state["rest"] = state["rest"][connection.send(state["rest"]):]
                if not state["rest"]:
                    selector.modify(connection, selectors.EVENT_READ, state)
        except OSError:
            self.failures += 1
            self.again(selector, connection)

    def answered(self, selector, connection, state):
        head, _, body = state["answer"].partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n")[1:]:
            if line.lower().startswith(b"content-length:"):
                length = int(line[15:])
        if len(body) < length:
            return
        self.statuses[head[9:12].decode()] += 1
        self.slowest = max(self.slowest, time.monotonic() - state["begun"])
        if state["rest"] or b"connection: close" in head.lower():
            self.again(selector, connection)
        else:
            selector.modify(connection, selectors.EVENT_READ | selectors.EVENT_WRITE, self.fresh())

    def again(self, selector, connection):
        selector.unregister(connection)
        connection.close()
        self.connect(selector)


def probe(port, seconds):
    """Requests /healthz a hundred times a second over one connection, in its own process so that it does not wait for the attacker."""
    if os.geteuid() == 0:
        # Measures the daemon's time, without this program's wait for a core that the attacker uses.
        os.nice(-15)
    end, times, failures = time.monotonic() + seconds, [], []
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    while time.monotonic() < end:
        begun = time.monotonic()
        try:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while b'"alive"}' not in answer:
                received = connection.recv(4096)
                if not received:
                    raise ConnectionError
                answer += received
            times.append(time.monotonic() - begun)
        except OSError:
            failures.append(1)
            connection = socket.create_connection(("127.0.0.1", port), timeout=30)
        time.sleep(max(0.0, 0.01 - (time.monotonic() - begun)))
    print(json.dumps({
        "healthz_ms": {"p50": quantile(times, 0.5), "p99": quantile(times, 0.99), "max": quantile(times, 1.0)}, "healthz_failed": len(failures)}))


def quantile(times, part):
    return round(sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000, 1) if times else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--key", default="unknown_key_of_nobody")
    parser.add_argument("--route", action="append", help="several are sent in turn; all of them by default")
    parser.add_argument("--shape", action="append", help="likewise")
    parser.add_argument("--coding", action="append", help="plain, gzip, br or zstd; gzip by default")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--clients", type=int, help="come from so many addresses, as told by a proxy")
    parser.add_argument("--unfinished", action="store_true", help="never send the last byte")
    parser.add_argument("--nice", type=int, default=0, help="the priority of what would be another machine")
    parser.add_argument("--announce", action="store_true", help="say when the requests are made and the attack begins")
    parser.add_argument("--size", type=int, default=PLAIN - (64 << 10))
    parser.add_argument("--probe", action="store_true", help="ask /healthz and attack nobody")
    options = parser.parse_args()
    if options.probe:
        return probe(options.port, options.seconds)
    codings = options.coding or ["gzip"]
    if missing := [name for coding, name in (("br", "brotli"), ("zstd", "zstd")) if coding in codings and not shutil.which(name)]:
        parser.error(f"needs the programs {missing}")
    kinds = list(itertools.product(options.route or routes(""), options.shape or SHAPES, codings))
    requests = [
        request(*kinds[number % len(kinds)], options.key, options.size, number % options.clients if options.clients else None)
        for number in range(max(len(kinds), options.clients or 0))
    ]
    if options.unfinished:
        requests = [request[:-1] for request in requests]
    if options.announce:
        print("begins", flush=True)
    attacker = Attacker(options.port, requests, options.connections, options.seconds)
    command = [sys.executable, __file__, "--probe", "--port", str(options.port), "--seconds", str(options.seconds)]
    prober = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    os.nice(options.nice)
    attacker.run()
    health = json.loads(prober.communicate()[0])
    print(json.dumps({
        "answered": dict(attacker.statuses), "closed": attacker.failures, "slowest_ms": round(attacker.slowest * 1000), **health}))


if __name__ == "__main__":
    main()
