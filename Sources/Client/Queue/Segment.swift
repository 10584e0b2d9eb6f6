// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of the queue: an envelope, then records in the order in which they were logged.
struct Segment {
    let number: UInt64
    /// How many there are, without the envelope, and how long the file is.
    var records = 0
    var bytes = 0
    /// What of that is done with, from the beginning.
    var goneRecords = 0
    var goneBytes = 0
    /// Once nothing more comes into it, its name says how many there are, so that a start need not read it.
    var isSealed = false

    var left: Int { records - goneRecords }

    var name: String {
        let padded = String(repeating: "0", count: max(0, 12 - String(number).count)) + String(number)
        return isSealed ? "\(padded)-\(records).sealed" : "\(padded).open"
    }

    init(number: UInt64) {
        self.number = number
    }

    /// Reads a name and the file's size; nil for files of others.
    init?(name: String, bytes: Int) {
        let parts = name.split(separator: ".")
        let numbers = parts.first?.split(separator: "-") ?? []
        guard parts.count == 2, let first = numbers.first, let number = UInt64(first) else { return nil }
        self.number = number
        self.bytes = bytes
        switch (parts[1], numbers.count) {
        case ("open", 1): break
        case ("sealed", 2):
            guard let records = Int(numbers[1]), records > 0 else { return nil }
            self.records = records
            isSealed = true
        default: return nil
        }
    }

    /// What a process left that was killed: counted as far as it is whole, and cut there. Throws where it cannot be read now.
    mutating func mend(in folder: URL) throws {
        let file = folder.appendingPathComponent(name)
        let content = [UInt8](try Data(contentsOf: file))[...]
        var end = 0
        var count = 0
        while let (_, next) = Frame.read(content[end...]) {
            end = next
            count += 1
        }
        bytes = end
        records = max(0, count - 1)
        guard end < content.count, let handle = try? FileHandle(forWritingTo: file) else { return }
        try? handle.truncate(atOffset: UInt64(end))
        try? handle.close()
    }

    /// Whether the numbers of somebody who was here before fit.
    mutating func skip(records: Int, bytes: Int) {
        guard records <= self.records, bytes <= self.bytes else { return }
        goneRecords = records
        goneBytes = bytes
    }
}
