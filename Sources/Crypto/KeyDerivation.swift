// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// HKDF with SHA-256 (RFC 5869): keys for several purposes from one secret.
package enum HKDF {
    /// - Parameter info: The purpose. Other purposes give unrelated keys.
    package static func key(_ secret: [UInt8], salt: [UInt8] = [], info: [UInt8], length: Int = 32) -> [UInt8] {
        precondition(!secret.isEmpty && (1...255 * 32).contains(length), "HKDF needs a secret and makes at most 8,160 bytes")
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
        defer { EVP_PKEY_CTX_free(context) }
        return [UInt8](unsafeUninitializedCapacity: length) { out, count in
            count = length
            // libcrypto copies its inputs and writes `length` bytes.
            let isDone =
                EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
                && (salt.isEmpty || EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)) == 1)
                && EVP_PKEY_CTX_set1_hkdf_key(context, secret, Int32(secret.count)) == 1
                && (info.isEmpty || EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1)
                && EVP_PKEY_derive(context, out.baseAddress, &count) == 1
            precondition(isDone && count == length, "libcrypto failed to derive a key")
        }
    }

    package static func key(_ secret: [UInt8], salt: [UInt8] = [], info: String, length: Int = 32) -> [UInt8] {
        key(secret, salt: salt, info: Array(info.utf8), length: length)
    }
}

/// PBKDF2 (RFC 8018) with HMAC of a hash, for hashes that other products stored.
package enum PBKDF2<Algorithm: HashAlgorithm> {
    /// The largest number of rounds: half a second with SHA-256.
    package static var mostRounds: Int { 1_500_000 }

    /// Returns a key; nil outside 1 to 1,500,000 rounds and 1 to 256 bytes.
    package static func key(_ password: [UInt8], salt: [UInt8], rounds: Int, length: Int) -> [UInt8]? {
        guard (1...mostRounds).contains(rounds), (1...256).contains(length) else { return nil }
        return [UInt8](unsafeUninitializedCapacity: length) { out, count in
            // libcrypto reads password and salt, and writes `length` bytes.
            let isDone = password.withUnsafeBytes { text in
                PKCS5_PBKDF2_HMAC(
                    text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(text.count), salt, Int32(salt.count), Int32(rounds),
                    Algorithm.digest, Int32(length), out.baseAddress) == 1
            }
            precondition(isDone, "libcrypto failed to derive a key")
            count = length
        }
    }
}
