// SPDX-License-Identifier: Apache-2.0

import Platform

/// A relative path in a backup: one to four names of ASCII letters, digits, `.`, `-` and `_`, none of which begins with a dot.
///
/// Restoration appends it to the data folder. It is checked byte by byte, so that no path can lead out of that folder:
///
///     events/2026-11-21.db                       accepted
///     ../main.db   /etc/passwd   ..\u{301}/a     nil
package struct BackupPath: Sendable, Hashable, CustomStringConvertible {
    private static let deepest = 4

    package let description: String
    let names: [Substring]

    package init?(_ text: String) {
        let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (1...BackupPath.deepest).contains(names.count), names.allSatisfy(BackupPath.isName) else { return nil }
        description = text
        self.names = names.map { Substring($0) }
    }

    private static func isName(_ name: Substring.UTF8View) -> Bool {
        guard let first = name.first, first != UInt8(ascii: ".") else { return false }
        return name.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
            default: false
            }
        }
    }
}
