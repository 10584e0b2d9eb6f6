// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// Signs tokens with the private key of a service account, as its SDK does.
package struct RS256Signer: Sendable {
    private let pem: [UInt8]

    package init(pem: String) {
        self.pem = Array(pem.utf8)
    }

    /// Empty if the text is not a key.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        guard let memory = BIO_new_mem_buf(pem, Int32(pem.count)), let context = EVP_MD_CTX_new() else { return [] }
        defer {
            BIO_free(memory)
            EVP_MD_CTX_free(context)
        }
        guard let key = PEM_read_bio_PrivateKey(memory, nil, nil, nil) else { return [] }
        defer { EVP_PKEY_free(key) }
        var length = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1, EVP_DigestSign(context, nil, &length, message, message.count) == 1 else {
            return []
        }
        return [UInt8](unsafeUninitializedCapacity: length) { out, count in
            count = length
            if EVP_DigestSign(context, out.baseAddress, &count, message, message.count) != 1 { count = 0 }
        }
    }
}
