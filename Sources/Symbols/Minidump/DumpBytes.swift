// SPDX-License-Identifier: Apache-2.0

/// The bytes of a minidump. All numbers are little-endian. A position outside has no value, so no offset of the file can trap.
struct DumpBytes: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func word8(_ place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }
    func word16(_ place: Int) -> UInt16? { word(place, 2).map { UInt16(truncatingIfNeeded: $0) } }
    func word32(_ place: Int) -> UInt32? { word(place, 4).map { UInt32(truncatingIfNeeded: $0) } }
    func word64(_ place: Int) -> UInt64? { word(place, 8) }

    /// Reads a number of up to 8 bytes.
    func word(_ place: Int, _ width: Int) -> UInt64? {
        guard place >= 0, width <= 8, place <= bytes.count - width else { return nil }
        var value: UInt64 = 0
        for offset in (0..<width).reversed() { value = value << 8 | UInt64(bytes[place + offset]) }
        return value
    }

    /// Reads an offset from the start of the file.
    func place(_ position: Int) -> Int? { word32(position).map(Int.init) }

    /// Reads a size followed by an offset: MINIDUMP_LOCATION_DESCRIPTOR. Nil if the range is outside the file.
    func location(_ position: Int) -> Range<Int>? {
        guard let size = place(position), let start = place(position + 4) else { return nil }
        return range(start, size)
    }

    func range(_ start: Int, _ size: Int) -> Range<Int>? {
        guard start >= 0, size >= 0, start <= bytes.count, size <= bytes.count - start else { return nil }
        return start..<start + size
    }

    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range.clamped(to: 0..<bytes.count)] }

    // MARK: Texts

    /// The limit of a text in bytes. A file may name the same text many times.
    static let textBytes = 2_048

    /// Reads a size in bytes followed by UTF-16: MINIDUMP_STRING.
    func text16(_ place: Int) -> String? {
        guard let size = self.place(place), range(place + 4, size) != nil else { return nil }
        return text16(place + 4, size)
    }

    /// Reads UTF-16 of at most `size` bytes, terminated by a zero if shorter.
    func text16(_ place: Int, _ size: Int) -> String {
        var units: [UInt16] = []
        for offset in stride(from: 0, to: min(size, DumpBytes.textBytes) - 1, by: 2) {
            guard let unit = word16(place + offset), unit != 0 else { break }
            units.append(unit)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Reads a size in bytes followed by UTF-8: MinidumpUTF8String and the byte arrays of Crashpad.
    func text8(_ place: Int) -> String? {
        guard let size = self.place(place), let range = range(place + 4, size) else { return nil }
        return text8(range)
    }

    /// Reads UTF-8, terminated by a zero if shorter.
    func text8(_ range: Range<Int>) -> String {
        String(decoding: slice(range).prefix(DumpBytes.textBytes).prefix { $0 != 0 }, as: UTF8.self)
    }
}
