// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import CrashStore
import Crashes
import Events
import HTTPServer
import Platform
import Symbols

/// Symbol files by the debug ID of their build.
struct SymbolFiles: Sendable {
    let store: Stores
    let storage: SymbolStorage
    let configuration: LiveConfiguration
    let disk: DiskGuard
    let quotas: AppQuotas
    let clock: WallClock

    static let routes = [
        Route(.get, "/v1/symbols", .role(.read), .task(\.symbolFiles, SymbolFiles.list)),
        Route(.get, "/v1/symbols/missing", .role(.read), .task(\.symbolFiles, SymbolFiles.missing)),
        Route(
            .put, "/v1/symbols", .role(.admin), .upload(\.symbolFiles, limit: SymbolFiles.fileLimit, SymbolFiles.putMap), audit: .symbolsStore,
            admission: Route.admission(\.symbolFiles, SymbolFiles.checkCapacity)),
        Route(
            .put, "/v1/symbols/{debug_id}", .role(.admin), .upload(\.symbolFiles, limit: SymbolFiles.fileLimit, SymbolFiles.put),
            audit: .symbolsStore,
            admission: Route.admission(\.symbolFiles, SymbolFiles.checkCapacity)),
        Route(.delete, "/v1/symbols/{debug_id}", .role(.admin), .task(\.symbolFiles, SymbolFiles.remove), audit: .symbolsDelete),
    ]

    func fileLimit() -> Int { configuration.now.symbols.fileBytes }

    func checkCapacity(for app: AppID?) throws(Refusal) {
        try disk.requireFree()
        try quotas.requireRoom(for: app)
    }

    func put(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let id = try call.debugID()
        let path = try call.symbolFile()
        let wasThere = try await !store.crashes.symbols(of: [id.text], app: app.id).isEmpty
        let symbols = try await storage.put(path, for: id, of: app.id, at: clock.now())
        return try .json(Page(items: symbols.map(SymbolsResponse.init)), status: wasThere ? 200 : 201)
    }

    /// Stores a source map for a release and the URL of the minified file.
    func putMap(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "release", "url", "dist")
        let app = try call.app(in: store)
        let place = ScriptPlace(
            release: try query.placeText("release", CrashLimits.releaseCharacters),
            distribution: try query.one("dist").map { _ in try query.placeText("dist", SymbolFiles.distributionCharacters) },
            url: try query.placeText("url", CrashLimits.nameCharacters))
        let path = try call.symbolFile()
        let wasThere = try await !store.crashes.symbols(of: [place.id.text], app: app.id).isEmpty
        let symbols = try await storage.put(path, at: place, of: app.id, at: clock.now())
        return try .json(Page(items: symbols.map(SymbolsResponse.init)), status: wasThere ? 200 : 201)
    }

    private static let distributionCharacters = 64

    func remove(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        try await storage.remove(call.debugID(), of: app.id)
        return .noContent
    }

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let (app, limit) = (try call.app(in: store), try query.number("limit", 1...1_000, default: 100))
        let found = try await store.crashes.symbols(app: app.id, after: try query.one("after") ?? "", limit: limit + 1)
        return try .page(found, limit: limit, cursor: \.debugID, SymbolsResponse.init)
    }

    func missing(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let (app, limit) = (try call.app(in: store), try query.number("limit", 1...1_000, default: 100))
        let found = try await store.crashes.missingSymbols(app: app.id, after: try query.missingPlace("after"), limit: limit + 1)
        return try .page(found, limit: limit, cursor: { "\($0.crashes).\($0.debugID)" }, MissingSymbolsResponse.init)
    }
}

extension QueryString {
    /// A text that is part of a place; it must not be empty.
    fileprivate func placeText(_ name: String, _ limit: Int) throws(Refusal) -> String {
        guard let text = try one(name), !text.isEmpty else { throw .field(name, "missing", "is required") }
        guard text.unicodeScalars.count <= limit, text.utf8Span.span.isPrintable else {
            throw .field(name, "too_long", "must have at most \(limit) characters, none of them a control character")
        }
        return text
    }

    /// The last item of an earlier page: its waiting crashes and debug ID.
    fileprivate func missingPlace(_ name: String) throws(Refusal) -> (crashes: Int, debugID: String)? {
        guard let text = try one(name) else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let crashes = Int(parts[0]), crashes >= 0 else {
            throw .field(name, "bad_cursor", "must be the next cursor of an earlier page")
        }
        return (crashes, String(parts[1]))
    }
}

extension Call {
    fileprivate func symbolFile() throws(Refusal) -> String {
        guard let path = request.bodyFile else { throw Refusal(.badRequest, "The body contains no symbol file.") }
        return path
    }

    fileprivate func debugID() throws(Refusal) -> DebugID {
        guard let id = DebugID(parameter("debug_id")) else {
            throw .field("debug_id", "bad_id", "must be a build's UUID", hint: "`dwarfdump --uuid` and `readelf -n` print it.")
        }
        return id
    }
}

extension SymbolsResponse {
    fileprivate init(_ symbols: StoredSymbols) {
        self.init(
            debugId: symbols.debugID, format: symbols.format, architecture: symbols.architecture.isEmpty ? nil : symbols.architecture,
            release: symbols.release, dist: symbols.distribution, url: symbols.name, bytes: symbols.bytes + (symbols.code?.bytes ?? 0),
            createdAt: Moment(symbols.created))
    }
}

extension MissingSymbolsResponse {
    fileprivate init(_ missing: MissingSymbols) {
        self.init(
            debugId: missing.debugID, name: missing.name, architecture: missing.architecture, crashes: missing.crashes,
            firstSeen: Moment(missing.first), lastSeen: Moment(missing.last))
    }
}
