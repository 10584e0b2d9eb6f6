// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// scrypt (RFC 7914): a key from a passphrase, at a cost in memory and time that slows down guessing.
package struct Scrypt: Sendable, Equatable {
    /// The binary logarithm of the cost.
    package var logCost: UInt8
    package var blockSize: UInt8
    package var parallelism: UInt8

    /// 128 MiB and half a second, the strength that RFC 7914's author recommends for files.
    package static let standard = Scrypt(logCost: 17, blockSize: 8, parallelism: 1)

    package init(logCost: UInt8, blockSize: UInt8, parallelism: UInt8) {
        (self.logCost, self.blockSize, self.parallelism) = (logCost, blockSize, parallelism)
    }

    /// Whether the parameters need at most 256 MiB. Those of a file that others wrote could otherwise use all memory.
    package var isBounded: Bool {
        (1...18).contains(logCost) && (1...8).contains(blockSize) && (1...4).contains(parallelism)
    }

    /// Returns a key; nil for parameters that are not bounded, or more than 256 bytes.
    package func key(_ passphrase: [UInt8], salt: [UInt8], length: Int = 32) -> [UInt8]? {
        guard isBounded, (1...256).contains(length) else { return nil }
        var isDone = false
        let key = [UInt8](unsafeUninitializedCapacity: length) { out, count in
            // libcrypto reads the passphrase and the salt, and writes `length` bytes.
            isDone = passphrase.withUnsafeBytes { text in
                EVP_PBE_scrypt(
                    text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, salt, salt.count, UInt64(1) << UInt64(logCost),
                    UInt64(blockSize), UInt64(parallelism), 320 << 20, out.baseAddress, length) == 1
            }
            count = isDone ? length : 0
        }
        return isDone ? key : nil
    }
}
