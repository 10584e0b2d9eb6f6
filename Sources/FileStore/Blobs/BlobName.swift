// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The name of a file on the disk: 128 random bits, so that nobody learns from it who has the same bytes.
///
///     files/1/9f/9f86d081884c7d659a2feaa0c55ad015
package struct BlobName: Hashable, Sendable {
    static let length = 16

    let bytes: [UInt8]

    /// Returns nil for another number of bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == BlobName.length else { return nil }
        self.bytes = bytes
    }

    /// Reads the name of a file; nil for any other name.
    init?(file name: String) {
        guard let bytes = Hex.decode(name), Hex.encode(bytes).utf8.elementsEqual(name.utf8) else { return nil }
        self.init(bytes)
    }

    private init() { bytes = randomBytes(BlobName.length) }

    static func random() -> BlobName { BlobName() }

    /// The name of the file.
    package var text: String { Hex.encode(bytes) }

    /// The name of its folder within that of its app.
    package var folder: String { Hex.encode([bytes[0]]) }
}
