# SPDX-License-Identifier: Apache-2.0

"""Keeps files with pyrebase4's storage: pyrebase_files.py INGESTD."""

import json
import os
import signal
import sys
import tempfile

import pyrebase
import requests

from daemon import Daemon, same

RULES = """
service firebase.storage { match /b/{bucket}/o { match /users/{uid}/{file=**} { allow read, write: if request.auth.uid == uid; } } }
"""


def refused(call):
    """Returns the status with which a call is refused."""
    try:
        call()
    except requests.exceptions.HTTPError as error:
        return json.loads(error.args[1])["error"]["code"]
    raise AssertionError("the call was not refused")


def sign_up(app, email):
    body = {"email": email, "password": "correct horse battery staple"}
    status, answer = app.daemon.ask("POST", "/v1/auth/sign-up", app.keys["ingest"], body)
    assert status == 201, answer
    session = json.loads(answer)
    return session["user"]["id"], session["id_token"]


def check(daemon, app, storage):
    (ann, token), (_, stranger) = sign_up(app, "ann@example.org"), sign_up(app, "bob@example.org")
    name = f"users/{ann}/deep/a b.bin"
    contents = os.urandom(300_000)
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "sent")
        with open(place, "wb") as file:
            file.write(contents)
        made = storage.child(name).put(place, token)
        same(made["name"], name, "name")
        same(int(made["size"]), len(contents), "size")
        same(refused(lambda: storage.child(name).put(place, stranger)), 403, "another user")
        same(refused(lambda: storage.child(name).put(place)), 403, "nobody")
        # The URL holds also after a kill.
        daemon.stop(signal.SIGKILL)
        daemon.start()
        url = storage.child(name).get_url(made["downloadTokens"])
        answer = requests.get(url, timeout=30)
        same((answer.status_code, answer.content == contents), (200, True), "the URL")
        same(requests.get(url[:-1] + "!", timeout=30).status_code, 403, "a wrong URL")


def main():
    daemon = Daemon(sys.argv[1], INGESTD_FILES_RESERVE="0")
    try:
        app = daemon.app("shop")
        app.set(auth_methods=["password"])
        status, answer = daemon.ask("PUT", "/v1/files-rules", app.keys["admin"], {"source": RULES}, {"Content-Type": "application/json"})
        assert status == 200, answer
        config = {"apiKey": app.keys["ingest"], "authDomain": "", "databaseURL": "https://e.example", "storageBucket": "shop.appspot.com"}
        storage = pyrebase.initialize_app(config).storage()
        storage.storage_bucket = f"{daemon.url}/v0/b/shop.appspot.com"
        check(daemon, app, storage)
        print("pyrebase4: files are put, refused and read by their URL")
    finally:
        daemon.stop(signal.SIGTERM)


main()
