# SPDX-License-Identifier: Apache-2.0

"""Sends with Sentry's own clients to a daemon that is limited, stopped and killed meanwhile: sentry.py DAEMON SENTRY_CLI, with DAEMON the program.

Acknowledged data must be stored once, rate limits must be respected, and nothing may be stored twice.
"""

import json
import logging
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import sentry_sdk
import sentry_sdk.transport
from sentry_sdk.integrations.logging import LoggingIntegration


class Daemon:
    """A daemon on a folder of its own that can be restarted on the same port."""

    def __init__(self, program, folder):
        self.program, self.folder, self.port = program, folder, 0
        self.start()
        self.keys = json.load(open(f"{folder}/development-keys.json"))["keys"]

    def start(self):
        settings = {
            "INGESTD_MODE": "development",
            "INGESTD_SERVER_LISTEN": f"127.0.0.1:{self.port}",
            "INGESTD_STORAGE_DIRECTORY": self.folder,
        }
        self.process = subprocess.Popen([self.program], env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line.startswith("  curl"):
                self.port = int(line.split("127.0.0.1:")[1].split("/")[0])
                break
        # The remaining output is read, so that the pipe does not fill.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(30)

    def ask(self, method, path, role, body=None):
        headers = {"Authorization": f"Bearer {self.keys[role]}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def metrics(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=30) as answer:
            return answer.read().decode()

    @property
    def dsn(self):
        printed = subprocess.run(
            [self.program, "key", "list", "--data", self.folder, "--json"], capture_output=True, text=True, check=True)
        found = [key for key in json.loads(printed.stdout)["items"] if "dsn" in key]
        return found[0]["dsn"]


def until(condition, seconds=30):
    """Waits until the condition returns a true value and returns it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come to pass in time")


def issues(daemon):
    items, after = [], ""
    while True:
        page = daemon.ask("GET", f"/v1/issues?limit=100{after}", "read")
        items += page["items"]
        if "next" not in page:
            return {item["title"]: item for item in items}
        after = "&after=" + urllib.parse.quote(page["next"])


class Watched(sentry_sdk.transport.HttpTransport):
    """The SDK's transport, which also records the responses."""

    answers = []

    def _request(self, *arguments, **named):
        answer = super()._request(*arguments, **named)
        Watched.answers.append((answer.status, dict(answer.headers), answer.data))
        return answer


def start(daemon, **options):
    Watched.answers = []
    sentry_sdk.init(
        daemon.dsn, transport=Watched, release="shop@1.2.3", environment="conformance", server_name="host-1",
        integrations=[LoggingIntegration()], **options)


def divide(number):
    return 1 / number


def deep(number):
    return deep(number + 1)


def in_a_thread():
    def fail():
        raise ExceptionGroup("several", [ValueError("one"), KeyError("two")])

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()


def what_it_sends(daemon):
    start(daemon)
    sentry_sdk.set_user({"id": 4711, "email": "ann@example.com"})
    sentry_sdk.set_tag("flavour", "beta")
    sentry_sdk.add_breadcrumb(message="opened cart", category="ui.click")
    for number in (0, 0):
        try:
            divide(number)
        except ZeroDivisionError as error:
            sentry_sdk.capture_exception(error)
    try:
        try:
            int("x")
        except ValueError as error:
            raise RuntimeError("user 123 at 0x7fff5bf3456c") from error
    except RuntimeError as error:
        sentry_sdk.capture_exception(error)
    try:
        deep(0)
    except RecursionError as error:
        sentry_sdk.capture_exception(error)
    for user in (1, 2, 3):
        sentry_sdk.capture_message(f"user {user} failed after {user}5 ms")
        logging.getLogger("checkout").error("order %s for %d items failed", f"A-{user}", user)
    hook, threading.excepthook = threading.excepthook, lambda _: None
    in_a_thread()
    sentry_sdk.flush(10)
    threading.excepthook = hook
    assert {status for status, *_ in Watched.answers} == {200}, Watched.answers

    found = issues(daemon)
    by_type = {title.split(":")[0]: item for title, item in found.items()}
    assert by_type["ZeroDivisionError"]["count"] == 2 and by_type["ZeroDivisionError"]["kind"] == "nonfatal", found
    assert by_type["RuntimeError"]["count"] == 1 and by_type["RecursionError"]["count"] == 1, found
    messages = sorted(item["count"] for title, item in found.items() if title.startswith(("user ", "order ")))
    assert messages == [3, 3], found
    issue = by_type["ZeroDivisionError"]
    event = daemon.ask("GET", f"/v1/issues/{issue['id']}/events/latest", "read")
    report = event["report"]
    assert report["user_id"] == "4711" and report["release"] == "shop@1.2.3", report
    assert report["custom_keys"]["flavour"] == "beta" and report["breadcrumbs"][-1]["message"] == "opened cart", report
    assert report["exceptions"][-1]["frames"][-1]["function"] == "divide", report
    return len(found)


def unhandled(daemon):
    """Crashes and sessions of application processes."""
    program = (
        "import sentry_sdk, sys, threading\n"
        f"sentry_sdk.init({daemon.dsn!r}, release='shop@1.2.3', environment='conformance')\n"
        "sentry_sdk.set_user({'id': sys.argv[1]})\n"
        "sentry_sdk.get_isolation_scope().start_session(session_mode='application')\n"
        "if sys.argv[2] == 'crash': raise KeyError('nobody handles this')\n"
        "sentry_sdk.get_isolation_scope().end_session(); sentry_sdk.flush(10)\n")
    for user, what in (("ann", "crash"), ("bob", "leave"), ("carl", "leave")):
        subprocess.run([sys.executable, "-c", program, user, what], stderr=subprocess.DEVNULL, timeout=60)
    assert [item["kind"] for title, item in issues(daemon).items() if title.startswith("KeyError")] == ["fatal"]
    total = daemon.ask("GET", "/v1/query/crash-free?from=-1d", "read")["total"]
    assert total["users"] >= 3 and total["crashed_users"] >= 1, total
    return total


def rests_when_told(daemon):
    daemon.ask("PATCH", "/v1/app", "admin", {"events_per_minute": 3})
    start(daemon)
    for number in range(10):
        sentry_sdk.capture_message(f"too many, {number}")
        sentry_sdk.flush(10)
    daemon.ask("PATCH", "/v1/app", "admin", {"events_per_minute": 0})
    statuses = [status for status, *_ in Watched.answers]
    limited = [headers for status, headers, _ in Watched.answers if status == 429]
    assert len(limited) == 1 and statuses.count(200) >= 3, statuses
    found = [item["count"] for title, item in issues(daemon).items() if title.startswith("too many")]
    assert sum(found) == 3, found
    return 3


def survives(daemon, how):
    """Restarts the daemon while events are sent. Each acknowledged one is stored once, and no other twice."""
    name = how.name
    sent, kept = [], []
    start(daemon)
    stop = threading.Event()

    def send():
        while not stop.is_set():
            before = len(Watched.answers)
            id = sentry_sdk.capture_event({"message": f"{name} in the middle", "level": "error"})
            sentry_sdk.flush(10)
            sent.append(id)
            # The SDK's client reports are answered too, but without an event ID.
            if any(status == 200 and id.encode() in body for status, _, body in Watched.answers[before:]):
                kept.append(id)

    sender = threading.Thread(target=send)
    sender.start()
    until(lambda: len(kept) >= 20)
    daemon.end(how)
    before = len(sent)
    until(lambda: len(sent) > before)
    daemon.start()
    again = len(kept)
    until(lambda: len(kept) >= again + 20)
    stop.set()
    sender.join()
    counts = [item["count"] for title, item in issues(daemon).items() if f"{name} in the middle" in title]
    assert len(counts) == 1 and len(kept) <= counts[0] <= len(set(sent)), (counts, len(kept), len(sent))
    return len(kept)


SYMBOLS = pathlib.Path(__file__).parent.parent / "Fixtures" / "symbols"


def fat(*paths):
    """A fat file of several architectures: a table of offsets and the files."""
    places, bodies, at = [], b"", 4096
    for path in paths:
        thin = path.read_bytes()
        processor, variant = struct.unpack_from("<II", thin, 4)
        places.append(struct.pack(">IIIII", processor, variant, at, len(thin), 12))
        bodies += thin + bytes(-len(thin) % 4096)
        at = 4096 + len(bodies)
    return (struct.pack(">II", 0xCAFEBABE, len(paths)) + b"".join(places)).ljust(4096, b"\0") + bodies


def breakpad(number, functions=1):
    lines = [f"MODULE Linux x86_64 {number:032X}0 probe-{number}", "FILE 0 /src/probe.c"]
    for address in range(0x1000, 0x1000 + functions * 0x20, 0x20):
        lines += [f"FUNC {address:x} 20 0 function_{address:x}_of_{number}", f"{address:x} 20 {address & 0xFFF} 0"]
    return "\n".join(lines) + "\n"


def upload(daemon, program, folder, role="admin", *more):
    return subprocess.Popen(
        [program, "debug-files", "upload", "-o", "any", "-p", "default", *more, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "SENTRY_URL": f"http://127.0.0.1:{daemon.port}", "SENTRY_AUTH_TOKEN": daemon.keys[role]})


def uploaded(daemon, program, folder, *more):
    running = upload(daemon, program, folder, "admin", *more)
    said = running.communicate(timeout=120)[0]
    assert running.returncode == 0 and "ERROR" not in said, said


def known_symbols(daemon):
    items, after = [], ""
    while True:
        page = daemon.ask("GET", f"/v1/symbols?limit=100{after}", "read")
        items += page["items"]
        if "next" not in page:
            return sorted((item["format"], item["debug_id"].replace("-", "")[:32].lower()) for item in items)
        after = "&after=" + urllib.parse.quote(page["next"])


def with_the_program(daemon, program, folder):
    subprocess.run([program, "send-event", "-m", "from %s", "-a", "sentry-cli", "-r", "shop@1.2.3"],
                   env={**os.environ, "SENTRY_DSN": daemon.dsn}, check=True, capture_output=True, timeout=60)
    assert "from sentry-cli" in issues(daemon)
    # The client itself splits such a file.
    (folder / "Probe").write_bytes(fat(SYMBOLS / "Probe-arm64.dSYM", SYMBOLS / "Probe-x86_64.dSYM"))
    (folder / "probe.sym").write_text(breakpad(7))
    uploaded(daemon, program, folder, "--wait")
    known = known_symbols(daemon)
    assert [kind for kind, _ in known] == ["breakpad", "macho", "macho"], known
    for _ in range(2):
        uploaded(daemon, program, SYMBOLS)
    known = known_symbols(daemon)
    assert [kind for kind, _ in known] == ["breakpad", "elf", "macho", "macho"], known
    refused = upload(daemon, program, SYMBOLS, "read")
    refused.communicate(timeout=60)
    assert refused.returncode != 0
    return len(known)


def symbols_survive(daemon, program, folder, how):
    """Stops the daemon during uploads; after another upload each file is stored once."""
    before = known_symbols(daemon)
    first = 100 * how
    for number in range(first, first + 12):
        (folder / f"{number}.sym").write_text(breakpad(number, 40_000))
    running = upload(daemon, program, folder)
    until(lambda: any(pathlib.Path(daemon.folder, "uploads").iterdir()) or running.poll() is not None)
    daemon.end(how)
    daemon.start()
    said = running.communicate(timeout=300)[0]
    if running.returncode != 0:
        uploaded(daemon, program, folder)
    found = known_symbols(daemon)
    wanted = sorted(before + [("breakpad", f"{number:032x}") for number in range(first, first + 12)])
    assert found == wanted, (said, found)
    return "by itself" if running.returncode == 0 else "when it was called again"


def main(program, cli):
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(program, folder)
        try:
            print(f"sentry: {what_it_sends(daemon)} issues of sentry-sdk are as they were meant")
            print(f"sentry: sessions are counted: {unhandled(daemon)}")
            print(f"sentry: told to rest after {rests_when_told(daemon)} events, it does")
            with tempfile.TemporaryDirectory() as symbols:
                print(f"sentry: {with_the_program(daemon, cli, pathlib.Path(symbols))} symbol files of sentry-cli are there")
            for how in (signal.SIGTERM, signal.SIGKILL):
                print(f"sentry: {how.name}: all of {survives(daemon, how)} events are there once")
                with tempfile.TemporaryDirectory() as symbols:
                    print(f"sentry: {how.name}: sentry-cli brought all files, {symbols_survive(daemon, cli, pathlib.Path(symbols), how)}")
            lost = [line for line in daemon.metrics().splitlines() if line.startswith("signalbox_sentry_lost_total")]
            print("sentry: lost by clients since the start:", "; ".join(lost) or "nothing")
        finally:
            daemon.end()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
