// SPDX-License-Identifier: Apache-2.0

import CSignalbox

/// The kind of a record, which decides the route it is sent to.
enum RecordKind: UInt8 {
    /// The first record of a segment: the fields shared by all of its events.
    case envelope = 0x68
    case event = 0x65
    case user = 0x75
    case crash = 0x63
}

/// The encoding of a record on disk: length and checksum of the rest (4 bytes each, little-endian), a kind byte, and JSON.
///
/// Example: an event `{}` is `03 00 00 00`, CRC-32 of `65 7b 7d`, `65` (kind), `7b 7d`.
enum Frame {
    private static let head = 8
    /// The size limit of a frame in bytes, far above a crash report.
    static let limit = 384 << 10

    /// Returns the start of a frame; JSON is appended to it.
    static func open(_ kind: RecordKind) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        for _ in 0..<head { bytes.append(0) }
        bytes.append(kind.rawValue)
        return bytes
    }

    /// Fills in length and checksum.
    static func close(_ bytes: inout [UInt8]) {
        let count = UInt32(bytes.count - head)
        let sum = checksum(bytes[head...])
        for i in 0..<4 {
            bytes[i] = UInt8(truncatingIfNeeded: count >> UInt32(8 * i))
            bytes[4 + i] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * i))
        }
    }

    /// Reads the record at the start of `bytes` and returns it with the index of the next one; `nil` if it is incomplete or corrupt.
    static func read(_ bytes: ArraySlice<UInt8>) -> (record: Record, next: Int)? {
        guard bytes.count > head else { return nil }
        let start = bytes.startIndex + head
        let count = Int(word(bytes, bytes.startIndex))
        guard count > 0, count <= limit, count <= bytes.endIndex - start else { return nil }
        let body = bytes[start..<start + count]
        guard checksum(body) == word(bytes, bytes.startIndex + 4), let kind = RecordKind(rawValue: body[start]) else { return nil }
        return (Record(kind: kind, json: body.dropFirst()), start + count)
    }

    private static func word(_ bytes: ArraySlice<UInt8>, _ start: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { csignalbox_checksum($0.baseAddress, $0.count) }
    }
}

/// A queued record with its JSON.
struct Record {
    var kind: RecordKind
    var json: ArraySlice<UInt8>
}
