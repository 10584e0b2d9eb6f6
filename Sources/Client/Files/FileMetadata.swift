// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A file without its bytes.
public struct FileMetadata: Sendable, Hashable, Decodable {
    /// The path.
    public var path: String
    /// The number of bytes.
    public var size: Int64
    /// The media type.
    public var contentType: String
    /// The SHA-256 in hexadecimal digits.
    public var sha256: String
    /// The CRC-32C in hexadecimal digits.
    public var crc32c: String
    /// The version of the bytes, which rises with each change.
    public var generation: Int64
    /// The time of the first upload.
    public var createdAt: Date
    /// The time of the last change.
    public var updatedAt: Date
    /// The user who uploaded it; `nil` if a server did.
    public var owner: String?
    /// The app's own details.
    public var metadata: [String: String]
    /// The function that must allow the file before anybody can read it; `nil` if it is readable. Only an upload returns such details:
    /// they are what was sent, with the generation 0 and without a SHA-256.
    public var pendingUntil: String?
    var etag = ""
    var contentEncoding: String?

    /// Creates details, for tests.
    public init(
        path: String, size: Int64, contentType: String = UploadOptions.unknownType, sha256: String = "", crc32c: String = "", generation: Int64 = 1,
        createdAt: Date = Date(), updatedAt: Date = Date(), owner: String? = nil, metadata: [String: String] = [:],
        pendingUntil: String? = nil
    ) {
        (self.path, self.size, self.contentType, self.sha256, self.crc32c) = (path, size, contentType, sha256, crc32c)
        (self.generation, self.createdAt, self.updatedAt, self.owner, self.metadata) = (generation, createdAt, updatedAt, owner, metadata)
        self.pendingUntil = pendingUntil
    }

    private enum CodingKeys: String, CodingKey {
        case path, size, sha256, crc32c, generation, owner, metadata, etag
        case contentType = "type"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case contentEncoding = "content_encoding"
        case pendingUntil = "pending_until"
    }
}

/// A page of a folder.
public struct FileList: Sendable, Hashable, Decodable {
    /// The files.
    public var items: [FileMetadata]
    /// The folders below, such as `users/ann/`.
    public var folders: [String]
    /// Where the next page begins; `nil` on the last one.
    public var next: String?

    /// Creates a page, for tests.
    public init(items: [FileMetadata], folders: [String] = [], next: String? = nil) {
        (self.items, self.folders, self.next) = (items, folders, next)
    }
}

/// The details of an upload.
public struct UploadOptions: Sendable, Hashable, Codable {
    /// The type of files that nobody named.
    public static let unknownType = "application/octet-stream"

    /// The media type.
    public var contentType: String
    /// The app's own details, at most 8 KiB. Names are ASCII without spaces and commas, and not `path` and `type`, which the upload itself has.
    public var metadata: [String: String]

    /// Creates details.
    public init(contentType: String = UploadOptions.unknownType, metadata: [String: String] = [:]) {
        (self.contentType, self.metadata) = (contentType, metadata)
    }

    /// Throws for a name that a header field of the upload cannot have.
    func check() throws(FilesError) {
        for name in metadata.keys.sorted() where !UploadOptions.isSendable(name) {
            throw .signalbox(.rejected(code: "bad_metadata", detail: "This cannot be the name of a file's metadata: \(name)"))
        }
    }

    private static func isSendable(_ name: String) -> Bool {
        !["", "path", "type"].contains(name) && name.utf8.allSatisfy { (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: ",") }
    }
}

/// The progress of an upload or download.
public struct TransferProgress: Sendable, Hashable, Codable {
    /// The bytes that were transferred, those of earlier attempts included.
    public var completedBytes: Int64
    /// The size of the file.
    public var totalBytes: Int64

    /// From 0 to 1.
    public var fractionCompleted: Double { totalBytes == 0 ? 1 : Double(completedBytes) / Double(totalBytes) }

    /// Creates a progress, for tests.
    public init(completedBytes: Int64, totalBytes: Int64) {
        (self.completedBytes, self.totalBytes) = (completedBytes, totalBytes)
    }
}

/// An upload that broke off. ``Files/upload(file:to:options:onProgress:)`` with the same values goes on with it.
public struct UnfinishedUpload: Sendable, Hashable, Codable {
    /// The file on this device.
    public var file: URL
    /// The path at the daemon.
    public var path: String
    /// The details.
    public var options: UploadOptions

    /// Creates a value, for tests.
    public init(file: URL, path: String, options: UploadOptions = UploadOptions()) {
        (self.file, self.path, self.options) = (file, path, options)
    }
}
