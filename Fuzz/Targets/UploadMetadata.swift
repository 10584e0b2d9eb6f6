// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files

/// The field `Upload-Metadata` of tus. Written again, the pairs are the same.
enum UploadMetadata {
    private static let taken = 8

    static func run(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let metadata = TusMetadata(text) else { return }
        accepted()
        let written = metadata.entries.map { "\($0.name) \(Base64.encode(Array($0.value.utf8)))" }.joined(separator: ",")
        // Pairs without a text are longer when they are written.
        guard written.utf8.count <= TusMetadata.maximumBytes else { return }
        require(TusMetadata(written) == metadata, "pairs that changed: \(text)")
        var rest = metadata
        // A look for a name passes the others, so few are taken.
        for entry in metadata.entries.prefix(taken) { require(rest.take(entry.name) == entry.value, "the value of \(entry.name) is not taken") }
        require(rest.entries.elementsEqual(metadata.entries.dropFirst(taken)), "pairs that are left")
    }
}
