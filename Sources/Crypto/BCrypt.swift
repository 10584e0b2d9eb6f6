// SPDX-License-Identifier: Apache-2.0

import CCrypt

/// bcrypt, for hashes that other products stored, such as `$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy`.
package enum BCrypt {
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

    /// Whether the password belongs to the hash. bcrypt reads 72 bytes at most. A password with a zero byte never matches.
    package static func isValid(_ password: [UInt8], hash: String) -> Bool {
        guard isHash(hash), !password.contains(0) else { return false }
        let text = password + [0]
        // `crypt_data` is 32 KiB of scratch memory, too much for the stack of a thread.
        let scratch = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
        scratch.initialize(to: crypt_data())
        defer { scratch.deallocate() }
        let computed: [UInt8]? = text.withUnsafeBytes { text in
            // The result is inside `scratch`; libcrypt returns null or a text that begins with `*` for a failure.
            crypt_r(text.baseAddress?.assumingMemoryBound(to: CChar.self), hash, scratch).map { Array(String(cString: $0).utf8) }
        }
        return computed.map { constantTimeEqual($0, Array(hash.utf8)) } ?? false
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2e...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}
