// SPDX-License-Identifier: Apache-2.0

import Crypto

/// User IDs of accounts.
package enum AccountID {
    /// Returns 28 random letters and digits, as Firebase's IDs.
    package static func make() -> String { randomToken(prefix: "", bits: 166) }

    /// Whether a server may give this ID to an account: 1 to 128 bytes without control characters.
    package static func isValid(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
