// SPDX-License-Identifier: Apache-2.0

import CCrypt

/// bcrypt, for hashes that other products stored, such as `$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy`.
package enum BCrypt {
    /// The bytes of a password that bcrypt reads.
    private static let maximumBytes = 72
    /// The costs that are computed: 14 takes about a second.
    private static let costs = 4...14

    /// Whether the text is a hash of a known version with a cost of 4 to 14.
    package static func isHash(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 60, ["$2a$", "$2b$", "$2y$"].contains(where: { bytes.starts(with: $0.utf8) }), bytes[6] == UInt8(ascii: "$") else {
            return false
        }
        // `Int` would read a sign.
        guard bytes[4..<6].allSatisfy({ (0x30...0x39).contains($0) }), costs.contains(Int(bytes[4] - 0x30) * 10 + Int(bytes[5] - 0x30)) else {
            return false
        }
        return bytes[7...].allSatisfy(isLetter)
    }

    /// The length of version, cost and salt, which a hash begins with: `$2a$10$N9qo8uLOickgx2ZMRZoMye`.
    private static let settingLength = 29
    /// The length of the rest.
    package static let keyLength = 31

    /// Splits a hash into its setting and its key; nil for a text that is no hash.
    package static func parts(_ hash: String) -> (setting: String, key: [UInt8])? {
        guard isHash(hash) else { return nil }
        return (String(decoding: hash.utf8.prefix(settingLength), as: UTF8.self), Array(hash.utf8.suffix(keyLength)))
    }

    /// Whether a text is the setting of a hash.
    package static func isSetting(_ text: String) -> Bool { isHash(text + String(repeating: ".", count: keyLength)) }

    /// The binary logarithm of the rounds of a setting: 10 for `$2a$10$…`.
    package static func cost(_ setting: String) -> Int { Int(String(decoding: setting.utf8.dropFirst(4).prefix(2), as: UTF8.self)) ?? 0 }

    /// Returns the key of a password, 31 characters as bytes. bcrypt reads 72 bytes at most. A password with a zero byte has none.
    package static func key(_ password: [UInt8], setting: String) -> [UInt8]? {
        guard isSetting(setting), !password.contains(0) else { return nil }
        // libcrypt refuses texts of 512 bytes and more, although it would read no more than the first 72.
        let text = password.prefix(maximumBytes) + [0]
        // `crypt_data` is 32 KiB of scratch memory, too much for the stack of a thread.
        let scratch = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
        scratch.initialize(to: crypt_data())
        defer { scratch.deallocate() }
        let computed: [UInt8]? = text.withUnsafeBytes { text in
            // The result is inside `scratch`; libcrypt returns null or a text that begins with `*` for a failure.
            crypt_r(text.baseAddress?.assumingMemoryBound(to: CChar.self), setting, scratch).map { Array(String(cString: $0).utf8) }
        }
        guard let computed, computed.count == settingLength + keyLength else { return nil }
        return Array(computed.suffix(keyLength))
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2e...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}
