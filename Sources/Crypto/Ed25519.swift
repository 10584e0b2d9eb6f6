// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// Ed25519 signatures (RFC 8032). Anyone with the public key can verify them.
package enum Ed25519 {
    /// The length of the random seed from which both keys are derived.
    package static let seedLength = 32
    static let publicKeyLength = 32
    static let signatureLength = 64

    /// Returns the public key; nil for a seed of another length.
    package static func publicKey(seed: [UInt8]) -> [UInt8]? {
        guard let key = EdwardsKey(seed: seed) else { return nil }
        return fill(publicKeyLength) { EVP_PKEY_get_raw_public_key(key.pointer, $0, $1) }
    }

    /// Returns the signature; nil for a seed of another length.
    package static func sign(_ message: [UInt8], seed: [UInt8]) -> [UInt8]? {
        guard let key = EdwardsKey(seed: seed) else { return nil }
        let context = DigestContext()
        precondition(EVP_DigestSignInit(context.pointer, nil, nil, nil, key.pointer) == 1, "libcrypto rejected a key that it generated")
        return fill(signatureLength) { EVP_DigestSign(context.pointer, $0, $1, message, message.count) }
    }

    package static func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        SignatureKey.ed25519(publicKey)?.isValid(signature, of: message) ?? false
    }

    /// Calls a libcrypto function that fills a buffer. The lengths are fixed for this curve.
    private static func fill(_ length: Int, _ write: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>) -> Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { out, count in
            count = length
            precondition(write(out.baseAddress, &count) == 1 && count == length, "libcrypto failed to sign or to export a key")
        }
    }
}

/// A libcrypto key, owned by this value alone and freed in its deinit.
private struct EdwardsKey: ~Copyable {
    let pointer: OpaquePointer

    init?(seed: [UInt8]) {
        // libcrypto copies the bytes, and returns null for another length.
        guard let pointer = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else { return nil }
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}

/// A libcrypto signing context, owned by this value alone and freed in its deinit.
private struct DigestContext: ~Copyable {
    let pointer: OpaquePointer

    init() {
        guard let pointer = EVP_MD_CTX_new() else { preconditionFailure("libcrypto has no memory for a signature") }
        self.pointer = pointer
    }

    deinit {
        EVP_MD_CTX_free(pointer)
    }
}
