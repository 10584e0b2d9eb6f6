// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// An API key that belongs to a key pair. Its owner signs a JWT with the private key and gets access tokens for it.
package struct ServiceAccount: Sendable {
    package var key: APIKey
    /// The public key in DER (SubjectPublicKeyInfo).
    package var publicKey: [UInt8]
    /// The audience that signed tokens must name: the public URL of the token endpoint.
    package var audience: String

    package init(key: APIKey, publicKey: [UInt8], audience: String) {
        self.key = key
        self.publicKey = publicKey
        self.audience = audience
    }

    /// The account's name in tokens it signs.
    package var email: String { ServiceAccount.email(ofKey: key.id) }
    package var privateKeyID: String { ServiceAccount.privateKeyID(of: publicKey) }

    package static func email(ofKey id: Int64) -> String { "key-\(id)@signalbox" }

    private static func privateKeyID(of publicKey: [UInt8]) -> String {
        String(Hex.encode(SHA256.hash(publicKey)).prefix(40))
    }
}

/// The data that makes a new API key a service account.
package struct ServiceAccountDraft: Sendable {
    package var publicKey: [UInt8]
    package var audience: String

    package init(publicKey: [UInt8], audience: String) {
        self.publicKey = publicKey
        self.audience = audience
    }
}

extension Directory {
    /// Returns the service account with an email address.
    package func account(email: String) -> ServiceAccount? {
        accounts.values.first { $0.email == email }
    }
}
