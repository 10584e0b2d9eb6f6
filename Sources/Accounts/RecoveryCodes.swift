// SPDX-License-Identifier: Apache-2.0

import Crypto

/// Codes that replace a lost second factor, each once: `k7mqx-4tbnr`.
package enum RecoveryCodes {
    package static let count = 10
    private static let letters = Array("23456789abcdefghjkmnpqrstuvwxyz".utf8)
    private static let half = 5

    /// Returns ten codes of 49 bits, without letters that look alike.
    package static func make() -> [String] { (0..<count).map { _ in makeOne() } }

    /// Returns what is stored of a code. Its key is outside the database, so 49 bits suffice.
    ///
    /// Upper case, spaces and hyphens do not matter: `K7MQX 4TBNR` is `k7mqx-4tbnr`.
    package static func stored(_ code: String, account: String, _ key: AccountsKey) -> [UInt8] {
        let plain = code.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }.filter { $0 != 0x20 && $0 != UInt8(ascii: "-") }
        return HMACSHA256.authenticate(Array(account.utf8) + [0] + plain, key: key.derived("recovery codes"))
    }

    private static func makeOne() -> String {
        var code: [UInt8] = []
        while code.count < 2 * half + 1 {
            // Bytes from 248 on are skipped, because they would favor the first letters.
            for byte in randomBytes(16) where byte < 248 && code.count < 2 * half + 1 {
                if code.count == half { code.append(UInt8(ascii: "-")) }
                code.append(letters[Int(byte) % letters.count])
            }
        }
        return String(decoding: code, as: UTF8.self)
    }
}
