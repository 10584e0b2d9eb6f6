// SPDX-License-Identifier: Apache-2.0

import CCrypto

package enum HMACSHA256 {
    /// Returns the HMAC-SHA256 of the message, 32 bytes.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        // libcrypto takes a null key for "the previous one", so an empty array, whose pointer may be null, gets a byte.
        let pointable = key.isEmpty ? [0] : key
        // The pointers are valid during this call only; libcrypto writes 32 bytes.
        return [UInt8](unsafeUninitializedCapacity: SHA256.length) { out, count in
            let sum = HMAC(EVP_sha256(), pointable, Int32(key.count), message, message.count, out.baseAddress, nil)
            precondition(sum != nil, "libcrypto failed to compute an HMAC")
            count = SHA256.length
        }
    }
}

/// Whether both are equal, in a time that depends on their length alone.
package func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}
