// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The checksums of a file.
package struct FileSums: Hashable, Sendable {
    package var sha256: [UInt8]
    package var crc32c: UInt32
    /// Computed only if the client brought one.
    package var md5: [UInt8]?

    package init(sha256: [UInt8], crc32c: UInt32, md5: [UInt8]? = nil) {
        (self.sha256, self.crc32c, self.md5) = (sha256, crc32c, md5)
    }

    /// The CRC32C as Google sends it, the most significant byte first.
    package var crc32cBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: crc32c >> UInt32(24 - 8 * $0)) } }

    /// Returns the sums of bytes in memory.
    package init(of bytes: [UInt8], withMD5: Bool = false) {
        var summing = FileSumming(withMD5: withMD5)
        summing.update(bytes.span)
        self = summing.finish()
    }
}

/// Checksums that a client promised; nil for those it did not name.
package struct ExpectedSums: Hashable, Sendable {
    package var sha256: [UInt8]?
    package var crc32c: UInt32?
    package var md5: [UInt8]?

    package init(sha256: [UInt8]? = nil, crc32c: UInt32? = nil, md5: [UInt8]? = nil) {
        (self.sha256, self.crc32c, self.md5) = (sha256, crc32c, md5)
    }

    /// Whether the sums are the promised ones.
    package func agree(with sums: FileSums) -> Bool {
        (sha256 == nil || sha256 == sums.sha256) && (crc32c == nil || crc32c == sums.crc32c) && (md5 == nil || md5 == sums.md5)
    }
}

/// The checksums of bytes that are still coming.
package struct FileSumming: ~Copyable {
    private var sha256 = SHA256()
    private var crc32c = CRC32C()
    private var md5: MD5?

    package init(withMD5: Bool) {
        md5 = withMD5 ? MD5() : nil
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        sha256.update(bytes)
        crc32c.update(bytes)
        md5?.update(bytes)
    }

    package consuming func finish() -> FileSums {
        let crc32c = crc32c.value
        let md5 = md5.take()?.finish()
        return FileSums(sha256: sha256.finish(), crc32c: crc32c, md5: md5)
    }
}
