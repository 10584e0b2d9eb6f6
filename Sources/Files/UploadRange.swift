// SPDX-License-Identifier: Apache-2.0

import Platform

/// The `Content-Range` of a request to a resumable upload of Google's storage.
///
///     bytes 0-262143/*               a piece, and others follow
///     bytes 262144-300000/300001     the last piece
///     bytes */300001                 no bytes: ends the upload if all are here, else asks how far it is
///     bytes */*                      asks how far it is
package struct UploadRange: Hashable, Sendable {
    /// The first and the last byte of the body; nil for a request without bytes.
    package let bytes: ClosedRange<Int64>?
    /// The length of the file; nil if it is not known yet.
    package let total: Int64?

    /// Returns nil for anything else.
    package init?(_ text: String) {
        guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")), text.utf8[..<space].map(\.lowercased).elementsEqual("bytes".utf8) else {
            return nil
        }
        let parts = text.utf8[text.utf8.index(after: space)...].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let star = "*".utf8
        total = parts[1].elementsEqual(star) ? nil : UploadRange.number(parts[1])
        guard total != nil || parts[1].elementsEqual(star) else { return nil }
        if parts[0].elementsEqual(star) {
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(UploadRange.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else { return nil }
        bytes = first...last
    }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        guard (1...19).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(Substring(digits))
    }
}
