// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform

/// The `Upload-Checksum` of tus 1.0: an algorithm, and the checksum of the bytes of one request in Base64.
///
///     sha1 5en6G6MezRroT3XKqkdPOmY/BfQ=
package struct UploadChecksum: Sendable, Hashable {
    package enum Algorithm: String, CaseIterable, Sendable {
        case sha1, sha256, crc32c

        fileprivate var bytes: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            case .crc32c: 4
            }
        }
    }

    package let algorithm: Algorithm
    package let expected: [UInt8]

    /// Returns nil for another algorithm, and for a checksum of another length.
    package init?(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 2, let algorithm = Algorithm.allCases.first(where: { words[0].elementsEqual($0.rawValue.utf8) }),
            let expected = Base64.decode(Substring(words[1])), expected.count == algorithm.bytes
        else { return nil }
        (self.algorithm, self.expected) = (algorithm, expected)
    }

    package var text: String { "\(algorithm.rawValue) \(Base64.encode(expected))" }
}
