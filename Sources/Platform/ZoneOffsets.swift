// SPDX-License-Identifier: Apache-2.0

/// A time zone's UTC offsets, read from the system's database (TZif), for local days.
package struct ZoneOffsets: Sendable {
    package let name: String
    /// Transition times in Unix seconds; the offset with the same index applies from then on.
    private let changes: [Int64]
    private let offsets: [Int64]
    private let first: Int64

    package static let utc = ZoneOffsets(name: "UTC", changes: [], offsets: [], first: 0)

    private init(name: String, changes: [Int64], offsets: [Int64], first: Int64) {
        self.name = name
        self.changes = changes
        self.offsets = offsets
        self.first = first
    }

    /// Returns `nil` for an unknown name.
    package init?(_ name: String) {
        if name == "UTC" {
            self = .utc
            return
        }
        guard TimeZoneName.isPlain(name), let file = try? File("/usr/share/zoneinfo/" + name, .read), let size = try? file.size, size < 1 << 20,
            let bytes = try? file.read(at: 0, count: size), let zone = ZoneOffsets(name: name, tzif: bytes)
        else { return nil }
        self = zone
    }

    /// Parses the 64-bit part of a TZif file (RFC 8536).
    init?(name: String, tzif bytes: [UInt8]) {
        var reader = BigEndianReader(bytes)
        guard let old = reader.header() else { return nil }
        reader.skip(old.transitions * 5 + old.types * 6 + old.characters + old.leaps * 8 + old.standards + old.universals)
        guard let head = reader.header(), head.types > 0 else { return nil }
        let changes = (0..<head.transitions).map { _ in Int64(bitPattern: reader.number(bytes: 8)) }
        let indices = (0..<head.transitions).map { _ in Int(reader.number(bytes: 1)) }
        let types = (0..<head.types).map { _ in
            let offset = Int64(Int32(truncatingIfNeeded: Int64(bitPattern: reader.number(bytes: 4))))
            reader.skip(2)
            return offset
        }
        guard !reader.failed, indices.allSatisfy(types.indices.contains), changes == changes.sorted() else { return nil }
        self.init(name: name, changes: changes, offsets: indices.map { types[$0] }, first: types[0])
    }

    /// Returns the milliseconds to add to UTC for local time.
    package func offset(at time: Timestamp) -> Int64 {
        let seconds = time.milliseconds.flooredQuotient(by: 1_000)
        var (lower, upper) = (0, changes.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if changes[middle] <= seconds { lower = middle + 1 } else { upper = middle }
        }
        return (lower == 0 ? first : offsets[lower - 1]) * 1_000
    }

    /// Returns the first time whose local time is not before `local`, which is given as if it were UTC.
    package func moment(ofLocal local: Timestamp) -> Timestamp {
        let candidates = [local - .days(1), local + .days(1)].map { Timestamp(milliseconds: local.milliseconds - offset(at: $0)) }
        let reached = candidates.filter { $0.milliseconds + offset(at: $0) >= local.milliseconds }
        let moment = reached.min() ?? candidates[1]
        guard self.local(moment) > local, let jump = changes.last(where: { $0 <= moment.milliseconds.flooredQuotient(by: 1_000) }) else {
            return moment
        }
        // The local time was skipped by a transition.
        return Timestamp(milliseconds: jump * 1_000)
    }

    package func local(_ time: Timestamp) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds + offset(at: time))
    }
}

/// Reads big-endian numbers; returns an error instead of trapping at the end.
private struct BigEndianReader {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var failed = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    struct Header {
        var universals, standards, leaps, transitions, types, characters: Int
    }

    mutating func header() -> Header? {
        guard number(bytes: 4) == 0x545a_6966 else { return nil }
        skip(16)
        let counts = (0..<6).map { _ in Int(number(bytes: 4)) }
        guard !failed, counts.allSatisfy({ $0 <= 100_000 }) else { return nil }
        return Header(
            universals: counts[0], standards: counts[1], leaps: counts[2], transitions: counts[3], types: counts[4], characters: counts[5])
    }

    mutating func number(bytes count: Int) -> UInt64 {
        guard position + count <= bytes.count else {
            failed = true
            return 0
        }
        defer { position += count }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func skip(_ count: Int) {
        position += count
        if position > bytes.count { failed = true }
    }
}
