// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The non-empty lines of an NDJSON body, without line ends.
///
///     {"a":1}\r\n\n{"b":2}  →  {"a":1}, {"b":2}
package struct JSONLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package mutating func next() -> Range<Int>? {
        // Blank lines are skipped byte by byte, which is cheaper than a search for each end.
        while position < bytes.count, bytes[position] == 0x0a || JSONLines.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count else { return nil }
        let start = position
        var end = lineEnd(from: start)
        position = end + 1
        while JSONLines.isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private func lineEnd(from start: Int) -> Int {
        bytes.withUnsafeBytes { all in
            // The pointers do not leave this closure.
            guard let base = all.baseAddress, let found = memchr(base + start, 0x0a, all.count - start) else { return all.count }
            return UnsafeRawPointer(found) - base
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
}
