// SPDX-License-Identifier: Apache-2.0

/// 128-bit FNV-1a. It is the same on every machine and in every version, since hashes are stored. It is not a secret: a sender can
/// reproduce any group.
struct StableHash {
    private static let prime: UInt128 = 1 << 88 | 0x13b
    private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    mutating func add(_ byte: UInt8) {
        state = (state ^ UInt128(byte)) &* StableHash.prime
    }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
    }

    /// Adds a text and a terminator, so that different lists of texts differ.
    mutating func add(part: some Sequence<UInt8>) {
        add(part)
        add(0)
    }

    mutating func add(part: String) {
        add(part: part.utf8)
    }

    var bytes: [UInt8] {
        stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: state >> UInt128($0)) }
    }
}
