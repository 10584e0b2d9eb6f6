// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import EventStore
import FileStore
import Files
import HTTPServer
import JSON
import Platform

/// Lists of files, and the folders of persons among them.
struct AppFiles: Sendable {
    /// Servers may do everything. About users and ingest keys the storage rules of the app decide.
    static let roles: [Role] = [.data, .ingest]
    static let access = Route.Access.roles(roles)

    let store: Stores

    static let routes = [
        Route(.get, "/v1/files/{app}", .roles([.data, .read, .ingest]), .task(\.files, AppFiles.list)),
        Route(.get, "/v1/files:persons", .role(.admin), .task(\.files, AppFiles.personFolders)),
        Route(.put, "/v1/files:persons", .role(.admin), .task(\.files, AppFiles.setPersonFolders), audit: .filePersonsChange, most: 64 << 10),
    ]

    /// Returns a page of files and folders.
    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("prefix", "delimiter", "limit", "after")
        let access = try call.fileAccess(in: store)
        let prefix = try query.one("prefix") ?? ""
        let wanted = FileListingQuery(
            prefix: prefix, delimiter: try query.delimiter(), after: try query.one("after"),
            limit: try query.number("limit", FileListingQuery.limits, default: 100))
        let page = try await Refusal.ofFiles {
            try await access.requireList(prefix, delimiter: wanted.delimiter)
            return try await store.files.list(wanted, app: access.app.id)
        }
        return try call.charged(.json(reserving: 1_024 + 512 * page.files.count) { $0.value(page) })
    }

    func personFolders(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        return try .json(FilePersonsResponse(paths: try await store.files.personPaths(of: app).map(\.description)))
    }

    func setPersonFolders(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        let body = try Body(call.json())
        try body.allow("paths")
        guard body.names.contains("paths") else { throw Refusal.field("paths", "missing", "is required; an empty list stands for no folders") }
        let folders = try PersonFolder.folders(body)
        try await store.files.setPersonPaths(folders, app: app)
        return try .json(FilePersonsResponse(paths: folders.map(\.description)))
    }
}

extension PersonFolder {
    /// Reads the folders in `paths`.
    static func folders(_ body: Body) throws(Refusal) -> [PersonFolder] {
        try body.texts("paths", most: 50, mayBeEmpty: true).map { text throws(Refusal) in
            guard let folder = PersonFolder(text) else { throw Refusal.field("paths", "bad_path", "must be folders such as users/{uid}/") }
            if folder.hasWildcard { throw Refusal.field("paths", "bad_path", "may have {uid}/ at the end, and no other wildcards") }
            return folder
        }
    }
}

extension Call {
    /// The app that the path names, which must be that of the key.
    func appOfPath(in store: Stores) throws(Refusal) -> App { try app(ofPath: parameter("app"), in: store) }

    /// The app that a text of the path names, which must be that of the key.
    func app(ofPath text: String, in store: Stores) throws(Refusal) -> App {
        guard let own = caller.app else { return try store.events.app(named: text) }
        // The answer does not tell which other apps there are.
        guard let named = store.events.directory.now.app(named: text), named.id == own else {
            throw Refusal(.notFound, "There is no such app.", hint: "Name the app of the key.")
        }
        return named
    }

    func fileAccess(in store: Stores) throws(Refusal) -> FileAccess { FileAccess(try appOfPath(in: store), caller, in: store) }

    func filePath() throws(Refusal) -> FilePath {
        guard let path = FilePath(parameter("path")) else {
            throw .field("path", "bad_path", "must have 1 to 1,024 bytes, no control characters and no segment that is empty, a dot or two dots")
        }
        return path
    }
}
