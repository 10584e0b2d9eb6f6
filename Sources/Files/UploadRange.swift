// SPDX-License-Identifier: Apache-2.0

import Platform

/// The `Content-Range` of a request to a resumable upload of Google's storage.
///
///     bytes 0-262143/*               a piece, and others follow
///     bytes 262144-300000/300001     the last piece
///     bytes 262144-*/300001          the rest of the file, as Google's client for Node.js sends it; the length may be * here, too
///     bytes */300001                 no bytes: ends the upload if all are here, else asks how far it is
///     bytes */*                      asks how far it is
package struct UploadRange: Hashable, Sendable {
    package enum Bytes: Hashable, Sendable {
        case nothing
        /// The first and the last byte of the body.
        case piece(ClosedRange<Int64>)
        /// The body has the rest of the file, from this byte on.
        case rest(from: Int64)
    }

    /// The bytes that the body has.
    package let bytes: Bytes
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
            bytes = .nothing
            return
        }
        let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = UploadRange.number(ends[0]) else { return nil }
        if ends[1].elementsEqual(star), first <= total ?? .max {
            bytes = .rest(from: first)
            return
        }
        guard let last = UploadRange.number(ends[1]), first <= last, last < total ?? .max else { return nil }
        bytes = .piece(first...last)
    }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        guard (1...19).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(Substring(digits))
    }
}
