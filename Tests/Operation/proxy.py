# SPDX-License-Identifier: Apache-2.0

"""Tests config/nginx.conf with a real nginx and a daemon: proxy.py PROGRAMS, with PROGRAMS the folder of ingestd."""

import http.client
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from activation import ActivatedDaemon, environment_of_tools
from expecting import expect, wait_for

CONFIG = pathlib.Path(__file__).parents[2] / "config" / "nginx.conf"
NAME = "signalbox.example.org"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """The documented file with other ports and a test certificate."""

    def __init__(self, folder, upstream, *more_changes):
        self.folder = folder
        self.plain, self.port = free_port(), free_port()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", f"/CN={NAME}",
             "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"],
            check=True, capture_output=True)
        site = CONFIG.read_text()
        for old, new in [
            ("unix:/run/ingestd/http.sock", upstream), ("listen 80;", f"listen 127.0.0.1:{self.plain};"), ("    listen [::]:80;\n", ""),
            ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"), ("    listen [::]:443 ssl http2;\n", ""),
            ("/etc/ssl/signalbox/fullchain.pem", f"{folder}/cert.pem"), ("/etc/ssl/signalbox/key.pem", f"{folder}/key.pem"),
            *more_changes,
        ]:
            assert old in site, old
            site = site.replace(old, new)
        temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        main = f"daemon off; pid {folder}/pid; error_log {folder}/error.log info; worker_processes 2;\n"
        owner = "user root;\n" if os.geteuid() == 0 else ""
        main += owner + f"events {{ worker_connections 1024; }}\nhttp {{ access_log off;\n{temporary}{site}}}\n"
        pathlib.Path(f"{folder}/nginx.conf").write_text(main)
        self.process = subprocess.Popen(["nginx", "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"], env=environment_of_tools())
        for _ in range(200):
            if self.process.poll() is not None:
                raise SystemExit("nginx does not start")
            if self.answers():
                return
            time.sleep(0.05)
        raise SystemExit("nginx does not answer")

    def answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def line(self, target, *options, port=None, scheme="https"):
        port = port or self.port
        return ["curl", "-sS", "--max-time", "60", "--cacert", f"{self.folder}/cert.pem", "--resolve", f"{NAME}:{port}:127.0.0.1",
                *options, f"{scheme}://{NAME}:{port}{target}"]

    def ask(self, target, *options, **where):
        """Returns status and body."""
        done = subprocess.run(self.line(target, "-w", "\n%{http_code}", *options, **where), capture_output=True, env=environment_of_tools())
        body, _, status = done.stdout.rpartition(b"\n")
        return int(status or 0), body.decode()

    def errors(self):
        lines = pathlib.Path(f"{self.folder}/error.log").read_text().splitlines()
        return [line for line in lines if "[error]" in line or "[crit]" in line][-8:]

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def bearer(key):
    return ["-H", f"Authorization: Bearer {key}"]


def post(proxy, key, body, *options, target="/v1/events"):
    with tempfile.NamedTemporaryFile(dir=proxy.folder) as file:
        file.write(body)
        file.flush()
        return proxy.ask(target, *bearer(key), "-H", "Content-Type: application/json", "-H", "Expect:", "--data-binary", f"@{file.name}", *options)


def send(proxy, key, target, body):
    return proxy.ask(target, *bearer(key), "-H", "Content-Type: application/json", "--data-binary", body)


def events_of(size):
    """Returns a body of that many bytes. A request has at most 2,000 events, so the rest is white space."""
    one = {"name": "large", "params": {f"p{n}": "x" * 90 for n in range(20)}}
    body = json.dumps([one] * 2_000).encode()
    return body + b" " * (size - len(body))


def large_symbols(folder):
    lines = b"MODULE Linux x86_64 7193BEE0742A21DB8CC905FCE5275ED00 Shop\nFUNC 10 10 0 entry\n"
    path = pathlib.Path(f"{folder}/symbols")
    path.write_bytes(lines + b"\n" * (17 << 20))
    return str(path)


def check_answers(proxy, keys):
    status, body = post(proxy, keys["ingest"], b'[{"name": "a"}]')
    expect("events are accepted over TLS and HTTP/2", status == 200 and json.loads(body)["accepted"] == 1, status)
    version = subprocess.run(proxy.line("/healthz", "-o", "/dev/null", "-w", "%{http_version}"), capture_output=True, env=environment_of_tools()).stdout
    expect("the proxy speaks HTTP/2 to clients", version == b"2", version.decode())
    expect("plain HTTP is redirected to TLS", proxy.ask("/healthz", port=proxy.plain, scheme="http")[0] == 308)
    status, body = post(proxy, keys["ingest"], events_of(5 << 20))
    expect("a body of 5 MiB is accepted", status == 200, status if status == 200 else body)
    status, body = post(proxy, keys["ingest"], events_of((5 << 20) + 1))
    expect("a larger body is rejected by the daemon", status == 413 and json.loads(body)["code"] == "too_large", f"{status} {body[:60]}")
    batch = b'{"batch": [{"type": "track", "event": "large", "userId": "u"}]' + b" " * (6 << 20) + b"}"
    status, body = post(proxy, keys["ingest"], batch, target="/v1/batch")
    expect("a batch of 6 MiB is accepted by Segment's integration", status == 200, status if status == 200 else body)
    status, body = post(proxy, keys["ingest"], batch + b" " * (11 << 20), target="/v1/batch")
    expect("a body above every limit gets the daemon's error response", status == 413 and json.loads(body)["code"] == "too_large", f"{status} {body[:60]}")
    page = ["-H", "Origin: https://shop.example"]
    status, body = post(proxy, keys["ingest"], batch + b" " * (11 << 20), *page, "-D", "-", target="/v1/batch")
    expect("a web page can read that response", status == 413 and "access-control-allow-origin: https://shop.example" in body.lower(), body[:300])
    status, body = proxy.ask("/v1/events", *page, "-X", "OPTIONS", "-H", "Access-Control-Request-Method: POST", "-D", "-")
    expect("a preflight is answered", status == 204 and "access-control-allow-origin: https://shop.example" in body.lower(), body[:300])
    status, _ = proxy.ask("/v1/symbols/7193bee0-742a-21db-8cc9-05fce5275ed0", *bearer(keys["admin"]), "-T", large_symbols(proxy.folder))
    expect("symbol files may be larger", status == 201, status)
    for name, method, target in [("files", "PUT", "/v1/files/shop/large"), ("Firebase's files", "POST", "/v0/b/shop/o?name=large")]:
        status, body = proxy.ask(target, *bearer(keys["admin"]), "-X", method, "-T", large_symbols(proxy.folder))
        expect(f"{name} may be larger", status in (200, 201), f"{status} {body[:120]}")
    expect("metrics are hidden from the outside", proxy.ask("/metrics")[0] == 404)


def check_rates(folder, daemon, keys):
    """Checks the limits for one address, lowered so that a few requests reach them."""
    os.mkdir(f"{folder}/rates")
    changes = [("rate=200r/s", "rate=1r/m"), ("burst=1000 nodelay", "burst=2 nodelay")]
    proxy = Proxy(f"{folder}/rates", daemon.upstream, *changes)
    try:
        statuses = [post(proxy, keys["ingest"], b'[{"name": "a"}]')[0] for _ in range(4)]
        expect("requests beyond the rate of an address get 429", statuses == [200, 200, 200, 429], statuses)
        status, body = post(proxy, keys["ingest"], b'[{"name": "a"}]', "-H", "Origin: https://shop.example", "-D", "-")
        head, _, text = body.replace("\r", "").partition("\n\n")
        expect("the response is one that clients know", status == 429 and json.loads(text)["code"] == "rate_limited" and "retry-after: 1" in head.lower(), body)
        expect("a web page can read it", "access-control-allow-origin: https://shop.example" in head.lower(), head)
    finally:
        proxy.stop()
    os.mkdir(f"{folder}/connections")
    proxy = Proxy(f"{folder}/connections", daemon.upstream, ("limit_conn signalbox_connections 500;", "limit_conn signalbox_connections 1;"))
    try:
        tail, lines = lines_of(proxy, "/v1/tail", *bearer(keys["read"]))
        expect("a connection above the limit of an address gets 429", wait_for(lambda: proxy.ask("/healthz")[0] == 429))
        tail.terminate()
        tail.wait()
        expect("it is served once the other has ended", wait_for(lambda: proxy.ask("/healthz")[0] == 200))
    finally:
        proxy.stop()


def check_client_address(folder, daemon, how):
    """Checks the client address that the daemon sees: metrics are for loopback clients, and nothing through a proxy is one."""
    os.mkdir(f"{folder}/open")
    tells = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"
    for name, line in [("that sends the client address", tells), ("that sends no client address", "proxy_set_header X-Real-IP $remote_addr;"),
                       ("that sends an invalid address", 'proxy_set_header X-Forwarded-For "$http_x_forwarded_for, unix:";')]:
        proxy = Proxy(f"{folder}/open", daemon.upstream, ("return 404;", "proxy_pass http://signalbox;"), (tells, line))
        try:
            for value in ["", "127.0.0.1", "203.0.113.9", "127.0.0.1, 203.0.113.9, 127.0.0.1"]:
                status = proxy.ask("/metrics", *(["-H", f"X-Forwarded-For: {value}"] if value else []))[0]
                expect(f"metrics stay closed over {how} behind a proxy {name} ({value or 'no header'})", status == 401, status)
            expect("the operator's routes are hidden from the outside", proxy.ask("/v1/apps")[0] == 404)
        finally:
            proxy.stop()


def lines_of(proxy, target, *options):
    process = subprocess.Popen(proxy.line(target, "-N", "--http1.1", *options), stdout=subprocess.PIPE, env=environment_of_tools())
    found = []
    reader = threading.Thread(target=lambda: found.extend(iter(process.stdout.readline, b"")), daemon=True)
    reader.start()
    return process, found


def check_streams(proxy, keys):
    tail, lines = lines_of(proxy, "/v1/tail", *bearer(keys["read"]))
    # Events sent before the tail is open are not streamed, so they are sent until one arrives.
    told = wait_for(lambda: post(proxy, keys["ingest"], b'[{"name": "told_at_once"}]')[0] == 200 and any(b"told_at_once" in line for line in lines))
    tail.terminate()
    tail.wait()
    expect("a tail gets events unbuffered", told)

    device = '{"token": "behind-the-proxy-1", "platform": "ios", "endpoint": {"type": "stream"}}'
    status, body = send(proxy, keys["ingest"], "/v1/devices", device)
    expect("a device is registered", status == 201, f"{status} {body[:120]}")
    target = "/v1/stream?token=behind-the-proxy-1"
    stream, lines = lines_of(proxy, target, *bearer(keys["ingest"]))
    status, body = send(proxy, keys["send"], "/v1/messages", '{"token": "behind-the-proxy-1", "notification": {"title": "hello there"}}')
    expect("a message is accepted", status in (200, 202), f"{status} {body[:120]}")
    told = wait_for(lambda: any(b"hello there" in line for line in lines))
    stream.terminate()
    stream.wait()
    expect("a device's stream gets messages unbuffered", told)
    status, body = proxy.ask(f"{target}&poll=1", *bearer(keys["ingest"]))
    expect("a poll returns unacknowledged messages", status == 200 and "hello there" in body, status)


class Load:
    """Clients that send one event after the other over a kept connection and record the responses."""

    def __init__(self, proxy, key, clients=16):
        self.proxy, self.key = proxy, key
        self.answers, self.going = [], True
        self.threads = [threading.Thread(target=self.send, args=(n,)) for n in range(clients)]
        for thread in self.threads:
            thread.start()

    def send(self, client):
        trust = ssl.create_default_context(cafile=f"{self.proxy.folder}/cert.pem")
        connection = http.client.HTTPConnection(NAME)
        connection.sock = trust.wrap_socket(socket.create_connection(("127.0.0.1", self.proxy.port), timeout=60), server_hostname=NAME)
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        # nginx closes a connection after 1,000 requests.
        for number in range(900):
            if not self.going:
                break
            connection.request("POST", "/v1/events", json.dumps([{"id": f"load-{client}-{number}", "name": "under_load"}]), headers)
            answer = connection.getresponse()
            answer.read()
            self.answers.append(answer.status)
        connection.close()

    def stop(self):
        self.going = False
        for thread in self.threads:
            thread.join()


def check_restarts(proxy, daemon, keys):
    load = Load(proxy, keys["ingest"])
    for count in range(1, 4):
        seen = len(load.answers)
        wait_for(lambda: len(load.answers) > seen + 500, 60)
        code = daemon.restart()
        expect(f"restart {count} under load ends well", code == 0, code)
    seen = len(load.answers)
    wait_for(lambda: len(load.answers) > seen + 200, 60)
    load.stop()
    statuses = {status: load.answers.count(status) for status in set(load.answers)}
    expect("every request during three restarts got 200", set(statuses) == {200}, f"{statuses} {proxy.errors()}")
    stored = sum(1 for line in daemon.command("export", "--app", "1").splitlines() if "under_load" in line)
    expect("each event was stored once", stored == len(load.answers), f"{stored} of {len(load.answers)}")


def main():
    program = os.path.abspath(f"{sys.argv[1]}/ingestd")
    with tempfile.TemporaryDirectory() as folder:
        # The documented file uses a socket file.
        daemon = ActivatedDaemon(program, folder, f"{folder}/http.sock")
        proxy = None
        try:
            keys = json.loads(daemon.command("app", "create", "shop", "--json"))["keys"]
            # The load of the tests comes from one address.
            proxy = Proxy(folder, daemon.upstream, ("rate=200r/s", "rate=100000r/s"))
            check_answers(proxy, keys)
            check_client_address(folder, daemon, "a socket file")
            check_streams(proxy, keys)
            check_rates(folder, daemon, keys)
            check_restarts(proxy, daemon, keys)
        finally:
            if proxy:
                proxy.stop()
            daemon.stop()
    with tempfile.TemporaryDirectory() as folder:
        daemon = ActivatedDaemon(program, folder)
        try:
            check_client_address(folder, daemon, "TCP")
        finally:
            daemon.stop()


main()
