// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Platform

/// A code that a mail carries: in its link as a sealed text, and as eight digits to type. Neither is stored; both follow from the ID of the
/// code's row and the key outside the database.
///
///     text      base64url(version 1, ID 16 bytes, HMAC 16 bytes), 44 characters
///     digits    4821 0937: of HMAC(ID, address), so they are worth nothing with another address
package struct MailCode: Hashable, Sendable {
    private static let version: UInt8 = 1
    private static let sealBytes = 16

    private let id: UUID128

    package static func make(at time: Timestamp) -> MailCode {
        var generator = UUIDv7Generator()
        return MailCode(id: generator.next(at: time))
    }

    private init(id: UUID128) {
        self.id = id
    }

    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        id = UUID128(networkBytes: bytes)
    }

    /// Returns nil for a text that was not sealed with the key.
    package init?(_ text: String, _ key: AccountsKey) {
        guard text.utf8.count == 44, let bytes = Base64URL.decode(text), bytes.count == 33, bytes[0] == MailCode.version,
            let code = MailCode(bytes: Array(bytes[1..<17])), constantTimeEqual(code.seal(key), Array(bytes[17...]))
        else { return nil }
        self = code
    }

    package var bytes: [UInt8] { id.bytes }

    package func text(_ key: AccountsKey) -> Secret { Secret(Base64URL.encode([MailCode.version] + bytes + seal(key))) }

    private func seal(_ key: AccountsKey) -> [UInt8] {
        Array(HMACSHA256.authenticate([MailCode.version] + bytes, key: key.derived("mail codes")).prefix(MailCode.sealBytes))
    }

    /// Eight digits that are valid with one address.
    package func digits(for email: EmailAddress, _ key: AccountsKey) -> Secret {
        let mac = HMACSHA256.authenticate(bytes + Array(email.key.utf8), key: key.derived("mail code digits"))
        let number = mac.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000_000
        let digits = String(number)
        return Secret(String(repeating: "0", count: 8 - digits.count) + digits)
    }

    /// Whether a text is this code's digits. Blanks and hyphens do not matter: `4821 0937`.
    package func matches(_ typed: TypedDigits, for email: EmailAddress, _ key: AccountsKey) -> Bool {
        constantTimeEqual(Array(digits(for: email, key).revealed.utf8), typed.digits)
    }
}

/// Eight digits as a user typed them.
package struct TypedDigits: Sendable, Equatable {
    let digits: [UInt8]

    /// Returns nil for anything but eight digits with blanks or hyphens between them.
    package init?(_ text: String) {
        guard text.utf8.count <= 32 else { return nil }
        let marks = text.utf8.filter { $0 != 0x20 && $0 != UInt8(ascii: "-") }
        guard marks.count == 8, marks.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        digits = Array(marks)
    }
}
