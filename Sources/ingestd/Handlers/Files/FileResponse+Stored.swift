// SPDX-License-Identifier: Apache-2.0

import API
import Crypto
import Events
import FileStore
import Files
import JSON
import Platform

extension JSONWriter {
    /// Writes the details of a file as `FileResponse` has them. A page has a thousand files, which cost several times as much as encoded values.
    mutating func value(_ file: StoredFile) {
        let details = file.details
        beginObject()
        field("path", file.path.text)
        field("size", file.size)
        field("type", details.type)
        field("sha256", Hex.encode(file.sums.sha256))
        field("crc32c", Hex.encode(file.sums.crc32cBytes))
        field("generation", file.generation)
        field("metageneration", file.metageneration)
        field("etag", file.etag)
        field("created_at", file.created.rfc3339)
        field("updated_at", file.updated.rfc3339)
        if let owner = file.owner { field("owner", owner) }
        if let text = details.cacheControl { field("cache_control", text) }
        if let text = details.contentDisposition { field("content_disposition", text) }
        if let text = details.contentEncoding { field("content_encoding", text) }
        if let text = details.contentLanguage { field("content_language", text) }
        key("metadata")
        beginObject()
        for entry in details.metadata { field(entry.name, entry.value) }
        endObject()
        if let function = file.pendingUntil { field("pending_until", function) }
        endObject()
    }

    /// Writes a page as `FileListResponse` has it.
    mutating func value(_ page: FileListing) {
        beginObject()
        key("items")
        beginArray()
        for file in page.files { value(file) }
        endArray()
        field("folders", page.folders)
        if let next = page.next { field("next", next) }
        endObject()
    }
}

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
        pendingUntil = file.pendingUntil
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
