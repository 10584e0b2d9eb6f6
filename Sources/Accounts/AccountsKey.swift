// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// The key outside the database of accounts. Every other secret is derived from it or encrypted with it.
package struct AccountsKey: Sendable {
    private static let prefix = "sbacc_"
    private static let length = 32

    private let bytes: [UInt8]

    package static func make() -> AccountsKey { AccountsKey(bytes: randomBytes(length)) }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses the text of a key file: `sbacc_` and 43 characters of base64url.
    package init?(text: String) {
        guard text.hasPrefix(AccountsKey.prefix), let bytes = Base64URL.decode(text.dropFirst(AccountsKey.prefix.count)),
            bytes.count == AccountsKey.length
        else { return nil }
        self.bytes = bytes
    }

    package var text: Secret { Secret(AccountsKey.prefix + Base64URL.encode(bytes)) }

    /// A text that tells keys apart and reveals nothing.
    package var fingerprint: String { Hex.encode(Array(derived("fingerprint").prefix(16))) }

    func derived(_ purpose: String) -> [UInt8] { HKDF.key(bytes, info: "signalbox accounts: \(purpose)") }

    /// Encrypts a secret. `context` must be the same when it is decrypted.
    package func wrap(_ secret: [UInt8], as context: String) -> [UInt8] { WrappedSecret.wrap(secret, key: derived("wrap"), context: context) }

    package func unwrap(_ bytes: [UInt8], as context: String) -> [UInt8]? {
        WrappedSecret.unwrap(bytes, key: derived("wrap"), context: context)
    }
}
