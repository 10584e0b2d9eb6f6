// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// The value of a hexadecimal digit in either case; `nil` for other characters.
    @inlinable package var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x61...0x66: self - 0x61 + 10
        case 0x41...0x46: self - 0x41 + 10
        default: nil
        }
    }
}
