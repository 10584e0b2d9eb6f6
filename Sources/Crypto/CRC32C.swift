// SPDX-License-Identifier: Apache-2.0

import CChecksum

/// A CRC-32C computed incrementally. It finds damage and is not used for security.
///
///     "123456789"   0xe3069283
package struct CRC32C: Sendable, Hashable {
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        // The pointer is valid during this call only.
        bytes.withUnsafeBufferPointer { value = cchecksum_crc32c(value, $0.baseAddress, $0.count) }
    }

    /// Returns the sum of the bytes.
    package static func sum(_ bytes: [UInt8]) -> UInt32 {
        var sum = CRC32C()
        sum.update(bytes.span)
        return sum.value
    }
}
