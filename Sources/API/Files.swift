// SPDX-License-Identifier: Apache-2.0

package import Events

/// A file of an app, without its bytes.
package struct FileResponse: Codable, Sendable {
    package var path: String
    package var size: Int64
    package var type: String
    /// In hexadecimal digits, as is `crc32c`.
    package var sha256: String
    package var crc32c: String
    /// The version of the bytes in microseconds; it rises with each change.
    package var generation: Int64
    /// The number of changes of the details, from 1.
    package var metageneration: Int64
    package var etag: String
    package var createdAt: Moment
    package var updatedAt: Moment
    /// The user who uploaded it; nil for a server.
    package var owner: String?
    package var cacheControl: String?
    package var contentDisposition: String?
    package var contentEncoding: String?
    package var contentLanguage: String?
    package var metadata: Members<String>

    package init(
        path: String, size: Int64, type: String, sha256: String, crc32c: String, generation: Int64, metageneration: Int64, etag: String,
        createdAt: Moment, updatedAt: Moment, owner: String?, metadata: Members<String>
    ) {
        self.path = path
        self.size = size
        self.type = type
        self.sha256 = sha256
        self.crc32c = crc32c
        self.generation = generation
        self.metageneration = metageneration
        self.etag = etag
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.owner = owner
        self.metadata = metadata
    }
}
