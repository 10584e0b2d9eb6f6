// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

struct DiskJournalTests {
    @Test func `a truncated journal has all entries before the cut`() {
        let notes = [
            Self.note(8, name: "data"), Self.note(1, name: "data/main.db"), Self.note(2, bytes: [1, 2, 3]), Self.note(6, name: "a", other: "b"),
        ]
        let ends = notes.indices.map { notes[...$0].joined().count }
        let journal = Array(notes.joined())
        for length in 0...journal.count {
            #expect(DiskJournal(Data(journal.prefix(length))).entries.map(\.end) == ends.filter { $0 <= length }, "\(length)")
        }
    }

    private static func note(_ kind: UInt32, name: String = "", other: String = "", bytes: [UInt8] = []) -> [UInt8] {
        let words = [kind, UInt32(name.utf8.count), UInt32(other.utf8.count), UInt32(bytes.count), 7, 0, 0, 0]
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } } + Array(name.utf8) + Array(other.utf8) + bytes
    }
}
