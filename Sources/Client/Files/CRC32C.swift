// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

/// The CRC-32C (Castagnoli) of bytes that arrive in pieces. Example: of `123456789` it is `e3069283`.
struct CRC32C: Equatable {
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: Data) {
        bytes.withUnsafeBytes { value = csignalbox_crc32c(value, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) }
    }

    static func of(_ bytes: Data) -> CRC32C {
        var sum = CRC32C()
        sum.add(bytes)
        return sum
    }

    var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The four bytes, the highest first, as header fields have them.
    var base64: String {
        Data((0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) }).base64EncodedString()
    }
}
