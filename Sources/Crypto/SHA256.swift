import CCrypto

/// A SHA-256 sum that grows piece by piece.
package struct SHA256: ~Copyable {
    package static let length = 32
    private var digest = Digest(EVP_sha256(), length: SHA256.length)

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        digest.update(bytes)
    }

    /// The 32 bytes of the sum.
    package consuming func finish() -> [UInt8] {
        digest.finish()
    }

    /// The sum of bytes that are all there.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var sum = SHA256()
        sum.update(bytes.span)
        return sum.finish()
    }
}
