// SPDX-License-Identifier: Apache-2.0

import CCrypto

/// A digest computed incrementally.
package struct Sum<Way: SumWay>: ~Copyable {
    package static var length: Int { Way.length }
    private var digest = Digest(Way.digest, length: Way.length)

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
        var sum = Sum()
        sum.update(bytes.span)
        return sum.finish()
    }
}

package protocol SumWay {
    static var length: Int { get }
    static var digest: OpaquePointer? { get }
}

package enum SHA256Way: SumWay {
    package static let length = 32
    package static var digest: OpaquePointer? { EVP_sha256() }
}

package enum SHA1Way: SumWay {
    package static let length = 20
    package static var digest: OpaquePointer? { EVP_sha1() }
}

package typealias SHA256 = Sum<SHA256Way>

/// A name that foreign protocols give to bytes. It is not used for security.
package typealias SHA1 = Sum<SHA1Way>
