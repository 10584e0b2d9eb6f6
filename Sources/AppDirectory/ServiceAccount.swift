// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// A key that signs for itself: who has its private half proves it, and is given access tokens.
package struct ServiceAccount: Sendable {
    package var key: APIKey
    /// As DER (SubjectPublicKeyInfo).
    package var publicKey: [UInt8]
    /// Whom what it signs must be meant for: the address of the token endpoint as its clients know it.
    package var audience: String

    package init(key: APIKey, publicKey: [UInt8], audience: String) {
        self.key = key
        self.publicKey = publicKey
        self.audience = audience
    }

    /// How it names itself in what it signs.
    package var email: String { ServiceAccount.email(ofKey: key.id) }
    package var privateKeyID: String { ServiceAccount.privateKeyID(of: publicKey) }

    package static func email(ofKey id: Int64) -> String { "key-\(id)@signalbox" }

    private static func privateKeyID(of publicKey: [UInt8]) -> String {
        String(Hex.encode(SHA256.hash(publicKey)).prefix(40))
    }
}

/// What makes a new key a service account.
package struct ServiceAccountDraft: Sendable {
    package var publicKey: [UInt8]
    package var audience: String

    package init(publicKey: [UInt8], audience: String) {
        self.publicKey = publicKey
        self.audience = audience
    }
}

extension Directory {
    /// The account that calls itself so.
    package func account(email: String) -> ServiceAccount? {
        accounts.values.first { $0.email == email }
    }
}
