// SPDX-License-Identifier: Apache-2.0

import API
import Crypto
import Events
import FileStore
import Files
import Platform

extension FileResponse {
    init(_ file: StoredFile) {
        self.init(
            path: file.path.text, size: file.size, type: file.details.type, sha256: Hex.encode(file.sums.sha256),
            crc32c: Hex.encode((0..<4).map { UInt8(truncatingIfNeeded: file.sums.crc32c >> UInt32(24 - 8 * $0)) }), generation: file.generation,
            metageneration: file.metageneration, etag: file.etag, createdAt: Moment(file.created), updatedAt: Moment(file.updated), owner: file.owner,
            metadata: Members(file.details.metadata.map { ($0.name, $0.value) }))
        cacheControl = file.details.cacheControl
        contentDisposition = file.details.contentDisposition
        contentEncoding = file.details.contentEncoding
        contentLanguage = file.details.contentLanguage
    }
}
