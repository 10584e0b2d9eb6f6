// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// AES-256-GCM: encryption that detects every change. A nonce must never be used twice with a key.
package enum AESGCM {
    package static let keyLength = 32
    package static let nonceLength = 12
    /// The bytes by which a sealed message is longer.
    package static let tagLength = 16

    /// Returns the ciphertext followed by its tag.
    ///
    /// - Parameter context: Bytes that are not part of the ciphertext, but must be the same when it is opened.
    package static func seal(_ message: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8] = []) -> [UInt8] {
        precondition(key.count == keyLength && nonce.count == nonceLength, "AES-256-GCM takes a key of 32 and a nonce of 12 bytes")
        let cipher = CipherContext()
        return [UInt8](unsafeUninitializedCapacity: message.count + tagLength) { out, count in
            // GCM writes as many bytes as it reads. The lengths are those of the buffers; `EVP_EncryptFinal_ex` writes none.
            var length: Int32 = 0
            let isDone =
                EVP_EncryptInit_ex(cipher.pointer, EVP_aes_256_gcm(), nil, key, nonce) == 1
                && (context.isEmpty || EVP_EncryptUpdate(cipher.pointer, nil, &length, context, Int32(context.count)) == 1)
                && EVP_EncryptUpdate(cipher.pointer, out.baseAddress, &length, message, Int32(message.count)) == 1
                && EVP_EncryptFinal_ex(cipher.pointer, out.baseAddress, &length) == 1
                && EVP_CIPHER_CTX_ctrl(cipher.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), out.baseAddress.map { $0 + message.count }) == 1
            precondition(isDone, "libcrypto failed to encrypt")
            count = message.count + tagLength
        }
    }

    /// Returns the message; nil if the key or nonce is another, or if a bit was changed.
    package static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8] = []) -> [UInt8]? {
        guard sealed.count >= tagLength, key.count == keyLength, nonce.count == nonceLength else { return nil }
        let length = sealed.count - tagLength
        var tag = Array(sealed[length...])
        let cipher = CipherContext()
        var isAuthentic = false
        let message = [UInt8](unsafeUninitializedCapacity: max(length, 1)) { out, count in
            var written: Int32 = 0
            isAuthentic =
                EVP_DecryptInit_ex(cipher.pointer, EVP_aes_256_gcm(), nil, key, nonce) == 1
                && (context.isEmpty || EVP_DecryptUpdate(cipher.pointer, nil, &written, context, Int32(context.count)) == 1)
                && EVP_DecryptUpdate(cipher.pointer, out.baseAddress, &written, sealed, Int32(length)) == 1
                && EVP_CIPHER_CTX_ctrl(cipher.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1
                && EVP_DecryptFinal_ex(cipher.pointer, out.baseAddress, &written) == 1
            count = isAuthentic ? length : 0
        }
        return isAuthentic ? message : nil
    }
}

/// A secret wrapped by a key of 32 bytes: a random nonce, the ciphertext and its tag, 28 bytes more than the secret.
package enum WrappedSecret {
    /// - Parameter context: The place of the secret, such as `signing key 7`. A wrapped secret cannot be moved to another one.
    package static func wrap(_ secret: [UInt8], key: [UInt8], context: String) -> [UInt8] {
        let nonce = randomBytes(AESGCM.nonceLength)
        return nonce + AESGCM.seal(secret, key: key, nonce: nonce, context: Array(context.utf8))
    }

    /// Returns the secret; nil for another key or context, or changed bytes.
    package static func unwrap(_ bytes: [UInt8], key: [UInt8], context: String) -> [UInt8]? {
        guard bytes.count >= AESGCM.nonceLength else { return nil }
        let (nonce, sealed) = (Array(bytes[..<AESGCM.nonceLength]), Array(bytes[AESGCM.nonceLength...]))
        return AESGCM.open(sealed, key: key, nonce: nonce, context: Array(context.utf8))
    }
}
