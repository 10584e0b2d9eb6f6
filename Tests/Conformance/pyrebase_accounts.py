# SPDX-License-Identifier: Apache-2.0

"""Signs users in with pyrebase4, which calls Google's URLs by their full names: pyrebase_accounts.py INGESTD."""

import json
import subprocess
import sys

import pyrebase
import requests

from daemon import Daemon

PASSWORD = "correct horse battery staple"


def redirect(daemon):
    """Sends requests for hosts of Google to the daemon, with the host before the path."""
    original = requests.Session.request

    def request(session, method, url, **more):
        for host in ("identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com"):
            url = url.replace(f"https://{host}/", f"{daemon}/{host}/")
        return original(session, method, url, **more)

    requests.Session.request = request


def word(call):
    """Returns the word with which a call is refused."""
    try:
        call()
    except requests.exceptions.HTTPError as error:
        return json.loads(error.args[1])["error"]["message"].split(" : ")[0]
    raise AssertionError("the call was not refused")


def main(program):
    daemon = Daemon(program, INGESTD_MODE="production")
    try:
        app = daemon.app("shop")
        subprocess.run(
            [program, "app", "set", str(app.id), "project=old-shop-1a2b", "auth_methods=password,anonymous", "--data", daemon.folder.name],
            env=daemon.environment, check=True, capture_output=True)
        redirect(daemon.url)
        auth = pyrebase.initialize_app({"apiKey": app.keys["ingest"], "authDomain": "", "databaseURL": "https://e.example", "storageBucket": ""}).auth()
        made = auth.create_user_with_email_and_password("ana@example.org", PASSWORD)
        assert made["kind"] == "identitytoolkit#SignupNewUserResponse" and made["expiresIn"] == "3600", made
        session = auth.sign_in_with_email_and_password("ana@example.org", PASSWORD)
        assert session["registered"] and session["localId"] == made["localId"]
        refreshed = auth.refresh(session["refreshToken"])
        assert refreshed["userId"] == made["localId"] and refreshed["idToken"]
        found = auth.get_account_info(refreshed["idToken"])["users"][0]
        assert found["email"] == "ana@example.org" and found["providerUserInfo"][0]["providerId"] == "password"
        assert auth.update_profile(refreshed["idToken"], display_name="Ana")["displayName"] == "Ana"
        changed = auth.change_password(refreshed["idToken"], "another good password")
        assert changed["idToken"] and changed["refreshToken"]
        assert word(lambda: auth.sign_in_with_email_and_password("ana@example.org", PASSWORD)) == "INVALID_LOGIN_CREDENTIALS"
        assert word(lambda: auth.create_user_with_email_and_password("ana@example.org", PASSWORD)) == "EMAIL_EXISTS"
        assert word(lambda: auth.create_user_with_email_and_password("bo@example.org", "short")) == "WEAK_PASSWORD"
        assert word(lambda: auth.get_account_info("a.b.c")) == "INVALID_ID_TOKEN"
        assert auth.sign_in_anonymous()["localId"]
        auth.delete_user_account(changed["idToken"])
        assert word(lambda: auth.get_account_info(changed["idToken"])) == "USER_NOT_FOUND"
    finally:
        daemon.stop(15)
    print("pyrebase: users signed up, signed in, refreshed, changed and deleted their accounts")


main(sys.argv[1])
