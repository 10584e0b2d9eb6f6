// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// The lower case of an ASCII letter; any other byte unchanged.
    @inlinable package var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}
