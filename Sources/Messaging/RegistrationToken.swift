// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The token that identifies a registration and grants access to its messages. It is therefore shown masked.
package struct RegistrationToken: Hashable, Sendable, CustomStringConvertible {
    /// The allowed lengths. Shorter tokens could be guessed; no platform generates longer ones.
    package static let lengths = 8...2_048

    package let text: String

    package init(_ text: String, field: String = "token", hint: String = "Use the token exactly as it was registered.") throws(Refusal) {
        guard RegistrationToken.lengths.contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            let range = RegistrationToken.lengths
            throw .field(
                field, "bad_token", "must be \(range.lowerBound) to \(range.upperBound) printable ASCII characters without spaces",
                hint: hint)
        }
        self.text = text
    }

    /// A few characters that distinguish tokens in a list, never most of one.
    package var masked: String {
        let shown = text.utf8.count < 16 ? 2 : 4
        return "\(text.prefix(shown))…\(text.suffix(shown))"
    }

    /// The masked form, so that logs never contain the token by accident.
    package var description: String { masked }
}

/// The issuer of a token.
package enum TokenKind: Int, StoredWord {
    /// The daemon.
    case own = 1
    /// Firebase: an installation ID.
    case fid = 2
    /// Firebase or another service: a registration token.
    case token = 3
}

/// The platform of a registration.
package enum DevicePlatform: Int, StoredWord {
    case ios = 1
    case android = 2
    case macos = 3
    case web = 4
    case linux = 5
    case windows = 6
    case server = 7
}
