// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Messaging
package import Platform

/// The text forms of keys: `whsec_` for a shared secret, `whsk_` for a private key, `whpk_` for its public key, each followed by Base64.
extension SigningKey {
    /// The allowed lengths of a shared secret.
    private static let lengths = 24...64

    /// Reads a secret supplied by a client.
    package init(secret text: String, field: String = "endpoint.secret") throws(Refusal) {
        if let bytes = SigningKey.bytes(of: text, behind: "whsec_"), SigningKey.lengths.contains(bytes.count) {
            self.init(.symmetric, bytes)
        } else if let bytes = SigningKey.bytes(of: text, behind: "whsk_"), let seed = SigningKey.seed(bytes) {
            self.init(.asymmetric, seed)
        } else {
            throw .field(
                field, "bad_secret", "must be whsec_ followed by the Base64 of 24 to 64 random bytes, or whsk_ followed by that of an Ed25519 key",
                hint: "Omit it to have one generated.")
        }
    }

    /// The text with which an endpoint verifies signatures: the secret itself, or the public key.
    package var verificationText: String {
        switch scheme {
        case .symmetric: secretText
        case .asymmetric: "whpk_" + Base64.encode(Ed25519.publicKey(seed: bytes) ?? [])
        }
    }

    /// The text from which this key can be read again.
    package var secretText: String {
        (scheme == .symmetric ? "whsec_" : "whsk_") + Base64.encode(bytes)
    }

    private static func bytes(of text: String, behind prefix: String) -> [UInt8]? {
        text.hasPrefix(prefix) ? Base64.decode(text.dropFirst(prefix.count)) : nil
    }

    /// Returns the seed. Many tools append the public key, which must then belong to the seed.
    private static func seed(_ bytes: [UInt8]) -> [UInt8]? {
        let seed = Array(bytes.prefix(Ed25519.seedLength))
        guard let publicKey = Ed25519.publicKey(seed: seed) else { return nil }
        return bytes == seed || bytes == seed + publicKey ? seed : nil
    }
}
