// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// RS256 of JSON Web Signatures: RSASSA-PKCS1-v1_5 with SHA-256 and keys of 2,048 to 4,096 bits.
package enum RSA {
    private static let bits: ClosedRange<Int32> = 2_048...4_096

    /// Whether the signature is valid. False also for an invalid key, one of another type, or of another length.
    package static func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard let key = RSAKey(publicKey: publicKey), key.fits(bits) else { return false }
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto has no memory for a signature") }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.pointer) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    package static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        RSAKey(publicKey: bytes)?.fits(bits) ?? false
    }

    /// Generates a key: the private half as PKCS #8 in PEM, the public half as DER (SubjectPublicKeyInfo).
    package static func makeKey() -> (privatePEM: String, publicKey: [UInt8]) {
        let key = RSAKey.make(bits: bits.lowerBound)
        return (key.privatePEM, key.publicDER)
    }
}

/// A libcrypto key, owned by this value alone and freed in its deinit.
private struct RSAKey: ~Copyable {
    let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    init?(publicKey: [UInt8]) {
        // libcrypto advances the pointer and keeps none of the bytes.
        let made = publicKey.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var at = bytes.baseAddress
            guard let key = d2i_PUBKEY(nil, &at, bytes.count) else { return nil }
            guard at == bytes.baseAddress.map({ $0 + bytes.count }) else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        guard let made else {
            // libcrypto stores errors per thread; clear the one that nobody reads.
            ERR_clear_error()
            return nil
        }
        pointer = made
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    func fits(_ bits: ClosedRange<Int32>) -> Bool {
        EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA && bits.contains(EVP_PKEY_get_bits(pointer))
    }

    static func make(bits: Int32) -> RSAKey {
        var made: OpaquePointer?
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
        defer { EVP_PKEY_CTX_free(context) }
        let worked =
            EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1 && EVP_PKEY_keygen(context, &made) == 1
        guard worked, let made else { preconditionFailure("libcrypto failed to generate a key") }
        return RSAKey(made)
    }

    var publicDER: [UInt8] {
        let length = i2d_PUBKEY(pointer, nil)
        precondition(length > 0, "libcrypto failed to export a key")
        return [UInt8](unsafeUninitializedCapacity: Int(length)) { out, count in
            // libcrypto writes as many bytes as it announced and advances the pointer.
            var at = out.baseAddress
            count = Int(i2d_PUBKEY(pointer, &at))
        }
    }

    var privatePEM: String {
        guard let memory = BIO_new(BIO_s_mem()) else { preconditionFailure("libcrypto has no memory for a key") }
        defer { BIO_free(memory) }
        precondition(PEM_write_bio_PKCS8PrivateKey(memory, pointer, nil, nil, 0, nil, nil) == 1, "libcrypto failed to export a key")
        let length = BIO_ctrl_pending(memory)
        let text = [UInt8](unsafeUninitializedCapacity: length) { out, count in
            count = Int(max(0, BIO_read(memory, out.baseAddress, Int32(length))))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
