// SPDX-License-Identifier: Apache-2.0

import FirestoreExport

/// A writer of files of exports, with right or wrong parts.
struct WrittenExport {
    private(set) var bytes: [UInt8] = []

    /// All items of a file.
    static func items(_ file: [UInt8], recordBytes: Int = RecordLog.recordBytes) -> [RecordLog.Item] {
        var (log, items, rest) = (RecordLog(recordBytes: recordBytes), [RecordLog.Item](), file[...])
        while !rest.isEmpty {
            items += log.read(rest.prefix(RecordLog.blockBytes))
            rest = rest.dropFirst(RecordLog.blockBytes)
        }
        return items + log.finish()
    }

    /// Adds a record, in fragments that fit into blocks.
    mutating func add(_ record: [UInt8]) {
        var (rest, isFirst) = (record[...], true)
        repeat {
            let room = RecordLog.blockBytes - bytes.count % RecordLog.blockBytes
            if room < 7 { bytes += [UInt8](repeating: 0, count: room) }
            let part = rest.prefix(RecordLog.blockBytes - bytes.count % RecordLog.blockBytes - 7)
            rest = rest.dropFirst(part.count)
            add(kind: isFirst ? (rest.isEmpty ? 1 : 2) : (rest.isEmpty ? 4 : 3), Array(part))
            isFirst = false
        } while !rest.isEmpty
    }

    /// Adds a fragment.
    mutating func add(kind: UInt8, _ part: [UInt8]) {
        let sum = Self.checksum([kind] + part)
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
        bytes += [UInt8(part.count & 0xff), UInt8(part.count >> 8), kind] + part
    }

    private static let remainders: [UInt32] = (0..<256).map { byte in
        var rest = UInt32(byte)
        for _ in 0..<8 { rest = rest & 1 == 1 ? (rest >> 1) ^ 0x82f6_3b78 : rest >> 1 }
        return rest
    }

    /// CRC-32C byte by byte, masked.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let remainders = remainders
        var rest = ~UInt32(0)
        for byte in bytes {
            let index = Int((rest ^ UInt32(byte)) & 0xff)
            rest = (rest >> 8) ^ remainders[index]
        }
        let sum = ~rest
        return (sum >> 15 | sum << 17) &+ 0xa282_ead8
    }

    // MARK: Messages

    static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func number(_ field: Int, _ value: Int64) -> [UInt8] { varint(UInt64(field) << 3) + varint(UInt64(bitPattern: value)) }
    static func bytes(_ field: Int, _ content: [UInt8]) -> [UInt8] { varint(UInt64(field) << 3 | 2) + varint(UInt64(content.count)) + content }
    static func text(_ field: Int, _ text: String) -> [UInt8] { bytes(field, Array(text.utf8)) }
    static func double(_ field: Int, _ value: Double) -> [UInt8] {
        varint(UInt64(field) << 3 | 1) + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
    }
    static func group(_ field: Int, _ content: [UInt8]) -> [UInt8] { varint(UInt64(field) << 3 | 3) + content + varint(UInt64(field) << 3 | 4) }

    static func key(_ segments: [(String, String)], namespace: String? = nil) -> [UInt8] {
        let path = segments.flatMap { group(1, text(2, $0.0) + text(4, $0.1)) }
        return bytes(13, text(13, "s~p") + bytes(14, path) + (namespace.map { text(20, $0) } ?? []))
    }

    static func property(_ name: String, _ value: [UInt8], meaning: Int64? = nil, isMultiple: Bool = false, isRaw: Bool = false) -> [UInt8] {
        bytes(isRaw ? 15 : 14, (meaning.map { number(1, $0) } ?? []) + text(3, name) + number(4, isMultiple ? 1 : 0) + bytes(5, value))
    }

    static func entity(_ properties: [UInt8]) -> [UInt8] { key([("c", "d")]) + properties }
}
