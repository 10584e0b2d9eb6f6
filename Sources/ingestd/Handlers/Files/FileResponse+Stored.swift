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
            crc32c: Hex.encode(file.sums.crc32cBytes), generation: file.generation,
            metageneration: file.metageneration, etag: file.etag, createdAt: Moment(file.created), updatedAt: Moment(file.updated), owner: file.owner,
            metadata: Members(file.details.metadata.map { ($0.name, $0.value) }))
        cacheControl = file.details.cacheControl
        contentDisposition = file.details.contentDisposition
        contentEncoding = file.details.contentEncoding
        contentLanguage = file.details.contentLanguage
    }
}

extension FileLinkResponse {
    init(_ link: FileLink, _ key: FileLinkKey, at origin: String) {
        let path = link.path.text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)).percentEncoded }.joined(separator: "/")
        let query = link.parameters(key).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        self.init(
            url: "\(origin)/v1/files/\(link.app.rawValue)/\(path)?\(query)", expiresAt: Moment(Timestamp(milliseconds: link.expires * 1_000)),
            id: link.revocable)
    }
}
