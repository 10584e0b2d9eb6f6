// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// A digest computed incrementally.
package struct IncrementalHash<Algorithm: HashAlgorithm>: ~Copyable {
    package static var length: Int { Algorithm.length }
    private var digest = Digest(Algorithm.digest, length: Algorithm.length)

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        digest.update(bytes)
    }

    /// Returns the digest.
    package consuming func finish() -> [UInt8] {
        digest.finish()
    }

    /// Returns the digest of the bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var sum = IncrementalHash()
        sum.update(bytes.span)
        return sum.finish()
    }
}

package protocol HashAlgorithm {
    static var length: Int { get }
    static var digest: OpaquePointer? { get }
}

package enum SHA256Algorithm: HashAlgorithm {
    package static let length = 32
    package static var digest: OpaquePointer? { EVP_sha256() }
}

package enum SHA1Algorithm: HashAlgorithm {
    package static let length = 20
    package static var digest: OpaquePointer? { EVP_sha1() }
}

package enum SHA512Algorithm: HashAlgorithm {
    package static let length = 64
    package static var digest: OpaquePointer? { EVP_sha512() }
}

package enum MD5Algorithm: HashAlgorithm {
    package static let length = 16
    package static var digest: OpaquePointer? { EVP_md5() }
}

package typealias SHA256 = IncrementalHash<SHA256Algorithm>

/// A name that foreign protocols give to bytes. It is not used for security.
package typealias SHA1 = IncrementalHash<SHA1Algorithm>

package typealias SHA512 = IncrementalHash<SHA512Algorithm>

/// Only for hashes that other products stored. It is not used for security.
package typealias MD5 = IncrementalHash<MD5Algorithm>
