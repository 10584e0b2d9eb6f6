// SPDX-License-Identifier: Apache-2.0

import JSON

/// Translates MessagePack, in which sentry-native writes events and breadcrumbs, to JSON.
///
///     81 a4 "user" 81 a2 "id" 05  →  {"user":{"id":5}}
///
/// The work is proportional to the bytes. Values without a form in JSON (binary data, extensions) become null.
package struct MessagePack {
    private static let bytes = 1 << 20
    private static let depth = 64
    /// The limit of values in succession. A report keeps fewer breadcrumbs.
    private static let values = 1_000

    private let bytes: ArraySlice<UInt8>
    private var at: Int
    private var json = JSONWriter()

    /// Returns each of several values in succession, at most 1,000; nil if they are malformed or have more than 1 MiB.
    package static func json(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
        guard bytes.count <= MessagePack.bytes else { return nil }
        var documents: [[UInt8]] = []
        var at = bytes.startIndex
        while at < bytes.endIndex, documents.count < MessagePack.values {
            var reader = MessagePack(bytes, at: at)
            guard reader.value(level: 0) else { return nil }
            documents.append(reader.json.bytes)
            at = reader.at
        }
        return documents
    }

    private init(_ bytes: ArraySlice<UInt8>, at start: Int) {
        (self.bytes, at) = (bytes, start)
    }

    // MARK: Values

    private mutating func value(level: Int) -> Bool {
        guard level < MessagePack.depth, let kind = number(1) else { return false }
        switch kind {
        case 0x00...0x7f: json.integer(kind)
        case 0x80...0x8f: return map(Int(kind & 0x0f), level)
        case 0x90...0x9f: return array(Int(kind & 0x0f), level)
        case 0xa0...0xbf: return text(Int(kind & 0x1f))
        case 0xc0, 0xc1: json.null()
        case 0xc2, 0xc3: json.bool(kind == 0xc3)
        case 0xc4...0xc6: return skip(number(1 << Int(kind - 0xc4)))
        case 0xc7...0xc9: return skip(number(1 << Int(kind - 0xc7)).map { $0 + 1 })
        case 0xca: return number(4).map { real(Double(Float(bitPattern: UInt32($0)))) } != nil
        case 0xcb: return number(8).map { real(Double(bitPattern: $0)) } != nil
        case 0xcc...0xcf: return number(1 << Int(kind - 0xcc)).map { json.integer($0) } != nil
        case 0xd0...0xd3: return signed(1 << Int(kind - 0xd0)).map { json.integer($0) } != nil
        case 0xd4...0xd8: return skip(1 + 1 << UInt64(kind - 0xd4))
        case 0xd9...0xdb: return number(1 << Int(kind - 0xd9)).map { text(Int(clamping: $0)) } ?? false
        case 0xdc, 0xdd: return number(2 << Int(kind - 0xdc)).map { array(Int(clamping: $0), level) } ?? false
        case 0xde, 0xdf: return number(2 << Int(kind - 0xde)).map { map(Int(clamping: $0), level) } ?? false
        default: json.integer(Int64(Int8(truncatingIfNeeded: kind)))
        }
        return true
    }

    private mutating func array(_ count: Int, _ level: Int) -> Bool {
        guard count <= bytes.endIndex - at else { return false }
        json.beginArray()
        for _ in 0..<count {
            guard value(level: level + 1) else { return false }
        }
        json.endArray()
        return true
    }

    private mutating func map(_ count: Int, _ level: Int) -> Bool {
        guard count <= bytes.endIndex - at else { return false }
        json.beginObject()
        for _ in 0..<count {
            guard key(), value(level: level + 1) else { return false }
        }
        json.endObject()
        return true
    }

    /// Takes and writes the name of a member. Only texts are names.
    private mutating func key() -> Bool {
        guard let kind = number(1) else { return false }
        let size: UInt64?
        switch kind {
        case 0xa0...0xbf: size = kind & 0x1f
        case 0xd9...0xdb: size = number(1 << Int(kind - 0xd9))
        default: return false
        }
        guard let size, let range = take(Int(clamping: size)) else { return false }
        json.key(String(decoding: range, as: UTF8.self))
        return true
    }

    private mutating func text(_ size: Int) -> Bool {
        guard let range = take(size) else { return false }
        json.string(String(decoding: range, as: UTF8.self))
        return true
    }

    private mutating func real(_ value: Double) {
        if value.isFinite { json.real(value) } else { json.null() }
    }

    private mutating func skip(_ size: UInt64?) -> Bool {
        guard let size, take(Int(clamping: size)) != nil else { return false }
        json.null()
        return true
    }

    // MARK: Bytes

    private mutating func take(_ size: Int) -> ArraySlice<UInt8>? {
        guard size <= bytes.endIndex - at else { return nil }
        defer { at += size }
        return bytes[at..<at + size]
    }

    private mutating func number(_ width: Int) -> UInt64? {
        take(width)?.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func signed(_ width: Int) -> Int64? {
        number(width).map { Int64(bitPattern: $0 << UInt64(64 - 8 * width)) >> Int64(64 - 8 * width) }
    }
}
