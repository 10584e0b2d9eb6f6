# SPDX-License-Identifier: Apache-2.0

"""Checks ID tokens with PyJWT, joserfc and Authlib through a rotation of keys, and signs users in with Google's custom tokens: accounts.py INGESTD."""

import json
import subprocess
import sys
import tempfile

import authlib.jose
import firebase_admin
import joserfc.errors
import joserfc.jwk
import joserfc.jwt
import jwt
from cryptography import x509
from firebase_admin import auth, credentials

import forged_tokens
from daemon import Daemon

PASSWORD = "correct horse battery staple"


class Accounts:
    def __init__(self, program):
        # Hundreds of forged tokens come from one address.
        self.daemon = Daemon(program, INGESTD_MODE="production", INGESTD_SERVER_KEY_FAILURES="0")
        self.program = program
        self.app = self.daemon.app("shop")
        self.command("app", "set", str(self.app.id), "project=old-shop-1a2b", "auth_methods=password,anonymous,custom_token")
        self.issuer = f"{self.daemon.url}/v1/auth/old-shop-1a2b"

    def command(self, *words):
        command = [self.program, *words, "--data", self.daemon.folder.name]
        return subprocess.run(command, env=self.daemon.environment, check=True, capture_output=True, text=True).stdout

    def post(self, path, **body):
        status, answer = self.daemon.ask("POST", path, self.app.keys["ingest"], body)
        return status, json.loads(answer or b"{}")

    def verified(self, token):
        """What an OpenID Connect library finds, beginning with the discovery document."""
        status, document = self.daemon.ask("GET", f"/v1/auth/old-shop-1a2b/.well-known/openid-configuration")
        assert status == 200
        document = json.loads(document)
        assert document["issuer"] == self.issuer, document
        key = jwt.PyJWKClient(document["jwks_uri"]).get_signing_key_from_jwt(token)
        return jwt.decode(
            token, key.key, algorithms=["RS256"], audience="old-shop-1a2b", issuer=self.issuer,
            options={"require": ["exp", "iat", "sub", "aud", "iss"]})

    def by_certificate(self, token):
        """As libraries that take certificates only."""
        status, certificates = self.daemon.ask("GET", "/v1/auth/old-shop-1a2b/certs")
        assert status == 200
        certificate = x509.load_pem_x509_certificate(json.loads(certificates)[jwt.get_unverified_header(token)["kid"]].encode())
        return jwt.decode(token, certificate.public_key(), algorithms=["RS256"], audience="old-shop-1a2b")


    def keys(self):
        status, document = self.daemon.ask("GET", "/v1/auth/old-shop-1a2b/jwks.json")
        assert status == 200
        return json.loads(document)

    def by_joserfc(self, token):
        found = joserfc.jwt.decode(token, joserfc.jwk.KeySet.import_key_set(self.keys()), algorithms=["RS256"])
        registry = joserfc.jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": self.issuer}, aud={"essential": True, "value": "old-shop-1a2b"}, exp={"essential": True})
        registry.validate(found.claims)
        return found.claims

    def by_authlib(self, token):
        options = {"iss": {"essential": True, "value": self.issuer}, "aud": {"essential": True, "value": "old-shop-1a2b"}}
        claims = authlib.jose.JsonWebToken(["RS256"]).decode(
            token, authlib.jose.JsonWebKey.import_key_set(self.keys()), claims_options=options)
        claims.validate()
        return claims

    @property
    def verifiers(self):
        return self.verified, self.by_certificate, self.by_joserfc, self.by_authlib


def refused(read, token):
    """A verifier must reject a token, and say so in its own way."""
    try:
        read(token)
    except (jwt.exceptions.PyJWTError, joserfc.errors.JoseError, authlib.jose.errors.JoseError, ValueError, KeyError):
        return
    raise AssertionError(f"{read.__name__} accepted a token that it should not know")


def check_rotation(accounts):
    status, session = accounts.post("/v1/auth/sign-up", email="ana@example.org", password=PASSWORD, name="Ana")
    assert status == 201, session
    for read in accounts.verifiers:
        claims = read(session["id_token"])
        assert claims["sub"] == session["user"]["id"] and claims["name"] == "Ana" and claims["sb_app"] == accounts.app.id, claims
    accounts.command("auth", "keys", "--rotate")
    for read in accounts.verifiers:
        assert read(session["id_token"]), "the old key is known while the new one is published"
    accounts.command("auth", "keys", "--rotate", "--now")
    for read in accounts.verifiers:
        refused(read, session["id_token"])
    status, session = accounts.post("/v1/auth/token", refresh_token=session["refresh_token"])
    assert status == 200
    for read in accounts.verifiers:
        assert read(session["id_token"])["email"] == "ana@example.org"
    forged = session["id_token"].rsplit(".", 1)[0] + "." + "A" * 342
    for read in accounts.verifiers:
        refused(read, forged)
    assert accounts.daemon.ask("GET", "/v1/auth/user", forged)[0] == 401


def check_custom_tokens(accounts):
    file = accounts.command("key", "create", "--app", str(accounts.app.id), "--role", "accounts", "--google-json")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as place:
        place.write(file)
        place.flush()
        app = firebase_admin.initialize_app(credentials.Certificate(place.name), name="accounts")
    token = auth.create_custom_token("user-7", {"plan": "pro"}, app=app).decode()
    status, session = accounts.post("/v1/auth/sign-in", method="custom_token", token=token)
    assert status == 201, session
    claims = accounts.verified(session["id_token"])
    assert claims["sub"] == "user-7" and claims["plan"] == "pro", claims
    stranger = jwt.encode({**jwt.decode(token, options={"verify_signature": False})}, "secret" * 8, algorithm="HS256")
    assert accounts.post("/v1/auth/sign-in", method="custom_token", token=stranger)[0] == 401


def check_forged_tokens(accounts):
    """No route takes a forged ID token, and none of the forgeries ends the session."""
    sessions = [accounts.post("/v1/auth/sign-up", email=f"{name}@example.org", password=PASSWORD)[1] for name in ("eva", "bob")]
    genuine, other = (session["id_token"] for session in sessions)
    kid = jwt.get_unverified_header(genuine)["kid"]
    keys = json.loads(accounts.daemon.ask("GET", "/v1/auth/old-shop-1a2b/jwks.json")[1])["keys"]
    count = 0
    for name, token in forged_tokens.id_tokens(genuine, other, next(key for key in keys if key["kid"] == kid)):
        assert accounts.daemon.ask("GET", "/v1/auth/user", token)[0] == 401, name
        assert accounts.daemon.ask("POST", "/v1/events", token, {"events": [{"name": "a"}]})[0] == 401, name
        assert accounts.daemon.ask("POST", "/v1/auth/verify", accounts.app.keys["admin"], {"id_token": token})[0] == 401, name
        count += 1
    assert count >= 40, count
    assert accounts.daemon.ask("GET", "/v1/auth/user", genuine)[0] == 200
    return count


def check_forged_custom_tokens(accounts):
    account = json.loads(accounts.command("key", "create", "--app", str(accounts.app.id), "--role", "accounts", "--google-json"))
    count = 0
    for fault, token in forged_tokens.custom_tokens(account):
        # Each address has 20 sign-ins a minute.
        count += 1
        status, answer = accounts.daemon.ask(
            "POST", "/v1/auth/sign-in", accounts.app.keys["ingest"], {"method": "custom_token", "token": token}, {"X-Forwarded-For": f"198.51.100.{count}"})
        assert status == (201 if fault is None else 401), f"{fault}: {status} {answer!r}"
    return count - 1


def main(program):
    accounts = Accounts(program)
    try:
        check_rotation(accounts)
        check_custom_tokens(accounts)
        forged = check_forged_tokens(accounts) + check_forged_custom_tokens(accounts)
    finally:
        accounts.daemon.stop(15)
    print("accounts: PyJWT, joserfc and Authlib checked ID tokens through a rotation of keys, and firebase_admin's custom tokens signed users in")
    print(f"accounts: {forged} forged tokens of jwcrypto were rejected")


main(sys.argv[1])
