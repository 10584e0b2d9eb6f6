import CCrypto

/// A SHA-256 sum that grows piece by piece.
package struct SHA256: ~Copyable {
    package static let length = 32

    // Owned alone by this value, which cannot be copied, and freed in its deinit.
    private let context: OpaquePointer

    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no memory for a digest")
        }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        // The pointer lives for this call only, and libcrypto copies what it keeps.
        bytes.withUnsafeBufferPointer { bytes in
            precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "libcrypto refused a digest's bytes")
        }
    }

    /// The 32 bytes of the sum.
    package consuming func finish() -> [UInt8] {
        // libcrypto writes at most the 32 bytes that were made room for.
        [UInt8](unsafeUninitializedCapacity: SHA256.length) { out, count in
            precondition(EVP_DigestFinal_ex(context, out.baseAddress, nil) == 1, "libcrypto refused to end a digest")
            count = SHA256.length
        }
    }

    /// The sum of bytes that are all there.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var sum = SHA256()
        sum.update(bytes.span)
        return sum.finish()
    }
}
