# SPDX-License-Identifier: Apache-2.0

"""Forged ID tokens and custom tokens, signed with jwcrypto where a signature is needed. Each has one fault."""

import base64
import json
import time

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from jwcrypto import jwe, jwk, jws

GOOGLE = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sign(payload, key, header):
    """A compact token, also with a header that jwcrypto would not write for this key."""
    token = jws.JWS(payload if isinstance(payload, bytes) else json.dumps(payload).encode())
    token.allowed_algs = ["RS256", "RS512", "PS256", "ES256", "EdDSA", "HS256"]
    token.add_signature(key, protected=json.dumps(header))
    return token.serialize(compact=True)


def unsigned(header, payload, signature=""):
    return f"{encode(json.dumps(header).encode())}.{payload}.{signature}"


def signed_as_it_is(key, header, payload):
    """RS256 over a header that jwcrypto refuses to write."""
    text = f"{encode(json.dumps(header).encode())}.{encode(payload)}"
    return f"{text}.{encode(key.get_op_key('sign').sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


def id_tokens(genuine, other, published):
    """Forgeries of a genuine ID token, by somebody who knows the published key and another user's token."""
    head, payload, signature = genuine.split(".")
    header, claims = json.loads(decode(head)), json.loads(decode(payload))
    public = jwk.JWK(**published)
    pem = public.export_to_pem()
    stranger, weak = jwk.JWK.generate(kty="RSA", size=2048), jwk.JWK.generate(kty="RSA", size=1024)
    curve, edwards = jwk.JWK.generate(kty="EC", crv="P-256"), jwk.JWK.generate(kty="OKP", crv="Ed25519")
    admin = encode(json.dumps(claims | {"admin": True}).encode())
    later = encode(json.dumps(claims | {"exp": claims["exp"] + 86400}).encode())

    def secret(value):
        return jwk.JWK(kty="oct", k=encode(value))

    def stranger_signs(**more):
        return sign(claims, stranger, header | more)

    def named(algorithm):
        return header | {"alg": algorithm}

    yield "none", unsigned(named("none"), payload)
    for word in ("None", "NONE", "nOnE", "", "rs256", "RS256 "):
        yield f"alg {word!r} with the genuine signature", unsigned(named(word), payload, signature)
    yield "no alg", unsigned({"kid": header["kid"], "typ": "JWT"}, payload, signature)
    for name, value in (("PEM", pem), ("PEM without its end", pem.rstrip()), ("modulus", decode(published["n"])), ("kid", header["kid"].encode())):
        yield f"HS256 with the public key's {name}", sign(claims, secret(value), named("HS256"))
    yield "HS256 with an empty secret", sign(claims, secret(b"\0" * 32), named("HS256"))
    yield "another key of the same kid", stranger_signs()
    yield "an unknown kid", stranger_signs(kid="x")
    yield "kid as a path", stranger_signs(kid="../../../dev/null")
    yield "kid as SQL", stranger_signs(kid="x' UNION SELECT 'y")
    yield "kid as a number", stranger_signs(kid=1)
    yield "an embedded key", stranger_signs(jwk=json.loads(stranger.export_public()))
    yield "an address of keys", stranger_signs(jku="http://127.0.0.1:1/jwks.json")
    yield "an address of certificates", stranger_signs(x5u="http://127.0.0.1:1/cert.pem")
    yield "an embedded certificate", stranger_signs(x5c=[base64.b64encode(b"certificate").decode()])
    yield "RS512", sign(claims, stranger, named("RS512"))
    yield "PS256", sign(claims, stranger, named("PS256"))
    yield "ES256 under the kid of an RSA key", sign(claims, curve, named("ES256"))
    yield "EdDSA under the kid of an RSA key", sign(claims, edwards, named("EdDSA"))
    yield "a key of 1,024 bits", sign(claims, weak, header)
    yield "ES256 with r = s = 0", unsigned(named("ES256"), payload, encode(bytes(64)))
    yield "crit", unsigned(header | {"crit": ["exp"]}, payload, signature)
    yield "b64", unsigned(header | {"b64": False, "crit": ["b64"]}, payload, signature)
    yield "a member more in the header", unsigned(header | {"cty": "JWT"}, payload, signature)
    yield "a claim more", f"{head}.{admin}.{signature}"
    yield "a longer life", f"{head}.{later}.{signature}"
    yield "another user's claims", f"{head}.{other.split('.')[1]}.{signature}"
    yield "another token's signature", f"{head}.{payload}.{other.split('.')[2]}"
    yield "no signature", f"{head}.{payload}."
    yield "a signature of zeros", f"{head}.{payload}.{encode(bytes(256))}"
    yield "a signature of ones", f"{head}.{payload}.{encode(bytes([255]) * 256)}"
    yield "half a signature", f"{head}.{payload}.{signature[: len(signature) // 2]}"
    yield "a byte behind the signature", f"{head}.{payload}.{encode(decode(signature) + b'a')}"
    yield "padding", genuine + "=="
    yield "two parts", f"{head}.{payload}"
    yield "four parts", genuine + "."
    yield "only dots", ".."
    yield "a token in a token", sign(genuine.encode(), stranger, header | {"cty": "JWT"})
    recipient = jwk.JWK(kty="RSA", n=published["n"], e=published["e"])
    encrypted = jwe.JWE(genuine.encode(), recipient=recipient, protected=json.dumps({"alg": "RSA-OAEP-256", "enc": "A256GCM"}))
    yield "encrypted for the public key", encrypted.serialize(compact=True)


def custom_tokens(account):
    """Custom tokens of a service account with one fault each; the first is right."""
    key, now = jwk.JWK.from_pem(account["private_key"].encode()), int(time.time())
    email = account["client_email"]
    claims = {"iss": email, "sub": email, "aud": GOOGLE, "uid": "user-9", "iat": now, "exp": now + 3600, "claims": {"plan": "pro"}}
    header = {"alg": "RS256", "typ": "JWT"}
    stranger = jwk.JWK.generate(kty="RSA", size=2048)
    public = key.export_to_pem()

    def with_claims(**changes):
        return sign({name: value for name, value in (claims | changes).items() if value is not None}, key, header)

    yield None, with_claims()
    faults = {
        "iss": [None, "", "other@shop", 1, [email]], "sub": [None, "other@shop", 1], "aud": [None, "shop", [GOOGLE, "shop"], []],
        "uid": [None, "", "a" * 129, 1, "a\nb"], "iat": [None, "now", now + 3600], "exp": [None, now - 61, now + 7200, "never"],
        "nbf": [now + 3600], "claims": [{"sub": "eva"}, {"firebase": {}}, {"sb_app": 2}, ["admin"], "admin", {"a": "a" * 1000}],
    }
    for name, values in faults.items():
        for value in values:
            yield f"{name} {json.dumps(value)[:40]}", with_claims(**{name: value})
    yield "another key", sign(claims, stranger, header)
    yield "HS256 with the public key", sign(claims, jwk.JWK(kty="oct", k=encode(public)), {"alg": "HS256"})
    yield "RS512 of the right key", sign(claims, key, {"alg": "RS512"})
    yield "none", unsigned({"alg": "none"}, encode(json.dumps(claims).encode()))
    for name, more in {"crit": {"crit": ["exp"]}, "alg as a list": {"alg": ["RS256"]}, "a kid that is none": {"kid": 1}}.items():
        yield name, signed_as_it_is(key, header | more, json.dumps(claims).encode())
    yield "uid twice", sign(json.dumps(claims)[:-1].encode() + b', "uid": "eva"}', key, header)
    yield "uid twice, once escaped", sign(json.dumps(claims)[:-1].encode() + b', "u\\u0069d": "eva"}', key, header)
    yield "claims that are no object", sign(b"[]", key, header)
