// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Events
import FileStore
import Files
import HTTPServer
import Platform
import Rules

/// The figures of an app's files for its administrators: usage, decisions of rules, and whether the bytes are those that were stored.
struct FileFigures: Sendable {
    let store: Stores

    static let routes = [
        Route(.get, "/v1/files:usage", .role(.read), .task(\.fileFigures, FileFigures.usage)),
        Route(.get, "/v1/files:folders", .role(.read), .task(\.fileFigures, FileFigures.folders)),
        Route(.get, "/v1/files:denials", .role(.read), .task(\.fileFigures, FileFigures.denials)),
        Route(.get, "/v1/files:check", .role(.admin), .task(\.fileFigures, FileFigures.check)),
    ]

    private enum Order: Int, StoredWord {
        case uid = 1
        case bytes = 2
    }

    /// Returns what the app has, and a page of its users in the order of their IDs, or those with the most bytes.
    func usage(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after", "order")
        let app = try call.app(in: store).id
        let limit = try query.number("limit", 1...1_000, default: 100)
        let isBySize = try query.word("order", Order.self) == .bytes
        let whole = try await store.files.usage(of: app)
        let after = try query.one("after") ?? ""
        let users =
            isBySize
            ? try await store.files.largestUsages(of: app, limit: limit) : try await store.files.usages(of: app, after: after, limit: limit + 1)
        return try .json(
            FileUsageResponse(
                bytes: whole.bytes, files: whole.files, openUploads: whole.uploads, reservedBytes: whole.reserved,
                traffic: FileUsageResponse.Traffic(store.files.activity.traffic(of: app, at: store.files.now)),
                mostBytes: Int64(store.files.bounds.appBytes),
                items: users.prefix(limit).map {
                    FileUsageResponse.User(
                        uid: $0.owner, bytes: $0.usage.bytes, files: $0.usage.files, openUploads: $0.usage.uploads, reservedBytes: $0.usage.reserved)
                },
                next: users.count > limit ? users[limit - 1].owner : nil))
    }

    /// Returns the largest folders below a prefix, as they were within the last minutes.
    func folders(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "prefix", "limit")
        let app = try call.app(in: store).id
        let limit = try query.number("limit", 1...100, default: 20)
        let prefix = try query.one("prefix") ?? ""
        guard prefix.utf8.count <= FilePath.maximumBytes else {
            throw Refusal.field("prefix", "too_long", "must have at most \(FilePath.maximumBytes) bytes", hint: "Paths are not longer.")
        }
        let found = try await store.files.folderSizes(below: prefix, app: app)
        return try .json(
            FileFoldersResponse(
                prefix: prefix, bytes: found.here.bytes, files: found.here.files,
                items: found.folders.prefix(limit).map {
                    FileFoldersResponse.Folder(path: $0.path, bytes: $0.size.bytes, files: $0.size.files)
                }, complete: found.isComplete, at: Moment(found.at)))
    }

    /// Returns the decisions of the newest rules by statement, and the denials by kind.
    func denials(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        return try .json(FileDenialsResponse(try await store.files.ruleFigures(of: app)))
    }

    /// Compares some files with their rows, and with `deep=1` their bytes with their sums.
    func check(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "deep", "after")
        let app = try call.app(in: store).id
        let page = try await store.files.check(app, after: try query.one("after"), deep: try query.one("deep") != nil)
        return try .json(
            FileCheckResponse(
                files: page.files, bytes: page.bytes,
                items: page.damages.map { FileCheckResponse.Damage(path: $0.path.text, what: $0.what.rawValue) }, next: page.next))
    }
}

extension FileUsageResponse.Traffic {
    fileprivate init(_ traffic: FileTraffic) {
        self.init(
            uploads: traffic.uploads, uploadedBytes: traffic.uploadedBytes, downloads: traffic.downloads, downloadedBytes: traffic.downloadedBytes)
    }
}

extension FileDenialsResponse {
    fileprivate init(_ found: (statements: [RulePlace], figures: FileDecisionFigures)?) {
        let figures = found?.figures
        self.init(
            revision: figures.map { Int($0.revision) }, since: figures.map { Moment($0.since) },
            statements: (found?.statements ?? []).map { place in
                RuleStatementDecisions(line: place.line, column: place.column, allowed: figures?.allowed[place] ?? 0)
            },
            items: (figures?.denials ?? []).map { denial in
                Denial(
                    method: denial.kind.method, line: denial.kind.place?.line, column: denial.kind.place?.column, failed: denial.kind.hasFailed,
                    signedIn: denial.kind.isSignedIn, count: denial.count, first: Moment(denial.first), last: Moment(denial.last))
            })
    }
}
