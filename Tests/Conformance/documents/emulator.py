# SPDX-License-Identifier: Apache-2.0

"""Google's Firestore emulator, and random values of documents."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from daemon import Daemon

PACKAGED = "/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar"
JAR = pathlib.Path(os.environ.get("FIRESTORE_EMULATOR", PACKAGED))
PROGRAM = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
ROOT = "projects/p/databases/(default)/documents"
START_SECONDS = 180

NUMBERS = [{"integerValue": str(n)} for n in (0, 1, 2, -1, 3, 10, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63))] + [
    {"doubleValue": n}
    for n in (0.0, -0.0, 1.0, 1.5, -1.0, 2.0, 9007199254740992.0, "NaN", "Infinity", "-Infinity", 1e300, 5e-324, 9.223372036854775807e18, 0.1)
]
TEXTS = ["", "a", "b", "ab", "é", "e\u0301", "\U0001F600", "\uffff", "A", "z", "a\u0000b", "a\u0001"]
BYTES = [b"", b"\0", b"a", b"\xff", b"\0\xff"]
TIMES = ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000001Z", "1960-01-01T00:00:00.5Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"]
PLACES = [{"latitude": 0, "longitude": 0}, {"latitude": 1, "longitude": -1}, {"latitude": -1.5, "longitude": 2}, {"latitude": 1, "longitude": 1}]
NAMES = ["c/a", "c/b", "c/__id7__", "c/__id10__", "c/a/d/x", "b/a", "c/a0"]


class Emulator:
    """A process of the emulator with one connection. The authorization `owner` is not judged by rules."""

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = ["java", "-cp", str(JAR), PROGRAM, "--host", "127.0.0.1", "--port", str(port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.wait()

    def wait(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            try:
                return self.clear()
            except (OSError, http.client.HTTPException):
                self.connection.close()
                time.sleep(0.2)
        self.process.kill()
        raise SystemExit("the emulator did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def request(self, method, path, body=None, token="owner"):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self.connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None

    def documents(self, method, path, body=None, token="owner"):
        return self.request(method, f"/v1/{ROOT}{path}", body, token)

    def clear(self):
        self.request("DELETE", "/emulator/v1/projects/p/databases/(default)/documents")

    def store(self, documents):
        """Stores documents by path, without rules."""
        writes = [{"update": {"name": f"{ROOT}/{path}", "fields": fields}} for path, fields in documents.items()]
        status, answer = self.documents("POST", ":commit", {"writes": writes})
        assert status == 200, answer

    def rules(self, text):
        """Sets rules; returns why they are refused, or nothing."""
        body = {"rules": {"files": [{"name": "f", "content": text}]}}
        status, answer = self.request("PUT", "/emulator/v1/projects/p:securityRules", body)
        return None if status == 200 else message(answer)


@contextlib.contextmanager
def beside(program, **settings):
    """The emulator and a daemon, which ends whatever happens."""
    with Emulator() as emulator:
        daemon = Daemon(program, **settings)
        try:
            yield emulator, daemon
        finally:
            daemon.stop(signal.SIGTERM)


def message(answer):
    answer = answer[0] if isinstance(answer, list) else answer
    return answer["error"].get("message", "no reason")


def claims(uid, more):
    """The claims of the unsigned ID token of a user."""
    return {
        "iss": "https://securetoken.google.com/p", "aud": "p", "auth_time": 1, "user_id": uid, "sub": uid, "iat": 1, "exp": 4102444800,
        "firebase": {"identities": {}, "sign_in_provider": "custom"},
    } | more


def token(user):
    if user is None:
        return None
    parts = [{"alg": "none", "typ": "JWT"}, claims(*user)]
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts) + "."


class Values:
    """Random values. Few different ones, so that they meet."""

    def __init__(self, random):
        self.random = random

    def number(self):
        return self.random.choice(NUMBERS)

    def scalar(self):
        pick = self.random.choice
        kind = self.random.randrange(11)
        if kind < 4:
            return self.number()
        return [
            {"nullValue": None}, {"booleanValue": pick([True, False])}, {"stringValue": pick(TEXTS)},
            {"bytesValue": base64.b64encode(pick(BYTES)).decode()}, {"timestampValue": pick(TIMES)}, {"geoPointValue": pick(PLACES)},
            {"referenceValue": f"{ROOT}/{pick(NAMES)}"},
        ][kind - 4]

    def vector(self):
        numbers = [{"doubleValue": self.random.choice([0.0, 1.0, -1.5, 2.5])} for _ in range(self.random.randrange(1, 4))]
        return {"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"}, "value": {"arrayValue": {"values": numbers}}}}}

    def array(self, depth=0):
        return {"values": [self.value(depth + 1, in_array=True) for _ in range(self.random.randrange(4))]}

    def value(self, depth=0, in_array=False):
        chance = self.random.random()
        if chance < 0.72 or depth > 2:
            return self.scalar()
        if chance < 0.82 and not in_array:
            return {"arrayValue": self.array(depth)}
        if chance < 0.88 and not in_array:
            return self.vector()
        return {"mapValue": {"fields": {key: self.value(depth + 1) for key in self.random.sample(["x", "y", "z"], self.random.randrange(3))}}}

    def fields(self):
        fields = {key: self.value() for key in ("a", "b", "d-e") if self.random.random() < 0.8}
        if self.random.random() < 0.7:
            fields["c"] = self.value() if self.random.random() < 0.3 else {"mapValue": {"fields": {"x": self.value()}}}
        return fields
