// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import Platform

/// The public half of a key that signs id tokens.
package struct PublishedKey: Sendable {
    /// The `kid`: 32 hexadecimal digits of the SHA-256 of the public key, so two keys never share one.
    package let id: String
    package let publicKey: SignatureKey
    /// A bare certificate in DER, for libraries that take keys in no other form.
    package let certificate: [UInt8]

    /// The first part of each token signed by the key.
    let header: [UInt8]

    /// - Parameter der: The SubjectPublicKeyInfo. Nil unless it is a key of RSA.
    package init?(publicKey der: [UInt8], certificate: [UInt8]) {
        guard let key = SignatureKey(der: der) else { return nil }
        self.init(key, certificate: certificate)
    }

    init?(_ key: SignatureKey, certificate: [UInt8]) {
        guard key.kind == .rsa else { return nil }
        id = PublishedKey.id(of: key)
        (publicKey, self.certificate) = (key, certificate)
        header = Array(Base64URL.encode(Array(#"{"alg":"RS256","kid":"\#(id)","typ":"JWT"}"#.utf8)).utf8)
    }

    static func id(of key: SignatureKey) -> String { Hex.encode(Array(SHA256.hash(key.der)[..<16])) }
}

/// A key that signs id tokens: RSA of 2,048 bits, the one kind that every verifier takes.
package struct SigningKey: Sendable {
    private let key: RSAPrivateKey
    package let published: PublishedKey
    package var id: String { published.id }

    /// Makes a key and its certificate.
    ///
    /// - Parameters:
    ///   - from: The start of the certificate's validity.
    ///   - until: The end of the certificate's validity: when the last token signed by the key has died.
    package static func make(_ key: RSAPrivateKey = .make(), from: Timestamp, until: Timestamp) -> SigningKey {
        let name = PublishedKey.id(of: key.publicKey)
        let certificate = key.certificate(name: name, from: from.milliseconds / 1_000, until: until.milliseconds / 1_000)
        guard let made = SigningKey(key, certificate) else { preconditionFailure("a generated key is no key of RSA") }
        return made
    }

    /// - Parameter der: The private key in PKCS #8.
    package init?(der: [UInt8], certificate: [UInt8]) {
        guard let key = RSAPrivateKey(der: der) else { return nil }
        self.init(key, certificate)
    }

    private init?(_ key: RSAPrivateKey, _ certificate: [UInt8]) {
        guard let published = PublishedKey(key.publicKey, certificate: certificate) else { return nil }
        (self.key, self.published) = (key, published)
    }

    /// The private key in PKCS #8. It is stored wrapped only.
    package var der: [UInt8] { key.der }

    /// Returns the token that has these claims.
    func sign(_ claims: [UInt8]) -> String {
        let signed = published.header + [UInt8(ascii: ".")] + Array(Base64URL.encode(claims).utf8)
        return String(decoding: signed, as: UTF8.self) + "." + Base64URL.encode(key.sign(signed))
    }
}
