# SPDX-License-Identifier: Apache-2.0

"""Firebase's SDK for functions in a page of another origin: it calls by its custom domain, and as at an emulator."""

import contextlib
import http.server
import json
import signal
import socket
import threading

from daemon import Daemon, same
from visit import Visit

PROJECT = "call-shop-1a2b"
SETTINGS = {"INGESTD_FUNCTIONS_ADDRESSES": '["127.0.0.0/8"]'}
EMULATOR = SETTINGS | {"INGESTD_MODE": "development", "INGESTD_ACCOUNTS_EMULATOR": "true"}
LONG, UNSIGNED = "type.googleapis.com/google.protobuf.Int64Value", "type.googleapis.com/google.protobuf.UInt64Value"
# The HTTP status of each word of the protocol. The code of the SDK is the word in small letters.
STATUSES = {
    "CANCELLED": 499, "UNKNOWN": 500, "INVALID_ARGUMENT": 400, "DEADLINE_EXCEEDED": 504, "NOT_FOUND": 404, "ALREADY_EXISTS": 409,
    "PERMISSION_DENIED": 403, "UNAUTHENTICATED": 401, "RESOURCE_EXHAUSTED": 429, "FAILED_PRECONDITION": 400, "ABORTED": 409, "OUT_OF_RANGE": 400,
    "UNIMPLEMENTED": 501, "INTERNAL": 500, "UNAVAILABLE": 503, "DATA_LOSS": 500,
}
SENT = "{text: 'ü\\n😀', none: null, yes: true, half: 1.5, list: [1, [], {}, [{a: 'b'}]], deep: {a: {b: {c: [null]}}}, at: new Date(1795741200000)}"
RECEIVED = {
    "text": "ü\n😀", "none": None, "yes": True, "half": 1.5, "list": [1, [], {}, [{"a": "b"}]], "deep": {"a": {"b": {"c": [None]}}}, "at": "2026-11-27T01:00:00.000Z",
}
DETAILS = {"field": "order", "list": [1, None, "ü"]}


class Code(http.server.ThreadingHTTPServer):
    """The addresses of an app's functions, one a path."""

    daemon_threads = True

    def __init__(self):
        self.released, self.left, self.bodies = threading.Event(), threading.Event(), []
        super().__init__(("127.0.0.1", 0), _Functions)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def address(self, name):
        return f"http://127.0.0.1:{self.server_address[1]}/{name}"


class _Functions(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.bodies.append(request)
        getattr(self, self.path.strip("/"))(request["data"], request["context"])

    def echo(self, data, context):
        self.answer({"result": data})

    def who(self, data, context):
        user = context.get("auth") or {}
        self.answer({"result": {"uid": user.get("uid"), "email": user.get("claims", {}).get("email")}})

    def long(self, data, context):
        self.answer({"result": [{"@type": LONG, "value": "-9007199254740991"}, {"a": {"@type": UNSIGNED, "value": data["value"]}}]})

    def refuse(self, word, context):
        self.answer({"error": {"status": word, "message": f"refused: {word}", "details": DETAILS}}, STATUSES[word])

    def crash(self, data, context):
        self.answer("a secret of the function", 500)

    def slow(self, data, context):
        self.server.released.wait()

    def release(self, data, context):
        self.server.released.set()
        self.answer({"result": None})

    def count(self, data, context):
        """Sends a message, and the others once `release` was called, which only a caller does that has the first."""
        if "text/event-stream" not in self.headers.get("Accept", ""):
            return self.answer({"result": data["to"]})
        self.begin_events()
        for number in range(data["to"]):
            self.event({"message": {"n": number, "long": {"@type": LONG, "value": f"{number}"}}})
            self.server.released.wait()
        self.event({"error": {"status": "ABORTED", "message": "enough", "details": DETAILS}} if data.get("fails") else {"result": {"total": data["to"]}})

    def linger(self, data, context):
        """Sends a message, and waits until the daemon closes the connection."""
        self.begin_events()
        self.event({"message": data})
        with contextlib.suppress(ConnectionError):
            self.rfile.read(1)
        self.server.left.set()

    def answer(self, body, status=200):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def begin_events(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, body):
        self.wfile.write(b"data: " + json.dumps(body).encode() + b"\n\n")

    def log_message(self, *_):
        pass


class Calls:
    """A page with the SDK, whose user calls functions."""

    def __init__(self, browser, site, daemon, name, bundle, code, **more):
        self.daemon, self.code = daemon, code
        self.visit = Visit(browser, site, daemon, "firebase_functions", name, bundle, project=PROJECT, **more)
        self.page, self.app = self.visit.page, self.visit.app
        self.app.set(project=PROJECT, auth_methods=["password"])
        for function in ("echo", "long", "refuse", "crash", "count", "linger", "release"):
            self.define(function, auth="none")
        self.define("who", auth="user")
        self.define("slow", auth="none", timeout=1)

    def define(self, name, url=None, **more):
        body = {"url": url or self.code.address(name)} | more
        status, answer = self.daemon.ask("PUT", f"/v1/functions/{name}", self.app.keys["admin"], body)
        assert status in (200, 201), answer

    def call(self, name, data="null", options="{}"):
        return self.page.run(f"call('{name}', {data}, {options})")

    def stream(self, name, data, then="() => {}"):
        self.code.released.clear()
        return self.page.run(f"stream('{name}', {data}, {then})")


def functions(browser, site, daemon, name, bundle):
    code = Code()
    emulator = Daemon(daemon.program, **EMULATOR)
    try:
        for address, more in ((daemon, {"domain": "1"}), (emulator, {})):
            calls = Calls(browser, site, address, f"{name} {'domain' if more else 'emulator'}", bundle, code, **more)
            check_results(calls)
            check_errors(calls)
            check_ends(calls)
            check_streams(calls)
            check_users(calls)
            urls = [request["url"] for request in calls.page.requests.values()]
            allowed = (address.url, calls.visit.address.split("/pages")[0], "data:", "about:")
            same([url for url in urls if not url.startswith(allowed)], [], "requests to other servers")
            calls.page.close()
    finally:
        code.released.set()
        emulator.stop(signal.SIGTERM)


def check_results(calls):
    same(calls.call("echo", SENT), {"data": RECEIVED}, "nested values")
    for value in ("null", "''", "0", "false", "[]", "'ü'"):
        same(calls.call("echo", value), {"data": json.loads(value.replace("'", '"'))}, f"the value {value}")
    # A number beyond a double of other clients reaches the function with its type; pages get a number.
    same(calls.call("long", f"{{'@type': '{UNSIGNED}', value: '12'}}"), {"data": [-9007199254740991, {"a": 12}]}, "long numbers")
    same(calls.code.bodies[-1]["data"], {"@type": UNSIGNED, "value": "12"}, "a long number that was sent")
    same(calls.call("echo", "'x'.repeat(2e6)")["data"], "x" * 2_000_000, "a long text")


def plain(found, status):
    """An error without the status of HTTP, which newer versions of the SDK add to its message. Events of streams have status 0."""
    return found | {"message": found["message"].removesuffix(f" [{status}]")}


def check_errors(calls):
    for word, status in STATUSES.items():
        wanted = {"code": f"functions/{word.lower().replace('_', '-')}", "message": f"refused: {word}", "details": DETAILS}
        same(plain(calls.call("refuse", json.dumps(word)), status), wanted, f"error {word}")
    found = calls.call("crash")
    assert found["code"] == "functions/internal" and "secret" not in json.dumps(found), found


def check_ends(calls):
    """A deadline of the daemon and one of the page, an address without a server."""
    calls.code.released.clear()
    same(calls.call("slow")["code"], "functions/deadline-exceeded", "a slow function")
    same(calls.call("slow", options="{timeout: 100}")["code"], "functions/deadline-exceeded", "a deadline of the page")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        calls.define("gone", f"http://127.0.0.1:{free.getsockname()[1]}/", auth="none")
        same(calls.call("gone")["code"], "functions/unavailable", "an address without a server")


def check_streams(calls):
    release = "() => call('release')"
    messages = [{"n": number, "long": number} for number in range(3)]
    same(calls.stream("count", "{to: 3}", release), {"messages": messages, "data": {"total": 3}}, "a stream")
    found = plain(calls.stream("count", "{to: 1, fails: true}", release), 0)
    same(found, {"messages": messages[:1], "code": "functions/aborted", "message": "enough", "details": DETAILS}, "a stream with an error")
    same(calls.call("count", "{to: 3}"), {"data": 3}, "a function of streams without one")
    same(calls.stream("echo", "{a: 1}"), {"messages": [], "data": {"a": 1}}, "a stream of a function without messages")
    found = plain(calls.stream("refuse", "'NOT_FOUND'"), 0)
    same(found, {"messages": [], "code": "functions/not-found", "message": "refused: NOT_FOUND", "details": DETAILS}, "a stream that is refused")
    calls.code.left.clear()
    same(calls.page.run("leave('linger', 1)")["code"], "functions/cancelled", "a stream that the page leaves")
    assert calls.code.left.wait(20), "the function of a stream that the page left goes on"


def check_users(calls):
    same(calls.call("who")["code"], "functions/unauthenticated", "nobody")
    same(calls.stream("who", "null")["code"], "functions/unauthenticated", "a stream of nobody")
    user = calls.page.run("firebase.auth().createUserWithEmailAndPassword('ann@example.org', 'correct horse battery staple').then(made => made.user.uid)")
    same(calls.call("who"), {"data": {"uid": user, "email": "ann@example.org"}}, "the user")
    same(calls.stream("who", "null")["data"], {"uid": user, "email": "ann@example.org"}, "the user of a stream")
    same(calls.call("none")["code"], "functions/not-found", "no function")
    calls.app.post(f"/v1/auth/accounts/{user}/sign-out")
    same(calls.call("who")["code"], "functions/unauthenticated", "an ended session")
