// SPDX-License-Identifier: Apache-2.0

import Crypto
import TestSupport
import Testing

struct RSATests {
    private static let pair = RSA.makeKey()
    private let message = Array("what is signed".utf8)

    @Test func `the public key verifies only its own signatures`() {
        let signature = RS256Signer(pem: Self.pair.privatePEM).sign(message)
        #expect(signature.count == 256)
        #expect(RSA.isValid(signature, of: message, publicKey: Self.pair.publicKey))
        #expect(!RSA.isValid(signature, of: message + [0], publicKey: Self.pair.publicKey))
        #expect(!RSA.isValid(signature, of: message, publicKey: RSA.makeKey().publicKey))
        for place in [0, 128, 255] {
            var broken = signature
            broken[place] ^= 1
            #expect(!RSA.isValid(broken, of: message, publicKey: Self.pair.publicKey))
        }
        for wrong in [[], Array(signature.dropLast()), signature + [0]] {
            #expect(!RSA.isValid(wrong, of: message, publicKey: Self.pair.publicKey))
        }
    }

    @Test func `only a complete key of the right type is valid`() {
        let key = Self.pair.publicKey
        #expect(RSA.isPublicKey(key))
        for length in 0..<key.count { #expect(!RSA.isPublicKey(Array(key[..<length]))) }
        #expect(!RSA.isPublicKey(key + [0]))
        // SubjectPublicKeyInfo of an Ed25519 key (RFC 8410, 10.1).
        #expect(!RSA.isPublicKey(Base64.decode("MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=") ?? []))
    }

    @Test func `the private key is PKCS 8 in PEM`() {
        #expect(Self.pair.privatePEM.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(Self.pair.privatePEM.hasSuffix("-----END PRIVATE KEY-----\n"))
    }
}
