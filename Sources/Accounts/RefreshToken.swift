// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// A refresh token: a session, the number of the token in it, and a seal. It is stored nowhere.
///
///     base64url(version 1, session ID 16 bytes, number 4 bytes, HMAC 16 bytes)
package struct RefreshToken: Sendable {
    private static let version: UInt8 = 1

    package let session: SessionID
    package let counter: UInt32

    package init(session: SessionID, counter: UInt32) {
        (self.session, self.counter) = (session, counter)
    }

    /// Returns nil for a text that was not sealed with the key.
    package init?(_ text: String, _ key: AccountsKey) {
        guard text.utf8.count == 50, let bytes = Base64URL.decode(text), bytes.count == 37, bytes[0] == RefreshToken.version,
            let session = SessionID(bytes: Array(bytes[1..<17]))
        else { return nil }
        let counter = bytes[17..<21].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard constantTimeEqual(RefreshToken.seal(Array(bytes[..<21]), session, key), Array(bytes[21...])) else { return nil }
        self.init(session: session, counter: counter)
    }

    package func text(_ key: AccountsKey) -> Secret {
        let number = (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * $0)) }
        let open = [RefreshToken.version] + session.bytes + number
        return Secret(Base64URL.encode(open + RefreshToken.seal(open, session, key)))
    }

    private static func seal(_ open: [UInt8], _ session: SessionID, _ key: AccountsKey) -> [UInt8] {
        Array(HMACSHA256.authenticate(open, key: key.derived("refresh \(session.text)")).prefix(16))
    }
}
