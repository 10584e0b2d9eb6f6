// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform

/// The `Upload-Metadata` of tus 1.0: pairs of a name and a text in Base64.
///
///     path dXNlcnMvYW5uL2EucG5n,type aW1hZ2UvcG5n,draft   →   path users/ann/a.png, type image/png, draft (empty)
package struct TusMetadata: Sendable, Hashable {
    package static let maximumBytes = 16 << 10

    package private(set) var entries: [FileDetails.Entry] = []

    /// Reads the header field; nil if it is malformed, too long, or names something twice.
    package init?(_ text: String) {
        guard text.utf8.count <= TusMetadata.maximumBytes else { return nil }
        var names: Set<String> = []
        for part in text.utf8.split(separator: UInt8(ascii: ",")) {
            let words = part.split(separator: UInt8(ascii: " "))
            guard (1...2).contains(words.count), words[0].allSatisfy({ (0x21..<0x7f).contains($0) }) else { return nil }
            let name = String(Substring(words[0]))
            guard names.insert(name).inserted, let value = TusMetadata.text(words.count == 2 ? words[1] : words[0][..<words[0].startIndex]) else {
                return nil
            }
            entries.append(FileDetails.Entry(name, value))
        }
    }

    private static func text(_ encoded: Substring.UTF8View.SubSequence) -> String? {
        Base64.decode(Substring(encoded)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The header field with these entries.
    package static func text(of entries: [FileDetails.Entry]) -> String {
        entries.map { "\($0.name) \(Base64.encode(Array($0.value.utf8)))" }.joined(separator: ",")
    }

    /// Takes the value of the first of some names that is there.
    package mutating func take(_ names: String...) -> String? {
        for name in names {
            guard let place = entries.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else { continue }
            return entries.remove(at: place).value
        }
        return nil
    }
}
