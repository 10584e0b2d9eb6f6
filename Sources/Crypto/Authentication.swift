// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// HMAC (RFC 2104) with a hash.
package enum MessageAuthentication<Algorithm: HashAlgorithm> {
    /// Returns the code of the message, as long as the hash: 32 bytes for HMAC-SHA256.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        // libcrypto takes a null key for "the previous one", so an empty array, whose pointer may be null, gets a byte.
        let pointable = key.isEmpty ? [0] : key
        // The pointers are valid during this call only; libcrypto writes as many bytes as the hash has.
        return [UInt8](unsafeUninitializedCapacity: Algorithm.length) { out, count in
            let sum = HMAC(Algorithm.digest, pointable, Int32(key.count), message, message.count, out.baseAddress, nil)
            precondition(sum != nil, "libcrypto failed to compute an HMAC")
            count = Algorithm.length
        }
    }
}

package typealias HMACSHA256 = MessageAuthentication<SHA256Algorithm>
package typealias HMACSHA512 = MessageAuthentication<SHA512Algorithm>
package typealias HMACSHA1 = MessageAuthentication<SHA1Algorithm>
package typealias HMACMD5 = MessageAuthentication<MD5Algorithm>

/// Whether both are equal, in a time that depends on their length alone.
package func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}
