// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// Returns bytes from a cryptographically secure generator.
package func randomBytes(_ count: Int) -> [UInt8] {
    // libcrypto fills exactly this buffer; without randomness the process must not continue.
    [UInt8](unsafeUninitializedCapacity: count) { out, written in
        precondition(RAND_bytes(out.baseAddress, Int32(count)) == 1, "the system has no randomness")
        written = count
    }
}

/// Returns a prefix followed by letters and digits with at least `bits` random bits.
package func randomToken(prefix: String, bits: Int = 160) -> String {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    // One of 62 characters has 5.954 bits.
    let length = (bits * 1_000 + 5_953) / 5_954
    var characters: [UInt8] = []
    while characters.count < length {
        // Bytes from 248 on are skipped, because they would favor the first characters.
        for byte in randomBytes(length) where byte < 248 && characters.count < length {
            characters.append(alphabet[Int(byte) % alphabet.count])
        }
    }
    return prefix + String(decoding: characters, as: UTF8.self)
}
