// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of the queue: an envelope, then records in logging order.
struct Segment {
    let number: UInt64
    /// The number of records without the envelope, and the file size.
    var records = 0
    var bytes = 0
    /// The delivered records and bytes, from the start.
    var sentRecords = 0
    var sentBytes = 0
    /// Whether the segment is complete. The name of a sealed file contains the record count, so a launch need not read it:
    /// `000000000007.open`, `000000000007-2000.sealed`.
    var isSealed = false

    var pending: Int { records - sentRecords }

    var name: String {
        let padded = String(repeating: "0", count: max(0, 12 - String(number).count)) + String(number)
        return isSealed ? "\(padded)-\(records).sealed" : "\(padded).open"
    }

    init(number: UInt64) {
        self.number = number
    }

    /// Parses a file name; `nil` for other files.
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

    /// Truncates a file left by a killed process after its last complete record. Throws if it cannot be read now.
    mutating func repair(in folder: URL) throws {
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

    /// Marks records as delivered, if the stored position fits this file.
    mutating func skip(records: Int, bytes: Int) {
        guard records <= self.records, bytes <= self.bytes else { return }
        sentRecords = records
        sentBytes = bytes
    }
}
