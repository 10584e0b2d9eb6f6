// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON

/// Documents with which any library finds our keys.
package enum DiscoveryDocuments {
    /// Returns an OpenID Provider Configuration, as far as checking tokens needs it.
    package static func configuration(issuer: String, keysURL: String) -> [UInt8] {
        var out = JSONWriter()
        out.beginObject()
        out.field("issuer", issuer)
        out.field("jwks_uri", keysURL)
        out.field("response_types_supported", ["id_token"])
        out.field("subject_types_supported", ["public"])
        out.field("id_token_signing_alg_values_supported", ["RS256"])
        out.field("claims_supported", ["iss", "aud", "sub", "iat", "exp", "auth_time", "sid", "email", "email_verified", "name", "picture"])
        out.endObject()
        return out.bytes
    }

    /// Returns a JWK set: `{"keys":[{"kty":"RSA","use":"sig","alg":"RS256","kid":"…","n":"…","e":"AQAB"}]}`.
    package static func keys(_ keys: [PublishedKey]) -> [UInt8] {
        var out = JSONWriter(reserving: 512 * keys.count)
        out.beginObject()
        out.key("keys")
        out.beginArray()
        for key in keys {
            guard let numbers = key.publicKey.rsaNumbers else { continue }
            out.beginObject()
            for (name, value) in [("kty", "RSA"), ("use", "sig"), ("alg", "RS256"), ("kid", key.id)] { out.field(name, value) }
            out.field("n", Base64URL.encode(numbers.modulus))
            out.field("e", Base64URL.encode(numbers.exponent))
            out.endObject()
        }
        out.endArray()
        out.endObject()
        return out.bytes
    }

    /// Returns certificates by key ID: `{"KID":"-----BEGIN CERTIFICATE-----…"}`.
    package static func certificates(_ keys: [PublishedKey]) -> [UInt8] {
        var out = JSONWriter(reserving: 1_536 * keys.count)
        out.beginObject()
        for key in keys { out.field(key.id, PEM.encode(key.certificate, "CERTIFICATE")) }
        out.endObject()
        return out.bytes
    }
}
