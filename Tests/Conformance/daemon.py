# SPDX-License-Identifier: Apache-2.0

"""A daemon on a data folder of its own, and its apps, for the checks with real clients."""

import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse


def until(condition, what, seconds=60):
    """Waits until the condition holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what() if callable(what) else what}: not within {seconds} s"
        time.sleep(0.02)


class Daemon:
    """A daemon that keeps its address across restarts."""

    def __init__(self, program, **settings):
        self.program, self.folder = program, tempfile.TemporaryDirectory()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "INGESTD_STORAGE_DIRECTORY": self.folder.name, "INGESTD_SERVER_LISTEN": f"127.0.0.1:{self.port}", "INGESTD_LOG_LEVEL": "warning",
        } | settings
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.program, "serve"], env=self.environment, stdout=subprocess.DEVNULL)
        until(self.is_ready, "ready")

    def stop(self, how):
        self.process.send_signal(how)
        self.process.wait(timeout=60)

    def is_ready(self):
        try:
            return self.ask("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def ask(self, method, path, key=None, body=None, more=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = ({"Authorization": f"Bearer {key}"} if key else {}) | (more or {})
        connection.request(method, path, body=json.dumps(body) if body is not None else None, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def app(self, name):
        command = [self.program, "app", "create", name, "--json", "--data", self.folder.name]
        made = json.loads(subprocess.run(command, env=self.environment, check=True, capture_output=True).stdout)
        return App(self, made["app"], made["keys"])


class App:
    def __init__(self, daemon, identifier, keys):
        self.daemon, self.id, self.keys = daemon, identifier, keys

    def get(self, path, **query):
        status, body = self.daemon.ask("GET", f"{path}?{urllib.parse.urlencode(query)}", self.keys["admin"])
        assert status == 200, f"{path}: {status} {body[:300]!r}"
        return json.loads(body)

    def post(self, path):
        status, body = self.daemon.ask("POST", path, self.keys["admin"])
        assert status < 300, f"{path}: {status} {body[:300]!r}"

    def set(self, **settings):
        """Changes settings with the daemon's command, as only the operator may change some."""
        words = [f"{name}={','.join(value) if isinstance(value, list) else value}" for name, value in settings.items()]
        command = [self.daemon.program, "app", "set", str(self.id), *words, "--data", self.daemon.folder.name]
        subprocess.run(command, env=self.daemon.environment, check=True, capture_output=True)

    def names(self):
        items = self.get("/v1/query/top", field="name", limit=100, **{"from": "-2d"})["items"]
        return {item["name"]: item["value"] for item in items}

    def people(self):
        return self.get("/v1/query/active-users", **{"from": "-2d"})["total"]

    def properties(self, person, by="user"):
        found = self.get(f"/v1/users/{person}", by=by)["properties"]
        return {name: property["value"] for name, property in found.items()}

    def quarantined(self):
        return self.get("/v1/quarantine")["items"]

    def limit(self, perMinute):
        status, body = self.daemon.ask("PATCH", "/v1/app", self.keys["admin"], {"events_per_minute": perMinute})
        assert status == 200, body


def same(found, wanted, what):
    assert found == wanted, f"{what}: {found} instead of {wanted}"
