// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import Files
import HTTPServer
import JSON
import Platform

/// Files by name and lists of them, as Firebase's SDKs ask for them.
///
///     GET /v0/b/shop/o/users%2Fann%2Fa.png                        {"name": "users/ann/a.png", "bucket": "shop", …}
///     GET /v0/b/shop/o/users%2Fann%2Fa.png?alt=media&token=1795…   the bytes
///     GET /v0/b/shop/o?prefix=users/ann/&delimiter=/              {"prefixes": [], "items": [{"name": …, "bucket": …}]}
struct FirebaseObjects: Sendable {
    /// The tokens of one file.
    private static let mostTokens = 100

    let store: Stores

    // MARK: Reading

    /// Returns the description of a file, or with `alt=media` its bytes.
    func get(_ call: Call) async throws -> HandlerResponse {
        let (access, path, query) = (try call.bucketAccess(in: store), try call.filePath(), try call.query())
        let origin = store.files.bounds.fileOrigin
        guard try query.one("alt") == "media" else {
            try origin.require(call.head, isContent: false)
            return try await Refusal.ofFiles { response(try await described(path, access), call, access) }
        }
        if let response = try origin.redirect(call.head) { return .response(response) }
        let token = try query.one("token")
        return try await Refusal.ofFiles {
            guard let opened = try await open(path, token, access) else { throw FileFault.notFound }
            return .response(
                try FileDownload(opened: opened, disposition: nil, store: store.files).response(to: call.head, now: store.files.now))
        }
    }

    /// Opens a file for the holder of one of its tokens, or for a caller who may read it.
    private func open(_ path: FilePath, _ token: String?, _ access: FileAccess) async throws -> OpenedFile? {
        if let token, let opened = try await store.files.open(path, app: access.app.id), access.admits(token, to: opened.file) { return opened }
        return try await access.open(path)
    }

    /// Returns a file that the caller may read. One that was uploaded in another way gets its first permanent token; if it is replaced meanwhile,
    /// rules decide about the new one.
    private func described(_ path: FilePath, _ access: FileAccess) async throws -> StoredFile {
        for _ in 0..<FileStore.judgements {
            guard let file = try await access.readable(path) else { throw FileFault.notFound }
            guard file.tokens == nil, let token = store.files.bounds.downloadTokens.new() else { return file }
            do {
                return try await store.files.editTokens(of: path, app: access.app.id, seen: file) { $0 = token }
            } catch FileFault.conditionFailed, FileFault.notFound { continue }
        }
        throw FileFault.conditionFailed
    }

    func list(_ call: Call) async throws -> HandlerResponse {
        let (access, query) = (try call.bucketAccess(in: store), try call.query())
        let prefix = try query.one("prefix") ?? ""
        let wanted = FileListingQuery(
            prefix: prefix, delimiter: try query.delimiter(), after: try query.one("pageToken"),
            limit: try query.number("maxResults", FileListingQuery.limits, default: FileListingQuery.limits.upperBound))
        let page = try await Refusal.ofFiles {
            try await access.requireList(prefix, delimiter: wanted.delimiter)
            return try await store.files.list(wanted, app: access.app.id)
        }
        return try call.charged(response(page, bucket: call.parameter("bucket")))
    }

    private func response(_ page: FileListing, bucket: String) -> HTTPResponse {
        HTTPResponse.json(reserving: 4_096) { json in
            json.beginObject()
            json.field("prefixes", page.folders)
            json.key("items")
            json.beginArray()
            for file in page.files {
                json.beginObject()
                json.field("name", file.path.text)
                json.field("bucket", bucket)
                json.endObject()
            }
            json.endArray()
            if let next = page.next { json.field("nextPageToken", next) }
            json.endObject()
        }
    }

    private func response(_ file: StoredFile, _ call: Call, _ access: FileAccess, isReadable: Bool = true) -> HandlerResponse {
        let tokens = isReadable ? access.tokens(of: file) : nil
        return .response(StorageObject(file: file, bucket: call.parameter("bucket"), tokens: tokens).response())
    }

    // MARK: Changes

    /// Changes the details that the body has; null removes one. A caller who may not read the file gets no token of it.
    func change(_ call: Call) async throws -> HandlerResponse {
        let (access, path) = (try call.bucketAccess(in: store), try call.filePath())
        let edit = try DetailsEdit(Body(call.json()), .google)
        return try await Refusal.ofFiles {
            let file = try await store.files.editDetails(of: path, app: access.app.id, by: access.judge, edit.apply)
            return response(file, call, access, isReadable: try await access.mayGet(path, file))
        }
    }

    func delete(_ call: Call) async throws -> HandlerResponse {
        let (access, path) = (try call.bucketAccess(in: store), try call.filePath())
        try await Refusal.ofFiles { try await store.files.delete(path, app: access.app.id, by: access.judge, depth: access.depth) }
        return .noContent
    }

    /// Changes details for clients that cannot send PATCH, or the tokens of a file.
    func post(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        if try query.one("create_token") == "true" { return try await editTokens(call) { tokens, new in tokens.append(new) } }
        if let token = try query.one("delete_token") {
            return try await editTokens(call) { tokens, new in
                tokens.removeAll { $0.hasSameBytes(as: token) }
                // A file has a token always, as in Firebase.
                if tokens.isEmpty { tokens.append(new) }
            }
        }
        guard call.head.header("X-HTTP-Method-Override")?.uppercased() == "PATCH" else {
            throw Refusal(.badRequest, "The request says neither create_token, delete_token nor X-HTTP-Method-Override: PATCH.")
        }
        return try await change(call)
    }

    private func editTokens(_ call: Call, _ edit: @escaping @Sendable (inout [String], String) -> Void) async throws -> HandlerResponse {
        let (access, path) = (try call.bucketAccess(in: store), try call.filePath())
        guard !access.isJudged else { throw Refusal(.forbidden, "Tokens are for servers.", hint: "Use a key with the role data or admin.") }
        guard let new = store.files.bounds.downloadTokens.new() else {
            throw Refusal(.badRequest, "Tokens are not stored.", hint: "Set files.download_tokens to permanent.")
        }
        return try await Refusal.ofFiles {
            let file = try await store.files.editTokens(of: path, app: access.app.id) { text in
                var tokens = text?.split(separator: ",").map(String.init) ?? []
                edit(&tokens, new)
                text = tokens.suffix(FirebaseObjects.mostTokens).joined(separator: ",")
            }
            return response(file, call, access)
        }
    }
}
