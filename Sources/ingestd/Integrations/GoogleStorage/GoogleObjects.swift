// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Crypto
import FileStore
import Files
import HTTPServer
import JSON
import Platform

/// The bucket of an app, its files by name, and lists of them, for clients of Google's JSON API.
struct GoogleObjects: Sendable {
    let store: Stores

    // MARK: Reading

    /// Describes the bucket. Clients ask for it first.
    func bucket(_ call: Call) async throws -> HandlerResponse {
        let (app, bucket) = (try call.bucketAccess(in: store).app, call.parameter("bucket"))
        return .response(
            .json(reserving: 512) { json in
                json.beginObject()
                for (name, value) in [
                    ("kind", "storage#bucket"), ("id", bucket), ("name", bucket), ("projectNumber", "\(app.id.rawValue)"), ("metageneration", "1"),
                    ("location", "US"), ("locationType", "region"), ("storageClass", "STANDARD"), ("timeCreated", app.created.rfc3339),
                    ("updated", app.created.rfc3339), ("etag", "\(app.id.rawValue)"),
                ] { json.field(name, value) }
                json.endObject()
            })
    }

    /// Returns the description of a file, or with `alt=media` its bytes.
    func get(_ call: Call) async throws -> HandlerResponse {
        let (access, path, query) = (try call.bucketAccess(in: store), try call.filePath(), try call.query())
        if try query.one("alt") == "media" { return try await download(call) }
        let wanted = try StorageConditions(query)
        try store.files.bounds.fileOrigin.require(call.head, isContent: false)
        return try await Refusal.ofFiles {
            let file = try wanted.find(try await store.files.file(path, app: access.app.id))
            if try wanted.isUnchanged(file) { return .response(HTTPResponse(status: 304)) }
            return .response(access.object(file, call.parameter("bucket")).response())
        }
    }

    func download(_ call: Call) async throws -> HandlerResponse {
        let (access, path, wanted) = (try call.bucketAccess(in: store), try call.filePath(), try StorageConditions(call.query()))
        try store.files.bounds.fileOrigin.require(call.head, isContent: true)
        return try await Refusal.ofFiles {
            guard let opened = try await store.files.open(path, app: access.app.id) else { throw FileFault.notFound }
            let file = try wanted.find(opened.file)
            if try wanted.isUnchanged(file) { return .response(HTTPResponse(status: 304)) }
            var response = try FileDownload(opened: opened, disposition: nil, store: store.files).response(
                to: call.head, now: store.files.now)
            response.headers += headers(of: file)
            return .response(response)
        }
    }

    /// The header fields by which clients compare what they read.
    private func headers(of file: StoredFile) -> [(name: String, value: String)] {
        let md5 = file.sums.md5.map { ",md5=\(Base64.encode($0))" } ?? ""
        return [
            ("X-Goog-Hash", "crc32c=\(Base64.encode(file.sums.crc32cBytes))\(md5)"), ("X-Goog-Generation", "\(file.generation)"),
            ("X-Goog-Metageneration", "\(file.metageneration)"), ("X-Goog-Stored-Content-Length", "\(file.size)"),
            ("X-Goog-Stored-Content-Encoding", file.details.contentEncoding ?? "identity"), ("X-Goog-Storage-Class", "STANDARD"),
        ]
    }

    func list(_ call: Call) async throws -> HandlerResponse {
        let (access, query, bucket) = (try call.bucketAccess(in: store), try call.query(), call.parameter("bucket"))
        var wanted = FileListingQuery(
            prefix: try query.one("prefix") ?? "", delimiter: try query.delimiter(), after: try query.one("pageToken"),
            // Google takes any number, and returns no more than its own limit.
            limit: try query.number("maxResults", 1...Int(Int32.max), default: FileListingQuery.limits.upperBound))
        (wanted.first, wanted.end) = (try query.one("startOffset"), try query.one("endOffset"))
        if let text = try query.one("matchGlob"), !text.isEmpty {
            guard let glob = FileGlob(text) else {
                throw Refusal.field("matchGlob", "invalid", "must be a pattern of \(FileGlob.maximumBytes) bytes at most")
            }
            wanted.glob = glob
        }
        let page = try await Refusal.ofFiles { [wanted] in try await store.files.list(wanted, app: access.app.id) }
        return try call.charged(
            .json(reserving: 4_096) { json in
                json.beginObject()
                json.field("kind", "storage#objects")
                if let next = page.next { json.field("nextPageToken", next) }
                json.field("prefixes", page.folders)
                json.key("items")
                json.beginArray()
                for file in page.files { access.object(file, bucket).write(to: &json) }
                json.endArray()
                json.endObject()
            })
    }

    // MARK: Changes

    /// Changes the details that the body has; null removes one.
    func change(_ call: Call) async throws -> HandlerResponse { try await edit(call) { $0 } }

    /// Makes the details those that the body has.
    func replace(_ call: Call) async throws -> HandlerResponse { try await edit(call) { _ in FileDetails() } }

    private func edit(_ call: Call, _ base: @escaping @Sendable (FileDetails) -> FileDetails) async throws -> HandlerResponse {
        let (access, path, wanted) = (try call.bucketAccess(in: store), try call.filePath(), try StorageConditions(call.query()))
        var edit = try DetailsEdit(Body(call.json()), .google)
        let tokens = edit.take(StorageObject.tokensName)
        return try await Refusal.ofFiles { [edit] in
            _ = try wanted.require(try await store.files.file(path, app: access.app.id))
            var file = try await store.files.editDetails(of: path, app: access.app.id, if: wanted.ofChange) { details in
                details = base(details)
                edit.apply(to: &details)
            }
            if let tokens, store.files.bounds.downloadTokens == .permanent {
                file = try await store.files.editTokens(of: path, app: access.app.id, seen: file) { $0 = tokens }
            }
            return .response(access.object(file, call.parameter("bucket")).response())
        }
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let (access, path, wanted) = (try call.bucketAccess(in: store), try call.filePath(), try StorageConditions(call.query()))
        try await Refusal.ofFiles {
            _ = try wanted.require(try await store.files.file(path, app: access.app.id))
            try await store.files.delete(path, app: access.app.id, if: wanted.ofChange, depth: access.depth)
        }
        return .noContent
    }
}
