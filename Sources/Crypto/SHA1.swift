import CCrypto

/// A SHA-1 sum that grows piece by piece: a name that others give to bytes, nothing to trust in.
package struct SHA1: ~Copyable {
    package static let length = 20
    private var digest = Digest(EVP_sha1(), length: SHA1.length)

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        digest.update(bytes)
    }

    /// The 20 bytes of the sum.
    package consuming func finish() -> [UInt8] {
        digest.finish()
    }

    /// The sum of bytes that are all there.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var sum = SHA1()
        sum.update(bytes.span)
        return sum.finish()
    }
}
