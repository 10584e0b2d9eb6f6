// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// Bytes nobody can guess.
package func randomBytes(_ count: Int) -> [UInt8] {
    // libcrypto fills exactly the room it is given; without randomness the process must not go on.
    [UInt8](unsafeUninitializedCapacity: count) { out, written in
        precondition(RAND_bytes(out.baseAddress, Int32(count)) == 1, "the system has no randomness")
        written = count
    }
}

/// A prefix and letters and digits that carry at least `bits` random bits.
package func randomToken(prefix: String, bits: Int = 160) -> String {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    // One of 62 characters carries 5.954 bits.
    let length = (bits * 1_000 + 5_953) / 5_954
    var characters: [UInt8] = []
    while characters.count < length {
        // Bytes from 248 on would make the first characters likelier than the rest.
        for byte in randomBytes(length) where byte < 248 && characters.count < length {
            characters.append(alphabet[Int(byte) % alphabet.count])
        }
    }
    return prefix + String(decoding: characters, as: UTF8.self)
}
