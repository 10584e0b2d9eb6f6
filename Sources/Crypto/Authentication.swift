// SPDX-License-Identifier: Apache-2.0

import CCrypto

package enum HMACSHA256 {
    /// The 32 bytes that prove knowledge of the key.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        // libcrypto takes a missing key for "the one before", so an empty array, whose pointer may be nil, gets a byte to point at.
        let pointable = key.isEmpty ? [0] : key
        // The arrays' pointers live for this call only; libcrypto writes the 32 bytes that were made room for.
        return [UInt8](unsafeUninitializedCapacity: SHA256.length) { out, count in
            let sum = HMAC(EVP_sha256(), pointable, Int32(key.count), message, message.count, out.baseAddress, nil)
            precondition(sum != nil, "libcrypto refused an HMAC")
            count = SHA256.length
        }
    }
}

/// Whether both are the same, in a time that depends on their length alone.
package func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}
