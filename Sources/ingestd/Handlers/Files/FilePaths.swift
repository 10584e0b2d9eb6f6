// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import FileStore
import Files
import HTTPServer
import JSON
import Platform

/// One file by its path: details, copies, links, deletion.
struct FilePaths: Sendable {
    private static let pattern = "/v1/files/{app}/{path}"

    let store: Stores

    static let routes = [
        Route(.get, pattern, .rolesOrAnyone(AppFiles.roles), .read(\.filePaths, FilePaths.get), takesRest: true, sendsFiles: true),
        Route(.put, pattern, AppFiles.access, .receive(\.filePaths, FilePaths.put, small: FilePaths.putSmall), takesRest: true),
        Route(.patch, pattern, AppFiles.access, .task(\.filePaths, FilePaths.patch), most: 64 << 10, takesRest: true),
        Route(.delete, pattern, AppFiles.access, .task(\.filePaths, FilePaths.delete), takesRest: true),
        Route(.post, pattern, AppFiles.access, .task(\.filePaths, FilePaths.post), most: 4 << 10, takesRest: true),
    ]

    // MARK: Bytes

    /// Returns the bytes of a file, or with `info=1` its details.
    func get(_ call: Call) async throws -> HTTPResponse {
        let query = try call.query()
        try query.allow("info", "pending", "e", "g", "d", "r", "s")
        let origin = store.files.bounds.fileOrigin
        if try query.one("info") != nil {
            try origin.require(call.head, isContent: false)
        } else if let response = try origin.redirect(call.head) {
            return response
        }
        let path = try call.filePath()
        let link = try await link(to: path, call)
        let access = try call.fileAccess(in: store)
        return try await Refusal.ofFiles {
            if try query.one("info") != nil {
                // A link is for the bytes alone.
                if link != nil { throw FileFault.notFound }
                guard let file = try await access.readable(path) else { throw FileFault.notFound }
                return .file(file)
            }
            if let generation = try query.one("pending") {
                // Neither a link nor rules open a file that waits.
                if link != nil || access.isJudged { throw FileFault.denied }
                return try await pending(path, generation, access, call)
            }
            let opened = try await link == nil ? access.open(path) : store.files.open(path, app: access.app.id)
            guard let opened, link?.generation ?? opened.file.generation == opened.file.generation else { throw FileFault.notFound }
            return try FileDownload(opened: opened, disposition: link?.disposition, store: store.files).response(
                to: call.head, now: store.files.now)
        }
    }

    /// Returns the bytes of a version that waits for a function.
    private func pending(_ path: FilePath, _ generation: String, _ access: FileAccess, _ call: Call) async throws -> HTTPResponse {
        guard let number = Int64(generation),
            let opened = try await store.files.openPending(path, generation: number, app: access.app.id)
        else { throw FileFault.notFound }
        return try FileDownload(opened: opened, disposition: nil, store: store.files).response(to: call.head, now: store.files.now)
    }

    /// Returns the link of a request without a key; nil for one with a key. Rejects a request with neither.
    private func link(to path: FilePath, _ call: Call) async throws -> FileLink? {
        guard case .anyone = call.caller else { return nil }
        // Without a link nobody learns which apps there are.
        let app = try? call.appOfPath(in: store).id
        let values = try call.query().values
        guard let link = app.flatMap({ FileLink(app: $0, path: path, parameters: values, store.files.linkKey) }),
            try await store.files.isValid(link)
        else {
            throw Refusal(.unauthorized, "A key or a valid link is required.", hint: "The link may have ended or been revoked.")
        }
        return link
    }

    /// Accepts the bytes of a file.
    func put(_ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        let (access, request, end) = try upload(call)
        return try await access.receive(request, end) { file, replaces in .file(file, status: file.statusOfPut(replaces)) }
    }

    /// Accepts a small file, whose bytes came with the request.
    func putSmall(_ call: Call) async throws -> HTTPResponse {
        let (access, request, end) = try upload(call)
        return try await Refusal.ofFiles {
            let (file, replaces) = try await access.put(call.request.body, request, end)
            return .file(file, status: file.statusOfPut(replaces))
        }
    }

    private func upload(_ call: Call) throws -> (FileAccess, UploadRequest, UploadEnd) {
        try call.query().allow()
        let (access, path) = (try call.fileAccess(in: store), try call.filePath())
        var request = try UploadRequest(path, app: access.app.id, call.head)
        (request.condition, request.owner) = (try call.fileCondition(), access.owner)
        return (access, request, UploadEnd(try ExpectedSums(call.head), by: access.judge, depth: access.depth))
    }

    // MARK: Details

    /// Replaces those details that the body has; null removes one.
    func patch(_ call: Call) async throws -> HandlerResponse {
        try call.query().allow()
        let (access, path) = (try call.fileAccess(in: store), try call.filePath())
        let body = try Body(call.json())
        let (edit, condition) = (try DetailsEdit(body), try call.fileCondition())
        return try await Refusal.ofFiles {
            try .file(await store.files.editDetails(of: path, app: access.app.id, if: condition, by: access.judge, edit.apply))
        }
    }

    /// Deletes a file, or with `link=ID` revokes a link to it, for those who may delete the file.
    func delete(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("link")
        let (access, path) = (try call.fileAccess(in: store), try call.filePath())
        if let text = try query.one("link") {
            if let judge = access.judge {
                try await Refusal.ofFiles { try await judge(path, try await store.files.file(path, app: access.app.id), nil) }
            }
            guard let id = Int64(text), try await store.files.revokeLink(id, to: path, app: access.app.id) else {
                throw Refusal(.notFound, "There is no such link.", hint: "Only links made with revocable can be revoked.")
            }
            return .noContent
        }
        let condition = try call.fileCondition()
        try await Refusal.ofFiles {
            try await store.files.delete(path, app: access.app.id, if: condition, by: access.judge, depth: access.depth)
        }
        return .noContent
    }

    // MARK: Copies and links

    func post(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("copy_to", "link")
        if let target = try query.one("copy_to") { return try await copy(to: target, call) }
        guard try query.one("link") != nil else {
            throw Refusal(.badRequest, "The request says neither copy_to nor link.", hint: "Add ?copy_to=PATH or ?link.")
        }
        return try await makeLink(call)
    }

    /// Copies a file, for a caller who may read it and write the copy.
    private func copy(to text: String, _ call: Call) async throws -> HandlerResponse {
        let (access, path) = (try call.fileAccess(in: store), try call.filePath())
        guard let target = FilePath(text) else { throw Refusal.field("copy_to", "bad_path", "must be the path of a file") }
        let condition = try call.fileCondition()
        return try await Refusal.ofFiles {
            let copy = try await store.files.copy(
                path, to: target, app: access.app.id, owner: access.copyOwner, if: condition, reading: { try await access.requireGet(path, $0) },
                by: access.judge, depth: access.depth)
            return .file(copy, status: copy.statusOfPut(false))
        }
    }

    /// Makes a link, for a caller who may read the file. Servers make links also to paths without a file.
    private func makeLink(_ call: Call) async throws -> HandlerResponse {
        let (access, path) = (try call.fileAccess(in: store), try call.filePath())
        let body = try Body(call.json())
        try body.allow("expires_in", "disposition", "revocable", "generation")
        let seconds = try body.number("expires_in", 1...Int(FileLink.longestSeconds)) ?? 3_600
        let name = try body.optionalText("disposition")
        let disposition = name.flatMap { FileLink.Disposition(rawValue: $0) }
        if name != nil, disposition == nil { throw Refusal.field("disposition", "unknown", "must be inline or attachment") }
        if access.isJudged {
            try await Refusal.ofFiles {
                if try await access.readable(path) == nil { throw FileFault.notFound }
            }
        }
        let expires = store.files.now + .seconds(Int64(seconds))
        let link = try await store.files.makeLink(
            to: path, app: access.app.id, expires: expires, generation: try body.number("generation", 1...Int.max).map(Int64.init),
            disposition: disposition, isRevocable: try body.flag("revocable") ?? false)
        return try .json(FileLinkResponse(link, store.files.linkKey, at: store.files.bounds.origin ?? ""), status: 201)
    }
}

extension StoredFile {
    /// 202 for a file that waits for a function.
    fileprivate func statusOfPut(_ replaces: Bool) -> Int { pendingUntil != nil ? 202 : replaces ? 200 : 201 }
}

extension HTTPResponse {
    /// A response with a file's details and its entity tag.
    static func file(_ file: StoredFile, status: Int = 200) -> HTTPResponse {
        var response = HTTPResponse.json(status: status, reserving: 1_024) { $0.value(file) }
        response.headers.append(("ETag", file.etag))
        return response
    }
}

extension HandlerResponse {
    static func file(_ file: StoredFile, status: Int = 200) -> HandlerResponse { .response(.file(file, status: status)) }
}

extension Call {
    /// The state of the file that the request depends on: `If-None-Match: *`, `If-Match: *` or `If-Match` with entity tags, one of which the
    /// file must have. Other tags than those of files are tags that no file has.
    func fileCondition() throws(Refusal) -> FileCondition {
        if let none = head.header("If-None-Match") {
            guard none.hasSameBytes(as: "*") else { throw .field("If-None-Match", "bad_condition", "must be *") }
            return .absent
        }
        let fields = head.headers("If-Match")
        if fields.isEmpty { return .any }
        switch EntityTagList(fields) {
        case .any: return .present
        case .tags(let tags): return .anyOf(tags.filter { !$0.isWeak }.compactMap { FileCondition(etag: $0.text) })
        case .malformed: throw .field("If-Match", "bad_condition", "must be * or entity tags in quotes")
        }
    }
}
