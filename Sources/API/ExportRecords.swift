// SPDX-License-Identifier: Apache-2.0

/// Cuts the bytes of an export into whole records and knows the seq of the last.
package struct ExportRecords: Sendable {
    package private(set) var lastSeq: Int64
    private let isTable: Bool
    private var hasHeading = false
    private var skipsHeading = false
    /// The start of an incomplete record.
    private var partial: [UInt8] = []
    /// The searched bytes of `partial`, and whether their end is inside quotes.
    private var seen = 0
    private var isQuoted = false

    /// - Parameter isTable: Whether the export is CSV, whose first record is the heading.
    package init(isTable: Bool, after: Int64) {
        self.isTable = isTable
        lastSeq = after
    }

    /// Forgets half a record; a heading that was written already is left out of the next answer.
    package mutating func beginAgain() {
        partial = []
        seen = 0
        isQuoted = false
        skipsHeading = hasHeading
    }

    /// The records that these bytes complete.
    package mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        partial += bytes
        var start = 0
        var out: [UInt8] = []
        while seen < partial.count {
            let byte = partial[seen]
            seen += 1
            // A doubled quote inside a quoted field turns twice and so changes nothing.
            if isTable, byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard byte == 0x0a, !isQuoted else { continue }
            if note(partial[start..<seen]) { out += partial[start..<seen] }
            start = seen
        }
        partial.removeFirst(start)
        seen = partial.count
        return out
    }

    /// Whether a record is to be written.
    private mutating func note(_ record: ArraySlice<UInt8>) -> Bool {
        if isTable, !hasHeading || skipsHeading {
            let isNew = !hasHeading
            hasHeading = true
            skipsHeading = false
            return isNew
        }
        let digits = record.drop { $0 < 0x30 || $0 > 0x39 }.prefix { (0x30...0x39).contains($0) }
        lastSeq = Int64(String(decoding: digits, as: UTF8.self)) ?? lastSeq
        return true
    }
}
