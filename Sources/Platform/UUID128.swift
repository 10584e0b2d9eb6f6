// SPDX-License-Identifier: Apache-2.0

/// A UUID as two words, printed in lower case.
package struct UUID128: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses the 36-character form in either case; `nil` otherwise.
    package init?(_ text: Swift.Span<UInt8>) {
        guard text.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for i in 0..<36 {
            let byte = text[i]
            if i == 8 || i == 13 || i == 18 || i == 23 {
                guard byte == 0x2d else { return nil }
                continue
            }
            guard let value = byte.hexValue.map(UInt64.init) else { return nil }
            if digits < 16 { words.0 = words.0 << 4 | value } else { words.1 = words.1 << 4 | value }
            digits += 1
        }
        (high, low) = words
    }

    /// Reads up to 16 bytes in network order; missing ones are zero.
    package init(networkBytes bytes: [UInt8]) {
        func word(_ start: Int) -> UInt64 {
            (start..<start + 8).reduce(0) { $0 << 8 | UInt64(bytes.indices.contains($1) ? bytes[$1] : 0) }
        }
        self.init(high: word(0), low: word(8))
    }

    /// The 36-character form in lower case.
    package var text: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(36)
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 { out.append(0x2d) }
            let word = digit < 16 ? high : low
            out.append(UUID128.hexDigit(word >> UInt64(60 - (digit & 15) * 4) & 15))
        }
        return out
    }

    /// The 16 bytes in network order.
    package var bytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 - ($0 & 7) * 8)) }
    }

    private static func hexDigit(_ value: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 10 ? 0x30 + value : 0x61 + value - 10)
    }
}

/// Generates UUIDv7s for events without an ID.
package struct UUIDv7Generator: Sendable {
    private var random = SystemRandomNumberGenerator()

    package init() {}

    package mutating func next(at time: Timestamp) -> UUID128 {
        let high = UInt64(bitPattern: time.milliseconds) << 16 | 0x7000 | random.next() & 0xfff
        return UUID128(high: high, low: 0x8000_0000_0000_0000 | random.next() >> 2)
    }
}
