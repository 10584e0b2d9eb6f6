// SPDX-License-Identifier: Apache-2.0

/// The encoding of currency codes in rows: three ASCII letters, big-endian. `USD` is 0x555344.
enum Currency {
    static func text(_ number: Int64) -> String {
        String(
            decoding: [UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)],
            as: UTF8.self)
    }

    static func number(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 3 else { return nil }
        return bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
