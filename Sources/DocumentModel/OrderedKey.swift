// SPDX-License-Identifier: Apache-2.0

/// Writes values and paths as bytes whose order is that of the values.
///
///     null 05    false 0A 00    true 0A 01    NaN 0D    number 0F …    time 14 …    text 19 … 00 01    bytes 1E … 00 01
///     reference 25 … 00 01    place 2D …    array 32 … 00 01    vector 35 …    map 37 … 00 01
///
/// Of a text or bytes a key has the first 1,500 bytes. Entries with equal cut keys must be ordered by their documents.
package struct OrderedKey: Sendable {
    package static let maximumBytes = 1_500

    package private(set) var bytes: [UInt8] = []
    /// Whether another value may have the same key, because a text or bytes have as much as a key keeps.
    package private(set) var isCut = false

    package init() {}

    /// Appends a value. The bytes of a descending field are inverted.
    package mutating func append(_ value: DocumentValue, descending: Bool = false) {
        let start = bytes.count
        write(value)
        if descending { for index in start..<bytes.count { bytes[index] = ~bytes[index] } }
    }

    package mutating func append(_ path: DocumentPath, descending: Bool = false) {
        let start = bytes.count
        write(path)
        if descending { for index in start..<bytes.count { bytes[index] = ~bytes[index] } }
    }

    package mutating func append(_ other: OrderedKey) {
        bytes += other.bytes
        isCut = isCut || other.isCut
    }

    private mutating func write(_ value: DocumentValue) {
        switch value {
        case .null: bytes.append(0x05)
        case .bool(let value): bytes += [0x0A, value ? 1 : 0]
        case .integer(let value): write(number: Double(value), rest: OrderedKey.rest(value))
        case .double(let value) where value.isNaN: bytes.append(0x0D)
        case .double(let value): write(number: value, rest: 0)
        case .time(let time): write(time)
        case .text(let text):
            bytes.append(0x19)
            write(text.bytes, limit: OrderedKey.maximumBytes)
        case .bytes(let value):
            bytes.append(0x1E)
            write(value, limit: OrderedKey.maximumBytes)
        case .reference(let reference):
            bytes.append(0x25)
            write(reference.database.bytes, limit: .max)
            write(reference.path)
        case .place(let place):
            bytes.append(0x2D)
            for degrees in [place.latitude, place.longitude] { write(bits: OrderedKey.ordered(degrees)) }
        case .array(let values):
            bytes.append(0x32)
            for value in values { write(value) }
            writeEnd()
        case .vector(let numbers):
            bytes.append(0x35)
            write(integer: UInt32(numbers.count))
            for number in numbers { write(bits: number.isNaN ? 0 : OrderedKey.ordered(number)) }
        case .map(let fields):
            bytes.append(0x37)
            for field in fields.all {
                bytes.append(0x20)
                write(field.name.bytes, limit: .max)
                write(field.value)
            }
            writeEnd()
        }
    }

    /// Writes a path. An ID such as `__id7__` is before all others.
    private mutating func write(_ path: DocumentPath) {
        for segment in path.segments {
            if let number = segment.number {
                bytes.append(0x10)
                write(bits: UInt64(bitPattern: number) ^ (1 << 63))
            } else {
                bytes.append(0x20)
                write(segment.text.bytes, limit: .max)
            }
        }
        writeEnd()
    }

    /// Writes seconds with the sign flipped, and microseconds.
    private mutating func write(_ time: DocumentTime) {
        var (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000) }
        bytes.append(0x14)
        write(bits: UInt64(bitPattern: seconds) ^ (1 << 63))
        write(integer: UInt32(rest))
    }

    /// Writes the largest double that is not above a number, and from 2^53 on what is left over.
    private mutating func write(number: Double, rest: UInt16) {
        let isAbove = rest & 0x8000 != 0
        let floor = isAbove ? number.nextDown : number
        bytes.append(0x0F)
        write(bits: OrderedKey.ordered(floor))
        guard floor.magnitude >= 0x1p53 else { return }
        let value = isAbove ? UInt16(rest & 0x7FFF) : rest
        bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
    }

    /// How far an integer is above the largest double that is not above it. The top bit says that the nearest double is above.
    private static func rest(_ value: Int64) -> UInt16 {
        let near = Double(value)
        if near < 0x1p63, Int64(near) <= value { return UInt16(value - Int64(near)) }
        return 0x8000 | UInt16(value - Int64(near.nextDown))
    }

    /// The bits of a double, in the order of numbers. Both zeros are equal.
    private static func ordered(_ value: Double) -> UInt64 {
        let bits = (value == 0 ? 0.0 : value).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    private mutating func write(bits: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    }

    private mutating func write(integer: UInt32) {
        for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: integer >> UInt32(shift))) }
    }

    /// Writes bytes so that none of them ends the value: 00 becomes 00 FF.
    private mutating func write(_ value: some Collection<UInt8>, limit: Int) {
        if value.count >= limit { isCut = true }
        for byte in value.prefix(limit) {
            bytes.append(byte)
            if byte == 0 { bytes.append(0xFF) }
        }
        writeEnd()
    }

    private mutating func writeEnd() { bytes += [0x00, 0x01] }
}
