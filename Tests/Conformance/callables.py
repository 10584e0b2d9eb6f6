# SPDX-License-Identifier: Apache-2.0

"""Calls functions of firebase-functions, served unmodified by functions-framework, through the daemon: callables.py INGESTD."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import urllib.parse

from firebase_functions import https_fn
from daemon import Daemon, until

SOURCE = pathlib.Path(__file__).parent / "functions" / "main.py"
PROJECT = "old-shop-1a2b"
# The HTTP status and word of each code, as callable clients expect them.
CODES = {
    "cancelled": (499, "CANCELLED"), "unknown": (500, "UNKNOWN"), "invalid-argument": (400, "INVALID_ARGUMENT"),
    "deadline-exceeded": (504, "DEADLINE_EXCEEDED"), "not-found": (404, "NOT_FOUND"), "already-exists": (409, "ALREADY_EXISTS"),
    "permission-denied": (403, "PERMISSION_DENIED"), "resource-exhausted": (429, "RESOURCE_EXHAUSTED"),
    "failed-precondition": (400, "FAILED_PRECONDITION"), "aborted": (409, "ABORTED"), "out-of-range": (400, "OUT_OF_RANGE"),
    "unimplemented": (501, "UNIMPLEMENTED"), "internal": (500, "INTERNAL"), "unavailable": (503, "UNAVAILABLE"),
    "data-loss": (500, "DATA_LOSS"), "unauthenticated": (401, "UNAUTHENTICATED"),
}


@contextlib.contextmanager
def served(target, signature="http"):
    """Serves one function, as its own process, and yields its URL and its output."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Tokens of another issuer than Google's are accepted in the emulator only.
    environment = os.environ | {"FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:1", "GCLOUD_PROJECT": PROJECT, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "functions_framework", "--source", str(SOURCE), "--target", target, "--host", "127.0.0.1", "--port", str(port), "--signature-type", signature]
    with open(os.path.join(environment.get("TMPDIR", "/tmp"), f"signalbox-{os.getpid()}-{target}"), "w+") as output:
        os.unlink(output.name)
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)

        def text():
            return os.pread(output.fileno(), 1 << 20, 0).decode()

        def is_open():
            assert process.poll() is None, text()
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        try:
            until(is_open, f"functions-framework serves {target}")
            yield f"http://127.0.0.1:{port}/", text
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)


def define(app, name, url, **more):
    status, body = app.daemon.ask("PUT", f"/v1/functions/{name}", app.keys["admin"], {"url": url, "format": "firebase", **more})
    assert status in (200, 201), (status, body)


def call(app, name, data, bearer=None, more=None):
    fields = {"Content-Type": "application/json"} | (more or {})
    status, body = app.daemon.ask("POST", f"/v1/call/{app.id}/{name}", bearer, {"data": data}, fields)
    return status, json.loads(body)


def check_results(app):
    with served("add") as (url, _):
        define(app, "add", url, auth="none")
        long = {"@type": "type.googleapis.com/google.protobuf.Int64Value", "value": "9007199254740993"}
        status, body = call(app, "add", {"a": 1, "b": 2.5, "text": "ü\n\U0001f600", "none": None, "list": [[], {}]})
        assert (status, body["result"]["sum"]) == (200, 3.5), (status, body)
        assert body["result"]["data"]["text"] == "ü\n\U0001f600", body
        # Numbers of clients on iOS pass through, in both directions.
        status, body = call(app, "add", {"a": 1, "b": 2, "long": long})
        assert (status, body["result"]["data"]["long"]) == (200, long), (status, body)


def check_users(app, token, uid):
    with served("who") as (url, _):
        define(app, "who", url, auth="user")
        assert call(app, "who", None)[0] == 401
        status, body = call(app, "who", None, token, {"Firebase-Instance-ID-Token": "device-1"})
        assert (status, body) == (200, {"result": {"uid": uid, "token": "device-1"}}), (status, body)
        define(app, "who", url, auth="any")
        # The key is not passed on, so that the function sees nobody.
        status, body = call(app, "who", None, app.keys["ingest"])
        assert (status, body) == (200, {"result": {"uid": None, "token": None}}), (status, body)


def check_errors(app):
    with served("refuse") as (url, _):
        define(app, "refuse", url, auth="none")
        assert {code.value for code in https_fn.FunctionsErrorCode} - {"ok"} == set(CODES)
        for code, (http, word) in CODES.items():
            status, body = call(app, "refuse", code)
            details = {"code": code, "list": [1, None, "ü"]}
            assert (status, body) == (http, {"error": {"status": word, "message": f"refused: {code}", "details": details}}), (status, body)
    with served("crash") as (url, _):
        define(app, "crash", url, auth="none")
        status, body = call(app, "crash", 1)
        assert status == 500 and body["error"]["status"] == "INTERNAL" and "secret" not in json.dumps(body), (status, body)
    status, body = call(app, "crash", 1)
    assert (status, body["error"]["status"]) == (503, "UNAVAILABLE"), (status, body)


def check_tasks(app):
    with served("work") as (url, text):
        define(app, "work", url)
        status, body = app.daemon.ask("POST", "/v1/functions/work/tasks", app.keys["send"], {"data": {"order": "o-7"}})
        assert status == 201, (status, body)
        until(lambda: "worked o-7" in text(), lambda: text())


def check_files(app):
    path, trigger = "users/ann/ä b.txt", {"on": "file", "path": "users/{uid}/{rest=**}"}
    with served("stored", "cloudevent") as (url, text), served("removed", "cloudevent") as (other, words):
        define(app, "stored", url, triggers=[trigger | {"what": "finalized"}])
        define(app, "removed", other, triggers=[trigger | {"what": "deleted"}])
        target = f"/v1/files/shop/{urllib.parse.quote(path)}"
        fields = {"Content-Type": "text/plain", "X-Meta-Album": "summer"}
        status, body = app.daemon.ask("PUT", target, app.keys["admin"], 1234567, fields)
        assert status == 201, (status, body)
        until(lambda: "stored " in text(), lambda: text())
        kind = "google.cloud.storage.object.v1"
        assert f"stored shop {path} 7 text/plain {{'album': 'summer'}} {kind}.finalized" in text(), text()
        assert app.daemon.ask("DELETE", target, app.keys["admin"])[0] == 204
        until(lambda: f"removed shop {path} {kind}.deleted" in words(), lambda: words())
    for name in ("stored", "removed"):
        status, body = app.daemon.ask("GET", f"/v1/functions/{name}/runs", app.keys["read"])
        assert [run["state"] for run in json.loads(body)["items"]] == ["done"], body


def user(app):
    """Signs a user up as Firebase's clients do, whose tokens the library of functions reads."""
    app.set(auth_methods="password", project=PROJECT)
    account = {"email": "ana@example.org", "password": "correct horse battery staple", "returnSecureToken": True}
    status, body = app.daemon.ask("POST", f"/identitytoolkit.googleapis.com/v1/accounts:signUp?key={app.keys['ingest']}", None, account)
    assert status == 200, body
    made = json.loads(body)
    return made["idToken"], made["localId"]


def main(program):
    daemon = Daemon(program, INGESTD_FUNCTIONS_ADDRESSES='["127.0.0.0/8"]')
    try:
        app = daemon.app("shop")
        check_results(app)
        check_users(app, *user(app))
        check_errors(app)
        check_tasks(app)
        check_files(app)
    finally:
        daemon.stop(signal.SIGTERM)
    print(f"callables: results, users, {len(CODES)} error codes, tasks and events of files of firebase-functions")


if __name__ == "__main__":
    main(sys.argv[1])
