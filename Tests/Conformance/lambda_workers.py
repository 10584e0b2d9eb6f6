# SPDX-License-Identifier: Apache-2.0

"""Calls functions of AWS Lambda, carried out by awslambdaric unmodified as worker programs: lambda_workers.py INGESTD."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from daemon import Daemon, same, until

FOLDER = pathlib.Path(__file__).resolve().parent / "functions"
CALLS = 10_000
# Two for each instance, so that calls wait, too.
CLIENTS = 8


def define(app, name, handler):
    """Names the program, and opens the function to everybody."""
    daemon = app.daemon
    common = ["--app", str(app.id), "--data", daemon.folder.name]
    command = ["--protocol", "lambda", "--folder", str(FOLDER), "--", sys.executable, "-m", "awslambdaric", handler]
    subprocess.run([daemon.program, "function", "worker", name, *common, *command], env=daemon.environment, check=True, capture_output=True)
    shown = [daemon.program, "function", "ls", *common, "--json"]
    items = json.loads(subprocess.run(shown, env=daemon.environment, check=True, capture_output=True).stdout)["items"]
    definition = next(item["definition"] for item in items if item["name"] == name) | {"auth": "none", "timeout": 3 if name == "sleep" else 60}
    file = pathlib.Path(daemon.folder.name) / f"{name}.json"
    file.write_text(json.dumps(definition))
    subprocess.run([daemon.program, "function", "set", name, str(file), *common], env=daemon.environment, check=True, capture_output=True)


def call(app, name, data, connection=None):
    connection = connection or http.client.HTTPConnection("127.0.0.1", app.daemon.port, timeout=120)
    body = json.dumps({"data": data})
    connection.request("POST", f"/v1/call/{app.id}/{name}", body=body, headers={"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def logged(app, name, text):
    def has_line():
        status, body = app.daemon.ask("GET", f"/v1/functions/{name}/logs?limit=1000", app.keys["read"])
        assert status == 200, body
        return any(text in line["line"] for line in json.loads(body)["items"])

    until(has_line, f"the log of {name} has {text}")


def check_results(app):
    define(app, "add", "handlers.add")
    event = {"a": 1, "b": 2.5, "text": "ü\n\U0001f600", "none": None, "list": [[], {}]}
    same(call(app, "add", event), (200, {"result": {"sum": 3.5, "event": event}}), "a result")
    define(app, "describe", "handlers.describe")
    found = call(app, "describe", "é")[1]["result"]
    assert found["id"].startswith("call_") and found["name"] == "describe" and found["arn"].endswith(":function:describe"), found
    assert 50_000 < found["left"] <= 60_000, found
    same(found["custom"]["type"], "call", "the type of a call")
    same({name: found["custom"]["context"][name] for name in ("app", "function", "depth")}, {"app": "shop", "function": "describe", "depth": 1}, "context")


def check_runs(app):
    status, body = app.daemon.ask("POST", "/v1/functions/add/tasks", app.keys["send"], {"data": {"a": 1, "b": 2}})
    assert status == 201, body
    run = json.loads(body)["id"]
    until(lambda: app.get(f"/v1/runs/{run}")["state"] == "done", "the run is done")


def check_errors(app):
    define(app, "fail", "handlers.fail")
    status, body = call(app, "fail", "missing")
    same((status, body["error"]["status"], body["error"]["message"]), (404, "NOT_FOUND", "no order"), "an exception named as a status")
    status, body = call(app, "fail", "other")
    same((status, body["error"]["status"], body["error"]["message"]), (500, "INTERNAL", "INTERNAL"), "any other exception")
    logged(app, "fail", "KeyError")
    logged(app, "fail", "about to fail")
    # The same process goes on.
    same(call(app, "fail", "missing")[0], 404, "a call after exceptions")


def check_start(app):
    define(app, "broken", "broken.any")
    status, body = call(app, "broken", 1)
    same((status, body["error"]["status"]), (500, "INTERNAL"), "a function that does not load")
    logged(app, "broken", "no database")


def check_deadline(app):
    define(app, "sleep", "handlers.sleep")
    same(call(app, "sleep", 0), (200, {"result": None}), "a short call")
    began = time.monotonic()
    status, body = call(app, "sleep", 60)
    same((status, body["error"]["status"]), (504, "DEADLINE_EXCEEDED"), "a call beyond its deadline")
    assert time.monotonic() - began < 20
    same(call(app, "sleep", 0), (200, {"result": None}), "a call after the kill")


def check_many(app):
    def some(first):
        connection = http.client.HTTPConnection("127.0.0.1", app.daemon.port, timeout=120)
        times = []
        for number in range(first, CALLS, CLIENTS):
            began = time.perf_counter()
            status, body = call(app, "add", {"a": number, "b": 1}, connection)
            times.append(time.perf_counter() - began)
            assert (status, body["result"]["sum"]) == (200, number + 1), (number, status, body)
        return times

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        times = sorted(time for times in pool.map(some, range(CLIENTS)) for time in times)
    same(len(times), CALLS, "calls")
    text = app.daemon.ask("GET", "/metrics")[1].decode()
    same("signalbox_function_workers 0\n" in text, False, "instances are kept")
    print(f"lambda_workers: {CALLS} calls of {CLIENTS} clients, p50 {times[CALLS // 2] * 1e3:.2f} ms, p99 {times[CALLS * 99 // 100] * 1e3:.2f} ms")


def main(program):
    daemon = Daemon(program, INGESTD_FUNCTIONS_WORKERS="true", PYTHONDONTWRITEBYTECODE="1")
    try:
        app = daemon.app("shop")
        for check in (check_results, check_runs, check_errors, check_start, check_deadline, check_many):
            check(app)
            print(f"lambda_workers: {check.__name__} is fine")
    finally:
        daemon.stop(signal.SIGTERM)


main(os.path.realpath(sys.argv[1]))
