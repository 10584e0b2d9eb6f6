// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Messaging
package import Platform

/// How keys are written: `whsec_` a shared secret, `whsk_` a private key, `whpk_` its public key, each with base 64 behind.
extension SigningKey {
    /// Of a shared secret.
    private static let lengths = 24...64

    /// Reads a secret that somebody brings.
    package init(secret text: String, field: String = "endpoint.secret") throws(Refusal) {
        if let bytes = SigningKey.bytes(of: text, behind: "whsec_"), SigningKey.lengths.contains(bytes.count) {
            self.init(.symmetric, bytes)
        } else if let bytes = SigningKey.bytes(of: text, behind: "whsk_"), let seed = SigningKey.seed(bytes) {
            self.init(.asymmetric, seed)
        } else {
            throw .field(
                field, "bad_secret", "must be whsec_ and the base 64 of 24 to 64 random bytes, or whsk_ and that of an Ed25519 key",
                hint: "Leave it out to have one made.")
        }
    }

    /// What a receiver checks signatures with: the secret itself, or the public key.
    package var receiverText: String {
        switch scheme {
        case .symmetric: secretText
        case .asymmetric: "whpk_" + Base64.encode(Ed25519.publicKey(seed: bytes) ?? [])
        }
    }

    /// The text that reads back as this key.
    package var secretText: String {
        (scheme == .symmetric ? "whsec_" : "whsk_") + Base64.encode(bytes)
    }

    private static func bytes(of text: String, behind prefix: String) -> [UInt8]? {
        text.hasPrefix(prefix) ? Base64.decode(text.dropFirst(prefix.count)) : nil
    }

    /// Many write the public key behind the seed; it must be the seed's own then.
    private static func seed(_ bytes: [UInt8]) -> [UInt8]? {
        let seed = Array(bytes.prefix(Ed25519.seedLength))
        guard let publicKey = Ed25519.publicKey(seed: seed) else { return nil }
        return bytes == seed || bytes == seed + publicKey ? seed : nil
    }
}
