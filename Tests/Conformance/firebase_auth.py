# SPDX-License-Identifier: Apache-2.0

"""Administers accounts with Google's own SDK, with changed URLs and as its emulator: firebase_auth.py INGESTD."""

import base64
import hashlib
import hmac
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import firebase_admin
from firebase_admin import _auth_providers, _token_gen, _user_mgt, auth, credentials, exceptions

from daemon import Daemon

PASSWORD = "correct horse battery staple"
PROJECT = "old-shop-1a2b"
TOOLKIT = "identitytoolkit.googleapis.com/v1"
# Of https://github.com/firebase/scrypt.
SIGNER_KEY = base64.b64decode("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==")


class World:
    def __init__(self, program, **settings):
        self.program, self.daemon = program, Daemon(program, **settings)
        self.app = self.daemon.app("shop")
        self.command("app", "set", str(self.app.id), f"project={PROJECT}", "auth_methods=password,anonymous,custom_token")

    def command(self, *words):
        command = [self.program, *words, "--data", self.daemon.folder.name]
        return subprocess.run(command, env=self.daemon.environment, check=True, capture_output=True, text=True).stdout

    def service_account(self):
        file = self.command(
            "key", "create", "--app", str(self.app.id), "--role", "accounts", "--google-json", "--url", self.daemon.url)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as place:
            place.write(file)
            place.flush()
            return credentials.Certificate(place.name)

    def client(self, word, **body):
        """A call of the app itself."""
        return self.send(f"/{TOOLKIT}/accounts:{word}?key={self.app.keys['ingest']}", body)

    def send(self, path, body):
        request = urllib.request.Request(self.daemon.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return json.loads(error.read())

    def restart_limits(self):
        """A new process knows nothing of the attempts of the old one."""
        self.daemon.stop(15)
        self.daemon.start()

    def sign_in(self, email, password=PASSWORD):
        return self.client("signInWithPassword", email=email, password=password, returnSecureToken=True)


def refuses(kind, call):
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")


def point_at(url):
    """Changes the URLs of Google's SDK."""
    _user_mgt.UserManager.ID_TOOLKIT_URL = f"{url}/{TOOLKIT}"
    _token_gen.TokenGenerator.ID_TOOLKIT_URL = f"{url}/{TOOLKIT}"
    _auth_providers.ProviderConfigClient.PROVIDER_CONFIG_URL = f"{url}/identitytoolkit.googleapis.com/v2"
    _token_gen.ID_TOKEN_CERT_URI = f"{url}/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
    _token_gen.COOKIE_CERT_URI = f"{url}/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys"


def check_users(world, app):
    made = auth.create_user(
        uid="ana", email="ana@example.org", password=PASSWORD, display_name="Ana", phone_number="+4930123456", photo_url="https://e.example/a.png", app=app)
    assert made.uid == "ana" and made.email == "ana@example.org" and not made.email_verified and not made.disabled
    assert made.user_metadata.creation_timestamp > 1_700_000_000_000
    assert sorted(info.provider_id for info in made.provider_data) == ["password", "phone"]
    for found in (
        auth.get_user("ana", app=app), auth.get_user_by_email("Ana@example.org", app=app), auth.get_user_by_phone_number("+4930123456", app=app)):
        assert found.uid == "ana", found
    refuses(auth.UidAlreadyExistsError, lambda: auth.create_user(uid="ana", app=app))
    refuses(auth.EmailAlreadyExistsError, lambda: auth.create_user(email="ana@example.org", app=app))
    refuses(auth.PhoneNumberAlreadyExistsError, lambda: auth.create_user(phone_number="+4930123456", app=app))
    refuses(auth.UserNotFoundError, lambda: auth.get_user("nobody", app=app))
    refuses(auth.UserNotFoundError, lambda: auth.update_user("nobody", display_name="x", app=app))
    refuses(auth.UserNotFoundError, lambda: auth.delete_user("nobody", app=app))
    refuses(exceptions.InvalidArgumentError, lambda: auth.create_user(email="b@example.org", password="secret", app=app))
    several = auth.get_users([auth.UidIdentifier("ana"), auth.EmailIdentifier("nobody@example.org"), auth.ProviderIdentifier("google.com", "7")], app=app)
    assert [user.uid for user in several.users] == ["ana"] and len(several.not_found) == 2
    auth.update_user("ana", display_name=auth.DELETE_ATTRIBUTE, phone_number=auth.DELETE_ATTRIBUTE, email_verified=True, app=app)
    changed = auth.get_user("ana", app=app)
    assert changed.display_name is None and changed.phone_number is None and changed.email_verified
    auth.set_custom_user_claims("ana", {"admin": True}, app=app)
    assert auth.get_user("ana", app=app).custom_claims == {"admin": True}
    for number in range(5):
        auth.create_user(uid=f"user-{number}", app=app)
    page = auth.list_users(max_results=2, app=app)
    assert [user.uid for user in page.iterate_all()] == ["ana", *(f"user-{number}" for number in range(5))]
    result = auth.delete_users([f"user-{number}" for number in range(5)] + ["nobody"], app=app)
    assert result.success_count == 6 and result.failure_count == 0


def check_tokens(world, app):
    session = world.sign_in("ana@example.org")
    claims = auth.verify_id_token(session["idToken"], app=app, check_revoked=True)
    assert claims["uid"] == "ana" and claims["admin"] is True and claims["firebase"]["sign_in_provider"] == "password", claims
    head, body, signature = session["idToken"].split(".")
    forged = f"{head}.{body}.{'A' * len(signature)}"
    refuses(auth.InvalidIdTokenError, lambda: auth.verify_id_token(forged, app=app))
    cookie = auth.create_session_cookie(session["idToken"], expires_in=3_600, app=app)
    assert auth.verify_session_cookie(cookie, app=app, check_revoked=True)["uid"] == "ana"
    refuses(auth.InvalidIdTokenError, lambda: auth.verify_id_token(cookie, app=app))
    refuses(auth.InvalidSessionCookieError, lambda: auth.verify_session_cookie(session["idToken"], app=app))
    refuses(auth.InvalidIdTokenError, lambda: auth.create_session_cookie(forged, expires_in=3_600, app=app))
    # Times of revocation have seconds, as those of tokens.
    time.sleep(1.1)
    auth.revoke_refresh_tokens("ana", app=app)
    refuses(auth.RevokedIdTokenError, lambda: auth.verify_id_token(session["idToken"], app=app, check_revoked=True))
    refuses(auth.RevokedSessionCookieError, lambda: auth.verify_session_cookie(cookie, app=app, check_revoked=True))
    assert auth.verify_id_token(session["idToken"], app=app)["uid"] == "ana"
    answer = world.client("lookup", idToken=session["idToken"])
    assert answer["error"]["message"] == "TOKEN_EXPIRED", answer
    time.sleep(1.1)
    again = world.sign_in("ana@example.org")
    assert auth.verify_id_token(again["idToken"], app=app, check_revoked=True)
    auth.update_user("ana", disabled=True, app=app)
    refuses(auth.UserDisabledError, lambda: auth.verify_id_token(again["idToken"], app=app, check_revoked=True))
    assert world.sign_in("ana@example.org")["error"]["message"] == "USER_DISABLED"
    auth.update_user("ana", disabled=False, app=app)
    custom = auth.create_custom_token("bo", {"plan": "pro"}, app=app).decode()
    signed_in = world.client("signInWithCustomToken", token=custom, returnSecureToken=True)
    claims = auth.verify_id_token(signed_in["idToken"], app=app)
    assert signed_in["isNewUser"] and claims["uid"] == "bo" and claims["plan"] == "pro", claims


def hashes():
    """Every kind of hash that Google's SDK imports, with the hash of a password and a salt."""
    def rounds(name, count, first):
        value = hashlib.new(name, first).digest()
        for _ in range(count - 1):
            value = hashlib.new(name, value).digest()
        return value

    key = b"key of the other product"
    for name in ("md5", "sha1", "sha256", "sha512"):
        kind = getattr(auth.UserImportHash, name)
        # The salt comes first.
        yield name, kind(rounds=3), lambda password, salt, name=name: rounds(name, 3, salt + password)
        kind = getattr(auth.UserImportHash, f"hmac_{name}")
        yield f"hmac_{name}", kind(key=key), lambda password, salt, name=name: hmac.new(key, password + salt, name).digest()
    yield "pbkdf_sha1", auth.UserImportHash.pbkdf_sha1(rounds=20_000), lambda password, salt: hashlib.pbkdf2_hmac("sha1", password, salt, 20_000)
    yield "pbkdf2_sha256", auth.UserImportHash.pbkdf2_sha256(rounds=20_000), lambda password, salt: hashlib.pbkdf2_hmac("sha256", password, salt, 20_000)
    yield "standard_scrypt", auth.UserImportHash.standard_scrypt(memory_cost=16_384, parallelization=1, block_size=8, derived_key_length=64), (
        lambda password, salt: hashlib.scrypt(password, salt=salt, n=16_384, r=8, p=1, maxmem=64 << 20, dklen=64))


def check_imports(world, app):
    for name, kind, make in hashes():
        password, salt = f"password of {name}", b"NaCl"
        user = auth.ImportUserRecord(
            uid=f"of-{name}", email=f"{name}@example.org", password_hash=make(password.encode(), salt), password_salt=salt, display_name=name,
            custom_claims={"from": name}, user_metadata=auth.UserMetadata(creation_timestamp=1_600_000_000_000))
        result = auth.import_users([user], hash_alg=kind, app=app)
        assert result.success_count == 1, (name, [error.reason for error in result.errors])
        assert "error" not in world.sign_in(f"{name}@example.org", password), name
        assert world.sign_in(f"{name}@example.org", password + " ")["error"]["message"] == "INVALID_LOGIN_CREDENTIALS", name
        # The second sign-in compares our own hash.
        claims = auth.verify_id_token(world.sign_in(f"{name}@example.org", password)["idToken"], app=app)
        assert claims["uid"] == f"of-{name}" and claims["from"] == name, claims
        found = auth.get_user(f"of-{name}", app=app)
        assert found.user_metadata.creation_timestamp == 1_600_000_000_000 and found.display_name == name
        # Twenty sign-ins a minute are allowed from an address.
        world.restart_limits()
    scrypt = auth.UserImportHash.scrypt(key=SIGNER_KEY, rounds=8, memory_cost=14, salt_separator=base64.b64decode("Bw=="))
    record = auth.ImportUserRecord(
        uid="scrypt", email="scrypt@example.org", password_salt=base64.urlsafe_b64decode("42xEC-ixf3L2lw=="),
        password_hash=base64.urlsafe_b64decode("lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ=="))
    assert auth.import_users([record], hash_alg=scrypt, app=app).success_count == 1
    assert "error" not in world.sign_in("scrypt@example.org", "user1password")
    bcrypt = auth.ImportUserRecord(
        uid="bcrypt", email="bcrypt@example.org", password_hash=b"$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")
    assert auth.import_users([bcrypt], hash_alg=auth.UserImportHash.bcrypt(), app=app).success_count == 1
    assert "error" not in world.sign_in("bcrypt@example.org", "U*U")
    again = auth.import_users([bcrypt, auth.ImportUserRecord(uid="other", email="bcrypt@example.org")], hash_alg=auth.UserImportHash.bcrypt(), app=app)
    assert again.success_count == 0 and [error.index for error in again.errors] == [0, 1]


def check_providers(world, app):
    """Users of identity providers move along, are found, and are unlinked."""
    record = auth.ImportUserRecord(
        uid="linked", email="linked@example.org", provider_data=[auth.UserProvider("7", provider_id="google.com", email="linked@example.org")])
    assert auth.import_users([record], app=app).success_count == 1
    found = auth.get_users([auth.ProviderIdentifier("google.com", "7"), auth.ProviderIdentifier("google.com", "8")], app=app)
    assert [user.uid for user in found.users] == ["linked"] and len(found.not_found) == 1
    assert [(one.provider_id, one.uid, one.email) for one in found.users[0].provider_data] == [("google.com", "7", "linked@example.org")]
    taken = auth.import_users([auth.ImportUserRecord(uid="second", provider_data=[auth.UserProvider("7", provider_id="google.com")])], app=app)
    assert taken.failure_count == 1
    unlinked = auth.update_user("linked", providers_to_delete=["google.com"], app=app)
    assert unlinked.provider_data == [], unlinked.provider_data
    auth.delete_user("linked", app=app)


def check_refusals(app):
    """What there is not says so."""
    assert list(auth.list_oidc_provider_configs(app=app).iterate_all()) == []
    assert list(auth.list_saml_provider_configs(app=app).iterate_all()) == []
    refuses(exceptions.FirebaseError, lambda: auth.get_saml_provider_config("saml.corp", app=app))
    refuses(exceptions.FirebaseError, lambda: auth.create_oidc_provider_config("oidc.corp", "client", "https://e.example", app=app))


def check_emulator(program):
    """The SDK's own way to an emulator, on a daemon in development: no credentials, and no signature is checked."""
    world = World(program, INGESTD_MODE="development", INGESTD_ACCOUNTS_EMULATOR="true")
    os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = f"127.0.0.1:{world.daemon.port}"
    try:
        app = firebase_admin.initialize_app(options={"projectId": PROJECT}, name="emulated")
        auth.create_user(uid="ana", email="ana@example.org", password=PASSWORD, app=app)
        assert auth.get_user("ana", app=app).email == "ana@example.org"
        token = auth.create_custom_token("bo", app=app).decode()
        signed_in = world.send(f"/{TOOLKIT}/accounts:signInWithCustomToken?key={PROJECT}", {"token": token, "returnSecureToken": True})
        assert auth.verify_id_token(signed_in["idToken"], app=app, check_revoked=True)["uid"] == "bo"
        cookie = auth.create_session_cookie(signed_in["idToken"], expires_in=600, app=app)
        assert auth.verify_session_cookie(cookie, app=app)["uid"] == "bo"
        request = urllib.request.Request(f"{world.daemon.url}/emulator/v1/projects/{PROJECT}/accounts", method="DELETE")
        assert urllib.request.urlopen(request).status == 200
        assert list(auth.list_users(app=app).iterate_all()) == []
    finally:
        del os.environ["FIREBASE_AUTH_EMULATOR_HOST"]
        world.daemon.stop(15)


def main(program):
    world = World(program, INGESTD_MODE="production")
    try:
        point_at(world.daemon.url)
        app = firebase_admin.initialize_app(world.service_account(), {"projectId": PROJECT}, name="accounts")
        check_users(world, app)
        check_tokens(world, app)
        check_imports(world, app)
        check_providers(world, app)
        check_refusals(app)
    finally:
        world.daemon.stop(15)
    check_emulator(program)
    print("firebase_auth: firebase_admin created, found, imported, changed and deleted accounts, and checked tokens and cookies, also in emulator mode")


main(sys.argv[1])
