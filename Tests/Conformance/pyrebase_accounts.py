# SPDX-License-Identifier: Apache-2.0

"""Signs users in with clients that call Google's URLs by their full names: pyrebase_accounts.py INGESTD pyrebase|empyrebase."""

import base64
import json
import subprocess
import sys
import time

import requests
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from daemon import Daemon, same
from sink import Sink, code

PASSWORD = "correct horse battery staple"
ANA = "ana@example.org"
AUDIENCE = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"


def redirect(daemon):
    """Sends requests for hosts of Google to the daemon, with the host before the path."""
    original = requests.Session.request

    def request(session, method, url, **more):
        for host in ("identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com"):
            url = url.replace(f"https://{host}/", f"{daemon}/{host}/")
        return original(session, method, url, **more)

    requests.Session.request = request


def client(name, app):
    """The client's part for accounts."""
    config = {"apiKey": app.keys["ingest"], "authDomain": "", "databaseURL": "https://e.example", "storageBucket": "", "projectId": "old-shop-1a2b"}
    if name == "empyrebase":
        from empyrebase import empyrebase
        return empyrebase.initialize_app(config, skip_version_check=True).auth()
    import pyrebase
    return pyrebase.initialize_app(config).auth()


def word(call):
    """Returns the word with which a call is refused."""
    try:
        call()
    except requests.exceptions.HTTPError as error:
        return json.loads(error.args[1])["error"]["message"].split(" : ")[0]
    raise AssertionError("the call was not refused")


def check_password(auth):
    """Sign-up, sign-in, refresh, profile and a change of the password. Returns the session that is left."""
    made = auth.create_user_with_email_and_password(ANA, PASSWORD)
    assert made["kind"] == "identitytoolkit#SignupNewUserResponse" and made["expiresIn"] == "3600", made
    session = auth.sign_in_with_email_and_password(ANA, PASSWORD)
    assert session["registered"] and session["localId"] == made["localId"]
    refreshed = auth.refresh(session["refreshToken"])
    assert refreshed["userId"] == made["localId"] and refreshed["idToken"]
    found = auth.get_account_info(refreshed["idToken"])["users"][0]
    assert found["email"] == ANA and found["providerUserInfo"][0]["providerId"] == "password"
    same(auth.update_profile(refreshed["idToken"], display_name="Ana")["displayName"], "Ana", "name")
    changed = auth.change_password(refreshed["idToken"], "another good password", *([True] if type(auth).__module__.startswith("empyrebase") else []))
    assert changed["idToken"] and changed["refreshToken"]
    same(word(lambda: auth.sign_in_with_email_and_password(ANA, PASSWORD)), "INVALID_LOGIN_CREDENTIALS", "old password")
    same(word(lambda: auth.create_user_with_email_and_password(ANA, PASSWORD)), "EMAIL_EXISTS", "taken")
    same(word(lambda: auth.create_user_with_email_and_password("bo@example.org", "short")), "WEAK_PASSWORD", "weak")
    same(word(lambda: auth.get_account_info("a.b.c")), "INVALID_ID_TOKEN", "no token")
    assert auth.sign_in_anonymous()["localId"]
    return changed


def check_codes(auth, sink, daemon, session):
    """Codes of mails prove the address and set a password, each once. Returns the session that is left."""
    same(auth.send_email_verification(session["idToken"])["email"], ANA, "address to prove")
    link = sink.link(ANA, "verifyEmail")
    # A scanner opens the link first.
    for method, wanted in (("GET", False), ("GET", False), ("POST", True)):
        assert requests.request(method, link.split("?")[0], **{"data" if method == "POST" else "params": {"oobCode": code(link)}}).ok
        same(auth.get_account_info(session["idToken"])["users"][0]["emailVerified"], wanted, f"proved after {method}")
    # An address gets a mail a minute.
    same(word(lambda: auth.send_password_reset_email(ANA)), "TOO_MANY_ATTEMPTS_TRY_LATER", "second mail")
    daemon.stop(15)
    daemon.start()
    same(auth.send_password_reset_email(ANA)["email"], ANA, "reset")
    text = code(sink.link(ANA, "resetPassword"))
    same(auth.verify_password_reset_code(text, PASSWORD)["email"], ANA, "used code")
    same(word(lambda: auth.verify_password_reset_code(text, PASSWORD)), "INVALID_OOB_CODE", "a code twice")
    # A new password ends the sessions.
    same(word(lambda: auth.get_account_info(session["idToken"])), "TOKEN_EXPIRED", "session before the reset")
    return auth.sign_in_with_email_and_password(ANA, PASSWORD)


def custom_token(account, uid):
    """Signs a custom token, because neither client can with today's versions of its libraries."""
    now = int(time.time())
    claims = {"iss": account["client_email"], "sub": account["client_email"], "aud": AUDIENCE, "uid": uid, "iat": now, "exp": now + 3_600}
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in ({"alg": "RS256", "typ": "JWT"}, claims)]
    key = serialization.load_pem_private_key(account["private_key"].encode(), None)
    signature = key.sign(b".".join(parts), padding.PKCS1v15(), hashes.SHA256())
    return b".".join([*parts, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()


def check_custom_token(auth, daemon, app):
    """A token of a service account signs a user in."""
    command = [daemon.program, "key", "create", "--app", str(app.id), "--role", "accounts", "--google-json", "--url", daemon.url]
    file = subprocess.run(command + ["--data", daemon.folder.name], env=daemon.environment, check=True, capture_output=True, text=True).stdout
    session = auth.sign_in_with_custom_token(custom_token(json.loads(file), "bo"))
    same(auth.get_account_info(session["idToken"])["users"][0]["localId"], "bo", "user of the custom token")


def main(program, name):
    sink = Sink()
    daemon = Daemon(program, INGESTD_MODE="production", **sink.settings)
    try:
        app = daemon.app("shop")
        app.set(project="old-shop-1a2b", auth_methods=["password", "anonymous", "custom_token"])
        redirect(daemon.url)
        auth = client(name, app)
        session = check_codes(auth, sink, daemon, check_password(auth))
        check_custom_token(auth, daemon, app)
        auth.delete_user_account(session["idToken"])
        same(word(lambda: auth.get_account_info(session["idToken"])), "USER_NOT_FOUND", "deleted user")
    finally:
        daemon.stop(15)
    print(f"{name}: users signed up, signed in, refreshed, changed, reset and deleted their accounts")


main(*sys.argv[1:])
