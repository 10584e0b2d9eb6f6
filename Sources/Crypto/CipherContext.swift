// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// A libcrypto cipher context, owned by this value alone and freed in its deinit.
struct CipherContext: ~Copyable {
    let pointer: OpaquePointer

    init() {
        guard let pointer = EVP_CIPHER_CTX_new() else { preconditionFailure("libcrypto has no memory for a cipher") }
        self.pointer = pointer
    }

    deinit {
        EVP_CIPHER_CTX_free(pointer)
    }
}

/// AES-256 in counter mode, for hashes that Firebase stored. It detects no changes: use `AESGCM` for anything new.
package enum AESCTR {
    /// Encrypts or decrypts, which is the same; nil unless the key has 32 and the counter 16 bytes.
    package static func encrypt(_ bytes: [UInt8], key: [UInt8], counter: [UInt8]) -> [UInt8]? {
        guard key.count == 32, counter.count == 16 else { return nil }
        guard !bytes.isEmpty else { return [] }
        let cipher = CipherContext()
        return [UInt8](unsafeUninitializedCapacity: bytes.count) { out, count in
            var length: Int32 = 0
            // Counter mode writes as many bytes as it reads.
            let isDone =
                EVP_EncryptInit_ex(cipher.pointer, EVP_aes_256_ctr(), nil, key, counter) == 1
                && EVP_EncryptUpdate(cipher.pointer, out.baseAddress, &length, bytes, Int32(bytes.count)) == 1
            precondition(isDone, "libcrypto failed to encrypt")
            count = bytes.count
        }
    }
}
