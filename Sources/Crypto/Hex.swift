// SPDX-License-Identifier: Apache-2.0

/// Bytes as pairs of hexadecimal digits: `Hex.encode([10, 255])` is `0aff`.
package enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes upper or lower case; nil for anything but whole pairs of digits.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.compactMap(value)
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x61 + 10
        case 0x41...0x46: byte - 0x41 + 10
        default: nil
        }
    }
}
