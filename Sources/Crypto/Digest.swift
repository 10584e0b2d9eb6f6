// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// A running digest of libcrypto.
struct Digest: ~Copyable {
    // Owned by this noncopyable value alone and freed in its deinit.
    private let context: OpaquePointer
    private let length: Int

    init(_ way: OpaquePointer?, length: Int) {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, way, nil) == 1 else {
            preconditionFailure("libcrypto has no memory for a digest")
        }
        self.context = context
        self.length = length
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    mutating func update(_ bytes: Span<UInt8>) {
        // The pointer is valid during this call only; libcrypto copies the data it keeps.
        bytes.withUnsafeBufferPointer { bytes in
            precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "libcrypto failed to update a digest")
        }
    }

    /// Returns the digest. Called once.
    mutating func finish() -> [UInt8] {
        let length = length
        // libcrypto writes exactly `length` bytes.
        return [UInt8](unsafeUninitializedCapacity: length) { out, count in
            precondition(EVP_DigestFinal_ex(context, out.baseAddress, nil) == 1, "libcrypto failed to finish a digest")
            count = length
        }
    }
}
