// SPDX-License-Identifier: Apache-2.0

import CSignalbox

/// What a record is about, and so where it is sent.
enum RecordKind: UInt8 {
    /// The first of a segment: the fields that all of its events share.
    case envelope = 0x68
    case event = 0x65
    case user = 0x75
    case crash = 0x63
}

/// A record on the disk: four bytes of length, four of checksum, both little-endian, then a kind and JSON.
enum Frame {
    private static let head = 8
    /// More would be a mistake of somebody's; a report of a crash is far below.
    static let limit = 384 << 10

    /// The beginning of a record, whose JSON is written behind.
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

    /// The record that begins here, and where the next one does; nil where none is whole.
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

/// Something that was logged, as the JSON that is sent.
struct Record {
    var kind: RecordKind
    var json: ArraySlice<UInt8>
}
