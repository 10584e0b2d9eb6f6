// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What names a registration and opens it: whoever has it may read what is sent to it, so it is shown masked.
package struct RegistrationToken: Hashable, Sendable, CustomStringConvertible {
    /// Shorter ones could be guessed, longer ones no platform makes.
    package static let lengths = 8...2_048

    package let text: String

    package init(_ text: String, field: String = "token", hint: String = "Send to tokens as they were registered.") throws(Refusal) {
        guard RegistrationToken.lengths.contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            let range = RegistrationToken.lengths
            throw .field(
                field, "bad_token", "must be \(range.lowerBound) to \(range.upperBound) printable ASCII characters without spaces",
                hint: hint)
        }
        self.text = text
    }

    /// Enough to tell tokens apart in a list, and never most of one.
    package var masked: String {
        let shown = text.utf8.count < 16 ? 2 : 4
        return "\(text.prefix(shown))…\(text.suffix(shown))"
    }

    /// Masked, so that no log has it by accident.
    package var description: String { masked }
}

/// Who made a token.
package enum TokenKind: Int, StoredWord {
    /// The daemon.
    case own = 1
    /// Firebase: an installation's id.
    case fid = 2
    /// Firebase or another service: a registration token.
    case token = 3
}

/// What a registration runs on.
package enum DevicePlatform: Int, StoredWord {
    case ios = 1
    case android = 2
    case macos = 3
    case web = 4
    case linux = 5
    case windows = 6
    case server = 7
}
