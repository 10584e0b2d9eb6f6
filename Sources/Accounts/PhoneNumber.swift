// SPDX-License-Identifier: Apache-2.0

/// Phone numbers in the form of E.164: `+4930123456`.
package enum PhoneNumber {
    package static func isOne(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "+") && (7...15).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}
