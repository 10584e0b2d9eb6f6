# SPDX-License-Identifier: Apache-2.0

"""Sends and subscribes with Google's own SDK with changed URLs, as a user would: firebase.py INGESTD."""

import asyncio
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import firebase_admin
import google.auth.credentials
import google.oauth2.credentials
from firebase_admin import credentials, exceptions, messaging


class FixedKey(credentials.Base):
    """A key of ours as the SDK's access token."""

    def __init__(self, key):
        self.credential = google.oauth2.credentials.Credentials(token=key)

    def get_credential(self):
        return self.credential


class Daemon:
    """The daemon on a folder that survives restarts."""

    def __init__(self, program, folder):
        self.program, self.folder, self.port, self.process = program, folder, 0, None

    def start(self, **settings):
        environment = dict(
            os.environ, INGESTD_MODE="development", INGESTD_SERVER_LISTEN=f"127.0.0.1:{self.port}", INGESTD_STORAGE_DIRECTORY=self.folder, **settings)
        self.process = subprocess.Popen([self.program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True)
        for line in self.process.stdout:
            if "msg=serving address=" in line:
                self.port = int(line.split("address=127.0.0.1:")[1].split()[0])
            if line.strip().startswith("admin "):
                break
        # The remaining output is read and dropped, so that the pipe does not fill.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(timeout=60)

    def keys(self):
        return json.load(open(f"{self.folder}/development-keys.json"))

    def call(self, method, path, key, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body=json.dumps(body or {}), headers={"Authorization": f"Bearer {key}"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")

    def device(self, key, token):
        status, _ = self.call("POST", "/v1/devices", key, {"token": token, "kind": "token", "platform": "linux", "endpoint": {"type": "stream"}})
        assert status in (200, 201), status

    def received(self, key, token):
        """The messages for a device so far; reading acknowledges none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", f"/v1/stream?token={token}&poll=1&since=0", headers={"Authorization": f"Bearer {key}"})
        lines = connection.getresponse().read().splitlines()
        return [json.loads(line)["data"] for line in lines if line.strip()]


def app(daemon, credential, project, name):
    """Changes three URLs of the SDK; the last one belongs to the object."""
    base = f"http://127.0.0.1:{daemon.port}"
    messaging._MessagingService.FCM_URL = base + "/v1/projects/{0}/messages:send"
    messaging._MessagingService.IID_URL = base
    made = firebase_admin.initialize_app(credential, {"projectId": project, "httpTimeout": 60}, name=name)
    messaging._get_messaging_service(made)._fcm_topic_url = f"{base}/v1/projects/{project}/registrations"
    return made


def raises(kind, call):
    try:
        call()
    except kind as error:
        assert type(error) is kind, f"{type(error)} instead of {kind}"
        return error
    raise AssertionError(f"{kind} was not raised")


def wait(condition, what):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def single(daemon, app, key):
    for token in ("phone-one", "phone-two"):
        daemon.device(key, token)
    added = messaging.subscribe_to_topic(["phone-one", "phone-two", "nobody-there"], "news", app)
    assert (added.success_count, added.failure_count) == (2, 1) and added.errors[0].index == 2, [e.reason for e in added.errors]
    assert messaging.subscribe_to_topic(["phone-one"], "news", app).success_count == 1, "who is in the topic is in it"
    note = messaging.Notification(title="T", body="B")
    android = messaging.AndroidConfig(ttl=3600.5, priority="high", collapse_key="c", notification=messaging.AndroidNotification(icon="i"))
    apns = messaging.APNSConfig(headers={"apns-priority": "5"}, payload=messaging.APNSPayload(messaging.Aps(badge=3)))
    options = messaging.FCMOptions(analytics_label="autumn")
    name = messaging.send(
        messaging.Message(topic="news", notification=note, data={"k": "v"}, android=android, apns=apns, fcm_options=options), app=app)
    assert name.startswith("projects/") and "/messages/msg_" in name, name
    messaging.send(messaging.Message(condition="'news' in topics && !('sport' in topics)", data={"n": "condition"}), app=app)
    messaging.send(messaging.Message(token="phone-one", data={"n": "token"}), app=app)
    messaging.send(messaging.Message(fid="phone-one", data={"n": "fid"}), app=app)
    assert "/messages/" in messaging.send(messaging.Message(token="phone-one", data={"n": "dry"}), dry_run=True, app=app)
    wait(lambda: len(daemon.received(key, "phone-one")) >= 4, "four messages for one phone")
    first, *others = daemon.received(key, "phone-one")
    assert [other["data"]["n"] for other in others] == ["condition", "token", "fid"], others
    assert first["notification"] == {"title": "T", "body": "B"} and first["label"] == "autumn" and first["collapse_key"] == "c", first
    assert first["priority"] == "high" and first["platform"]["apns"]["payload"]["aps"]["badge"] == 3, first
    assert first["platform"]["android"]["notification"]["icon"] == "i", first


def many(daemon, app, key):
    tokens = [f"crowd-{number:03}" for number in range(500)]
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda token: daemon.device(key, token), tokens))
    batch = messaging.send_each([messaging.Message(token=token, data={"n": "each"}) for token in tokens], app=app)
    assert batch.success_count == 500, batch.failure_count
    batch = asyncio.run(messaging.send_each_async([messaging.Message(token=token, data={"n": "async"}) for token in tokens], False, app))
    assert batch.success_count == 500, {str(answer.exception) for answer in batch.responses if answer.exception}
    batch = messaging.send_each_for_multicast(messaging.MulticastMessage(tokens=tokens[:499] + ["nobody-there"], data={"n": "cast"}), app=app)
    assert batch.success_count == 499 and isinstance(batch.responses[499].exception, messaging.UnregisteredError)
    for token in (tokens[0], tokens[250]):
        wait(lambda: len(daemon.received(key, token)) >= 3, "three messages for each of a crowd")
        assert [got["data"]["n"] for got in daemon.received(key, token)] == ["each", "async", "cast"]
    assert messaging.subscribe_to_topic(tokens, "crowd", app).success_count == 500
    assert daemon.call("GET", "/v1/topics/crowd", key)[1]["subscribers"] == 500
    assert messaging.unsubscribe_from_topic(tokens[:200], "crowd", app).success_count == 200
    legacy = messaging.unsubscribe_from_topic_legacy(tokens[200:] + ["nobody-there", "x"], "crowd", app)
    assert (legacy.success_count, legacy.failure_count) == (300, 2), (legacy.success_count, legacy.failure_count)
    assert [error.reason for error in legacy.errors] == ["NOT_FOUND", "INVALID_ARGUMENT"], [error.reason for error in legacy.errors]
    assert messaging.subscribe_to_topic_legacy(tokens, "crowd", app).success_count == 500
    assert daemon.call("GET", "/v1/topics/crowd", key)[1]["subscribers"] == 500


def errors(daemon, app, key):
    raises(messaging.UnregisteredError, lambda: messaging.send(messaging.Message(token="nobody-there", data={"a": "b"}), app=app))
    # As with Google's service, the SDK has no error class for an unregistered installation.
    raises(exceptions.NotFoundError, lambda: messaging.send(messaging.Message(fid="nobody-there", data={"a": "b"}), app=app))
    for bad in (
        messaging.Message(topic="news", data={"from": "x"}), messaging.Message(topic="news", data={"a": "x" * 5_000}),
        messaging.Message(condition="'a' in topics &&"), messaging.Message(token="no token"),
    ):
        raises(exceptions.InvalidArgumentError, lambda: messaging.send(bad, app=app))
    other = globals()["app"](daemon, FixedKey(key), "999", "other project")
    raises(messaging.SenderIdMismatchError, lambda: messaging.send(messaging.Message(topic="news", data={"a": "b"}), app=other))


def service_account(daemon, program, keys):
    """A service account file made by our command, with which the SDK signs its assertions."""
    command = [program, "key", "create", "--role", "send", "--app", str(keys["app"]), "--google-json", "--data", daemon.folder]
    made = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    path = pathlib.Path(daemon.folder, "account.json")
    path.write_text(json.dumps(made))
    own = app(daemon, credentials.Certificate(str(path)), made["project_id"], "service account")
    assert messaging.send(messaging.Message(topic="news", data={"n": "account"}), app=own)
    command = [program, "key", "revoke", made["client_id"], "--app", str(keys["app"]), "--data", daemon.folder]
    subprocess.run(command, check=True, capture_output=True)
    try:
        messaging.send(messaging.Message(topic="news", data={"n": "revoked"}), app=own)
    except Exception as error:
        assert "signature" in str(error) or isinstance(error, exceptions.UnauthenticatedError), error
    else:
        raise AssertionError("an access token outlived its key")


def under_pressure(daemon, key, project):
    """Limits the queue to one large change: others get 429, which the SDK does not retry, and succeed later."""
    own = app(daemon, FixedKey(key), project, "pressure")
    todo, done, refused = {str(number) for number in range(300)}, set(), 0
    crowd = {"to": "/topics/pressure", "registration_tokens": [f"crowd-{number:03}" for number in range(500)]}
    stop = threading.Event()

    def press():
        while not stop.is_set():
            for word in ("batchAdd", "batchRemove"):
                assert daemon.call("POST", f"/iid/v1:{word}", key, crowd)[0] in (200, 429)

    pressing = [threading.Thread(target=press) for _ in range(2)]
    for thread in pressing:
        thread.start()
    end = time.monotonic() + 60
    while todo and time.monotonic() < end:
        numbers = sorted(todo)
        batch = messaging.send_each([messaging.Message(token="phone-two", data={"n": number}) for number in numbers], app=own)
        for number, answer in zip(numbers, batch.responses):
            if answer.success:
                done.add(number)
            else:
                refused += 1
                assert isinstance(answer.exception, messaging.QuotaExceededError), answer.exception
                assert int(answer.exception.http_response.headers["Retry-After"]) >= 1
        todo -= done
        if refused:
            stop.set()
    stop.set()
    for thread in pressing:
        thread.join(timeout=60)
    assert not todo, "what is sent again gets through"
    assert refused, "nothing was refused"
    return refused


def around_a_kill(daemon, key, project, how):
    """Every acknowledged message is listed. One whose response was lost may exist twice, because the SDK sends it again."""
    own = app(daemon, FixedKey(key), project, f"kill {how}")
    answered, stop = [], threading.Event()

    def send(lane):
        number = 0
        while not stop.is_set():
            try:
                answered.append(messaging.send(messaging.Message(topic="news", data={"n": f"{how}-{lane}-{number}"}), app=own).split("/")[-1])
            except exceptions.FirebaseError:
                pass
            number += 1

    lanes = [threading.Thread(target=send, args=(lane,)) for lane in range(8)]
    for lane in lanes:
        lane.start()
    wait(lambda: len(answered) > 50, "messages before the end")
    daemon.stop(how)
    before = len(answered)
    daemon.start()
    wait(lambda: len(answered) > before + 50, "messages after the start")
    stop.set()
    for lane in lanes:
        lane.join(timeout=120)
    missing = [name for name in answered if daemon.call("GET", f"/v1/messages/{name}", key)[0] != 200]
    assert not missing and len(set(answered)) == len(answered), f"{len(missing)} answered messages are gone"
    return len(answered)


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(program, folder)
        try:
            daemon.start()
            keys = daemon.keys()
            key, project = keys["keys"]["send"], str(keys["app"])
            own = app(daemon, FixedKey(key), project, "fixed key")
            single(daemon, own, key)
            many(daemon, own, key)
            errors(daemon, own, key)
            service_account(daemon, program, keys)
            daemon.stop()
            daemon.start(INGESTD_MESSAGES_QUEUE="1")
            refused = under_pressure(daemon, key, project)
            daemon.stop()
            daemon.start()
            sent = [around_a_kill(daemon, key, project, how) for how in (signal.SIGTERM, signal.SIGKILL)]
        finally:
            if daemon.process and daemon.process.poll() is None:
                daemon.stop(signal.SIGKILL)
    print(f"firebase: all calls as with Google; {refused} refused for want of room and sent again; {sum(sent)} around an end and a kill, none lost")


# The SDK prefers `fid` to `token`; both must work.
warnings.simplefilter("ignore", DeprecationWarning)
if __name__ == "__main__":
    main(sys.argv[1])
