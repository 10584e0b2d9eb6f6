# SPDX-License-Identifier: Apache-2.0

"""Measures the effect of costly requests on health checks, another app's events, memory and the service manager's watchdog.

Starts its own daemon in a folder of its own and ends it by its process. `cost.py BIN [--seconds N]`, BIN being the folder of the release build.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import attack

HEALTH_MS, KEPT, RESIDENT_MB, WATCH_S = 50, 0.7, 400, 15
PLAIN_MS, CODED_MS = 10, 30


class Daemon:
    """A daemon under a service manager that counts watchdog notifications."""

    def __init__(self, programs, folder, port):
        self.programs, self.folder, self.port = programs, folder, port
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(os.path.join(folder, "notify"))
        self.gap, self.resident, self.last, self.isOver = 0.0, 0, time.monotonic(), False
        environment = dict(
            os.environ, INGESTD_MODE="development", INGESTD_STORAGE_DIRECTORY=f"{folder}/data", INGESTD_SERVER_LISTEN=f"127.0.0.1:{port}",
            INGESTD_LOG_LEVEL="warning", NOTIFY_SOCKET=os.path.join(folder, "notify"), WATCHDOG_USEC=str(WATCH_S * 1_000_000))
        self.process = subprocess.Popen(
            [f"{programs}/ingestd"], env=environment, stdout=subprocess.DEVNULL, stderr=open(f"{folder}/log", "wb"))
        self.manager.settimeout(30)
        while b"READY=1" not in self.manager.recv(4096):
            pass
        threading.Thread(target=self.listen, daemon=True).start()
        threading.Thread(target=self.watch, daemon=True).start()
        keys = json.loads(pathlib.Path(f"{folder}/data/development-keys.json").read_text())
        self.key = find(keys, "ingest")

    def listen(self):
        self.manager.settimeout(1)
        while not self.isOver:
            try:
                if b"WATCHDOG=1" in self.manager.recv(4096):
                    self.last = time.monotonic()
            except TimeoutError:
                pass
            self.gap = max(self.gap, time.monotonic() - self.last)

    def watch(self):
        while not self.isOver:
            try:
                status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
            except OSError:
                return
            self.resident = max(self.resident, int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024)
            time.sleep(0.1)

    def begin(self):
        self.gap, self.resident, self.last = 0.0, 0, time.monotonic()

    def app(self, name):
        made = subprocess.run(
            [f"{self.programs}/ingestd", "app", "create", name, "--data", f"{self.folder}/data", "--json"], capture_output=True, check=True)
        return find(json.loads(made.stdout), "ingest")

    def end(self):
        self.isOver = True
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def find(value, name):
    """Returns the first string with a name in nested objects."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == name and isinstance(inner, str):
                return inner
            if found := find(inner, name):
                return found
    return None


def load(daemon, key, events, rate=None):
    """Returns the events a second of an app that is not attacked."""
    command = [f"{daemon.programs}/signalbox-bench", "load", "--port", str(daemon.port), "--key", key, "--events", str(events), "--clients", "64"]
    process = subprocess.run(command + (["--rate", str(rate)] if rate else []), capture_output=True, text=True)
    found = re.search(r": (\d+) events/s", process.stdout)
    return int(found[1]) if found else 0


def refusals(daemon):
    """Returns the milliseconds from the last byte of a body without a key to the response: the median of five per shape, and the worst shape."""
    for coding, bound in (("plain", PLAIN_MS), ("gzip", CODED_MS), ("zstd", CODED_MS), ("br", CODED_MS)):
        worst = (0.0, "")
        for route in ("segment", "segment_root", "posthog", "posthog_set", "envelope"):
            for shape in attack.SHAPES:
                times = [refusal(daemon, route, shape, coding) for _ in range(5)]
                worst = max(worst, (statistics.median(times), f"{route} {shape}"))
        verdict = "ok" if worst[0] <= bound else "TOO SLOW"
        print(f"unknown key, 5 MiB, {coding}: {worst[0]:.1f} ms at most ({worst[1]}), bound {bound} ms: {verdict}", flush=True)
        yield worst[0] <= bound


def refusal(daemon, route, shape, coding, made={}):
    name = (route, shape, coding)
    if name not in made:
        made.clear()
        made[name] = attack.request(route, shape, coding, "nobody", attack.PLAIN - (64 << 10)).replace(b"X-Sentry-Auth", b"X-Nothing")
    connection = socket.create_connection(("127.0.0.1", daemon.port), timeout=60)
    # All bytes but the last are sent before the clock starts.
    connection.sendall(made[name][:-1])
    time.sleep(0.15)
    begun = time.perf_counter()
    connection.sendall(made[name][-1:])
    answer = connection.recv(4096)
    taken = (time.perf_counter() - begun) * 1000
    connection.close()
    if answer[9:12] not in (b"401", b"403"):
        raise SystemExit(f"{name}: {answer[:200]!r}")
    return taken


def attacks():
    """Rows of a name and the arguments of attack.py."""
    routes = list(attack.routes(""))
    for route in routes:
        yield f"{route}, every shape, gzip", ["--route", route]
    for coding in ("br", "zstd"):
        yield f"every route and shape, {coding}", ["--coding", coding]
    yield "every route, four shapes, plain", ["--coding", "plain"] + shapes("escaped", "array", "minus", "quotes")
    yield "every route and shape, 60 kB, plain", ["--coding", "plain", "--size", "60000"]
    yield "every route and shape, 60 kB, gzip", ["--size", "60000"]
    yield "every route and shape, gzip, 500 clients", ["--clients", "500"]
    yield "unfinished bodies, plain, one client", ["--coding", "plain", "--shape", "array", "--unfinished", "--clients", "1"]
    yield "unfinished bodies, plain, 64 clients", ["--coding", "plain", "--shape", "array", "--unfinished", "--clients", "64"]
    nobody = [part for route in ("segment", "segment_root", "posthog", "posthog_form") for part in ("--route", route)]
    yield "no key, every shape, gzip", nobody
    yield "no key, every shape, gzip, 500 clients", nobody + ["--clients", "500"]
    yield "no key, unfinished bodies, 64 clients", nobody + ["--coding", "plain", "--shape", "array", "--unfinished", "--clients", "64"]
    yield "no key, every shape, plain", nobody + ["--coding", "plain"] + shapes("escaped", "array", "minus", "quotes")


def shapes(*names):
    return [part for name in names for part in ("--shape", name)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--port", type=int, default=8799)
    parser.add_argument("--nice", type=int, default=19, help="of the attacker, which would have cores of its own elsewhere")
    parser.add_argument("--only", help="attacks with this in their name alone")
    options = parser.parse_args()
    is_fine = True
    if not options.only:
        with running(options) as daemon:
            is_fine = all(list(refusals(daemon)))
    print("| 64 connections for %g s | answers | slowest s | /healthz p50 / p99 / max ms | other app: events/s alone, under attack | resident MB | watch s |" % options.seconds)
    print("|---|---|---|---|---|---|---|")
    for name, arguments in attacks():
        if not options.only or options.only in name:
            # A new daemon for each row, because the rate depends on the number of stored events.
            with running(options) as daemon:
                is_fine = row(daemon, options, name, arguments) and is_fine
    sys.exit(0 if is_fine else 1)


@contextlib.contextmanager
def running(options):
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(options.programs, folder, options.port)
        try:
            yield daemon
        finally:
            daemon.end()


def row(daemon, options, name, arguments):
    other = daemon.app("other")
    half = load(daemon, other, 1_000_000) // 2
    alone = load(daemon, other, half * 3, half)
    here = pathlib.Path(__file__).with_name("attack.py")
    key = [] if name.startswith("no key") else ["--key", daemon.key]
    told = ["--port", str(daemon.port), "--seconds", str(options.seconds), "--announce", "--nice", str(options.nice), *key, *arguments]
    attacker = subprocess.Popen([sys.executable, str(here), *told], stdout=subprocess.PIPE, text=True)
    attacker.stdout.readline()
    daemon.begin()
    rate = load(daemon, other, int(half * options.seconds * 0.8), half)
    result = json.loads(attacker.stdout.readline())
    attacker.wait()
    health, kept = result["healthz_ms"], rate / max(1, alone)
    answers = " ".join(f"{count}×{status}" for status, count in sorted(result["answered"].items())) + (f" {result['closed']} closed" if result["closed"] else "")
    is_fine = (
        health["p99"] is not None and health["p99"] < HEALTH_MS and kept >= KEPT and daemon.resident <= RESIDENT_MB and daemon.gap < WATCH_S
        and not result["healthz_failed"] and daemon.process.poll() is None)
    print(
        f"| {name} | {answers} | {result['slowest_ms'] / 1000:.1f} | {health['p50']} / {health['p99']} / {health['max']} | {alone}, {rate}: {kept:.2f} "
        f"| {daemon.resident} | {daemon.gap:.1f} |{'' if is_fine else ' **missed**'}", flush=True)
    return is_fine


if __name__ == "__main__":
    main()
