// SPDX-License-Identifier: Apache-2.0

/// A UUIDv7, created when an event is logged. Retries send the same ID, so that the daemon counts the event once.
enum TimeOrderedID {
    static func text(milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        write(milliseconds: milliseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func write(milliseconds: Int64, to out: inout [UInt8]) {
        var random = SystemRandomNumberGenerator()
        let high = UInt64(truncatingIfNeeded: milliseconds) << 16 | 0x7000 | random.next() & 0x0fff
        let low = 0x8000_0000_0000_0000 | random.next() >> 2
        write(high, from: 0, to: &out)
        write(low, from: 16, to: &out)
    }

    private static func write(_ word: UInt64, from first: Int, to out: inout [UInt8]) {
        for digit in first..<first + 16 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 { out.append(0x2d) }
            let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - (digit & 15) * 4)) & 15
            out.append(value < 10 ? 0x30 + value : 0x57 + value)
        }
    }
}
