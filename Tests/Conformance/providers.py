# SPDX-License-Identifier: Apache-2.0

"""Signs users in with tokens of oidc-provider-mock, sends hostile tokens signed by jwcrypto, and uses pyotp as second factor: providers.py INGESTD."""

import hashlib
import http.client
import http.server
import json
import sys
import threading
import time
import urllib.parse

import httpx
import oidc_provider_mock
import pyotp
from jwcrypto import jwk, jws
from jwcrypto.common import base64url_encode as encode, json_encode

from daemon import Daemon

PASSWORD = "correct horse battery staple"
CLIENT = "corner-client"


class Provider:
    """A provider that signs whatever a check wants."""

    def __init__(self):
        self.keys = {
            "r": jwk.JWK.generate(kty="RSA", size=2048, kid="r"), "e": jwk.JWK.generate(kty="EC", crv="P-256", kid="e"),
            "o": jwk.JWK.generate(kty="OKP", crv="Ed25519", kid="o"), "weak": jwk.JWK.generate(kty="RSA", size=1024, kid="weak"),
        }
        self.stranger = jwk.JWK.generate(kty="RSA", size=2048, kid="r")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def handler(self):
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                documents = {
                    "/.well-known/openid-configuration": {"issuer": provider.issuer, "jwks_uri": provider.issuer + "/keys"},
                    "/keys": {"keys": [key.export_public(as_dict=True) for key in provider.keys.values()]},
                }
                body = json.dumps(documents.get(self.path, {})).encode()
                self.send_response(200 if self.path in documents else 404)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Cache-Control", "max-age=3600")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    def claims(self, **changes):
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": "ana", "iat": now - 5, "exp": now + 600} | changes
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, header=None, key=None, claims=None, **changes):
        """A token that jwcrypto signs. `claims` replaces the payload."""
        header = {"alg": "RS256", "kid": "r"} | (header or {})
        payload = claims if claims is not None else json_encode(self.claims(**changes))
        signed = jws.JWS(payload.encode() if isinstance(payload, str) else payload)
        signed.allowed_algs = ["RS256", "RS512", "PS256", "ES256", "EdDSA", "HS256"]
        signed.add_signature(key or self.keys["r"], None, json_encode(header))
        return signed.serialize(compact=True)

    def forged(self, header, payload=None, signature=b""):
        """A token with any header and signature."""
        payload = payload if payload is not None else json_encode(self.claims())
        return ".".join(encode(part) for part in (header, payload, signature))

    def hostile(self):
        now, public = int(time.time()), self.keys["r"].export_to_pem()
        secret = jwk.JWK(kty="oct", k=encode(public))
        good = self.token()
        head, body, signature = good.split(".")
        stranger = self.stranger
        zeros = bytes(64)
        yield "alg none", self.forged('{"alg":"none","kid":"r"}')
        yield "alg None", self.forged('{"alg":"None","kid":"r"}', signature=b"x")
        yield "HS256 with the public key", self.token({"alg": "HS256"}, secret)
        yield "RS512", self.token({"alg": "RS512"})
        yield "PS256", self.token({"alg": "PS256"})
        yield "ES256 with RSA's kid", self.token({"alg": "ES256", "kid": "r"}, self.keys["e"])
        yield "RS256 with the curve's kid", self.token({"kid": "e"})
        yield "unknown kid", self.token({"kid": "x"}, stranger)
        yield "kid of a path", self.token({"kid": "../../keys"}, stranger)
        yield "empty kid", self.token({"kid": ""})
        yield "weak RSA", self.token({"kid": "weak"}, self.keys["weak"])
        yield "another key", self.token(key=stranger)
        yield "embedded key", self.token({"jwk": stranger.export_public(as_dict=True)}, stranger)
        yield "jku", self.token({"jku": "http://127.0.0.1:1/keys"}, stranger)
        yield "x5u", self.token({"x5u": "http://127.0.0.1:1/a.pem"}, stranger)
        yield "crit", self.forged('{"alg":"RS256","kid":"r","crit":["exp"]}')
        yield "alg twice", self.forged('{"alg":"none","alg":"RS256","kid":"r"}')
        yield "r = s = 0", self.forged('{"alg":"ES256","kid":"e"}', signature=zeros)
        yield "EdDSA of zeros", self.forged('{"alg":"EdDSA","kid":"o"}', signature=zeros)
        yield "no signature", f"{head}.{body}."
        yield "two parts", f"{head}.{body}"
        yield "five parts", f"{good}.AA.AA"
        yield "padding", good + "=="
        yield "another payload", f"{head}.{encode(json_encode(self.claims(sub='eva')))}.{signature}"
        yield "a bit more", good[:-1] + ("B" if good[-1] != "B" else "C")
        yield "white space", good + " "
        yield "too long", self.token(pad="a" * 16_400)
        yield "claims as a list", self.token(claims="[]")
        yield "claims that are no JSON", self.token(claims="sub")
        yield "sub twice", self.token(claims=json_encode(self.claims())[:-1] + ',"sub":"eva"}')
        yield "another issuer", self.token(iss="https://evil.example")
        yield "issuer with a slash", self.token(iss=self.issuer + "/")
        yield "no issuer", self.token(iss=None)
        yield "another audience", self.token(aud="other")
        yield "no audience", self.token(aud=None)
        yield "several audiences", self.token(aud=[CLIENT, "other"])
        yield "another azp", self.token(aud=[CLIENT, "other"], azp="other")
        yield "no subject", self.token(sub=None)
        yield "subject as a number", self.token(sub=7)
        yield "subject with a line end", self.token(sub="a\nb")
        yield "expired", self.token(exp=now - 61)
        yield "no end", self.token(exp=None)
        yield "end as text", self.token(exp=str(now + 600))
        yield "issued tomorrow", self.token(iat=now + 86_400)
        yield "valid tomorrow", self.token(nbf=now + 86_400)
        yield "a nonce that was not sent", self.token(nonce="n")


class Checks:
    def __init__(self, program, mock, provider):
        self.provider = provider
        issuers = [
            {"id": "oidc.mock", "apps": ["corner"], "issuer": mock, "audiences": [CLIENT], "trusts_email": True},
            {"id": "oidc.own", "apps": ["corner"], "issuer": provider.issuer, "audiences": [CLIENT], "algorithms": ["RS256", "ES256", "EdDSA"]},
        ]
        self.daemon = Daemon(program, INGESTD_MODE="development", INGESTD_ACCOUNTS_PROVIDERS=json.dumps(issuers))
        self.app = self.daemon.app("corner")
        self.sent = 0

    def post(self, path, key=None, **body):
        """Sends from other addresses after some requests, because an address may sign in twenty times a minute."""
        self.sent += 1
        address = f"127.0.0.{2 + self.sent // 15}"
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=30, source_address=(address, 0))
        connection.request("POST", path, json.dumps(body), {"Authorization": f"Bearer {key or self.app.keys['ingest']}"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")

    def sign_in(self, provider, token, **more):
        return self.post("/v1/auth/sign-in", method="id_token", provider=provider, token=token, **more)


def mock_token(mock, subject, nonce):
    """Runs the code flow of a browser and a server."""
    redirect = "http://127.0.0.1:1/back"
    query = {"client_id": CLIENT, "redirect_uri": redirect, "response_type": "code", "scope": "openid email", "nonce": nonce, "state": "s"}
    answer = httpx.post(f"{mock}/oauth2/authorize", params=query, data={"sub": subject})
    assert answer.status_code == 302, answer.text
    code = urllib.parse.parse_qs(urllib.parse.urlparse(answer.headers["Location"]).query)["code"][0]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect}
    answer = httpx.post(f"{mock}/oauth2/token", data=form, auth=(CLIENT, "secret"))
    assert answer.status_code == 200, answer.text
    return answer.json()["id_token"]


def check_mock(checks, mock):
    hashed = hashlib.sha256(b"raw").hexdigest()
    token = mock_token(mock, "ana@example.org", hashed)
    status, session = checks.sign_in("oidc.mock", token, nonce="raw")
    assert status == 201 and session["user"]["providers"] == ["oidc.mock"], session
    assert checks.sign_in("oidc.mock", token, nonce="other")[0] == 401
    assert checks.sign_in("oidc.mock", token)[0] == 401
    assert checks.sign_in("oidc.own", token, nonce="raw")[0] == 401
    status, again = checks.sign_in("oidc.mock", mock_token(mock, "ana@example.org", hashed), nonce="raw")
    assert status == 200 and again["user"]["id"] == session["user"]["id"], again


def check_hostile(checks):
    provider = checks.provider
    for key, algorithm in (("r", "RS256"), ("e", "ES256"), ("o", "EdDSA")):
        status, answer = checks.sign_in("oidc.own", provider.token({"alg": algorithm, "kid": key}, provider.keys[key]))
        assert status in (200, 201), (algorithm, answer)
    count = 0
    for name, token in provider.hostile():
        status, answer = checks.sign_in("oidc.own", token)
        assert status == 401 and answer["code"] == "bad_identity_token", (name, status, answer)
        count += 1
    assert count >= 40, count
    return count


def check_second_factor(checks):
    status, session = checks.post("/v1/auth/sign-up", email="eve@example.org", password=PASSWORD)
    assert status == 201, session
    status, added = checks.post("/v1/auth/user/factors", session["id_token"], kind="totp")
    assert status == 201, added
    app = pyotp.parse_uri(added["url"])
    assert app.secret == added["secret"] and app.issuer == "corner" and app.name == "eve@example.org", added["url"]
    now = int(time.time())
    status, confirmed = checks.post(f"/v1/auth/user/factors/{added['factor']['id']}/confirm", session["id_token"], code=app.at(now))
    assert status == 200 and len(confirmed["recovery_codes"]) == 10, confirmed

    def pending():
        status, answer = checks.post("/v1/auth/sign-in", method="password", email="eve@example.org", password=PASSWORD)
        assert status == 202, answer
        return answer["second_factor"]["pending"]

    # The next step counts already, and each step once.
    code = app.at(now + 30)
    status, finished = checks.post("/v1/auth/second-factor", pending=pending(), code=code)
    assert status == 200 and finished["user"]["id"] == session["user"]["id"], finished
    status, answer = checks.post("/v1/auth/second-factor", pending=pending(), code=code)
    assert status == 422 and answer["code"] == "invalid_code", answer
    recovery = confirmed["recovery_codes"][0]
    assert checks.post("/v1/auth/second-factor", pending=pending(), code=recovery, factor="recovery")[0] == 200
    assert checks.post("/v1/auth/second-factor", pending=pending(), code=recovery, factor="recovery")[0] == 422


def main(program):
    provider = Provider()
    with oidc_provider_mock.run_server_in_thread() as server:
        mock = f"http://localhost:{server.server_port}"
        checks = Checks(program, mock, provider)
        try:
            check_mock(checks, mock)
            count = check_hostile(checks)
            check_second_factor(checks)
        finally:
            checks.daemon.stop(15)
    print(f"providers: oidc-provider-mock signed users in, {count} hostile tokens of jwcrypto were rejected, and pyotp made second factors")


main(sys.argv[1])
