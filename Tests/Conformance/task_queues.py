# SPDX-License-Identifier: Apache-2.0

"""Adds and deletes tasks with Google's own SDK as its emulator, and verifies the requests of functions: task_queues.py INGESTD."""

import http.server
import json
import os
import queue
import signal
import sys
import threading

import firebase_admin
from firebase_admin import exceptions, functions
from standardwebhooks import Webhook

from daemon import Daemon, until


class Receiver(http.server.BaseHTTPRequestHandler):
    """The address of a function."""

    protocol_version = "HTTP/1.1"
    requests = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Receiver.requests.put(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def refused(error, action):
    try:
        action()
    except error:
        return
    raise AssertionError(f"no {error.__name__}")


def check(daemon, server):
    app = daemon.app("shop")
    definition = {"url": f"http://127.0.0.1:{server.server_port}/receipt", "format": "firebase"}
    status, made = daemon.ask("PUT", "/v1/functions/receipt", app.keys["admin"], definition)
    assert status == 201, made
    webhook = Webhook(json.loads(made)["secret"])
    os.environ["CLOUD_TASKS_EMULATOR_HOST"] = f"127.0.0.1:{daemon.port}"
    firebase_admin.initialize_app(options={"projectId": "shop"})
    tasks = functions.task_queue("receipt")

    first = tasks.enqueue({"data": {"order": "o-7"}})
    headers, body = Receiver.requests.get(timeout=30)
    assert json.loads(body) == {"data": {"order": "o-7"}}, body
    assert headers["x-cloudtasks-taskname"] == first and headers["x-cloudtasks-queuename"] == "receipt", headers
    assert webhook.verify(body, headers) == {"data": {"order": "o-7"}}

    given = tasks.enqueue({"order": 8}, functions.TaskOptions(task_id="o-8"))
    assert given == "o-8"
    headers, body = Receiver.requests.get(timeout=30)
    assert json.loads(body) == {"data": {"order": 8}} and headers["x-cloudtasks-taskname"] == "o-8", (headers, body)
    refused(exceptions.FirebaseError, lambda: tasks.enqueue({"order": 8}, functions.TaskOptions(task_id="o-8")))

    later = tasks.enqueue({"order": 9}, functions.TaskOptions(schedule_delay_seconds=3_600))
    assert app.get("/v1/functions/receipt/runs", state="waiting")["items"][0]["id"] == later
    tasks.delete(later)
    assert app.get("/v1/functions/receipt/runs", state="waiting")["items"] == []
    refused(exceptions.NotFoundError, lambda: tasks.delete(later))
    soon = tasks.enqueue({"order": 10}, functions.TaskOptions(schedule_delay_seconds=1))
    headers, body = Receiver.requests.get(timeout=30)
    assert headers["x-cloudtasks-taskname"] == soon, headers
    refused(exceptions.FirebaseError, lambda: functions.task_queue("other").enqueue({}))
    until(lambda: len(app.get("/v1/functions/receipt/runs", state="done")["items"]) == 3, "three runs are done")
    assert Receiver.requests.empty()


def main(program):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    daemon = Daemon(program, INGESTD_MODE="development", INGESTD_ACCOUNTS_EMULATOR="true")
    try:
        check(daemon, server)
    finally:
        daemon.stop(signal.SIGTERM)
    print("firebase-admin's task queue: enqueue, ID, delay, delete and refusals")


if __name__ == "__main__":
    main(sys.argv[1])
