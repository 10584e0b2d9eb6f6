// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import HTTPServer
import JSON
import Platform
import AcrossStores
import Symbols

/// What makes crashes readable: symbol files by the id of their build.
enum SymbolFiles {
    @Sendable static func largest(_ configuration: Configuration) -> Int { configuration.symbols.fileBytes }

    @Sendable static func room(_ daemon: Daemon, for app: AppID?) throws(Refusal) { try daemon.requireDisk() }

    @Sendable static func put(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        let id = try call.debugID()
        guard let path = call.request.bodyFile else { throw Refusal(.badRequest, "There is no symbol file in the body.") }
        let wasThere = try await !daemon.store.crashes.symbols(of: [id.text], app: app.id).isEmpty
        let symbols = try await daemon.symbols.put(path, for: id, of: app.id, at: daemon.clock.now())
        return .response(
            .json(status: wasThere ? 200 : 201) { json in
                json.beginObject()
                json.key("items")
                json.beginArray()
                for one in symbols { json.write(one) }
                json.endArray()
                json.endObject()
            })
    }

    @Sendable static func remove(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.onlyApp(in: daemon.store)
        try await daemon.symbols.remove(call.debugID(), of: app.id)
        return .response(HTTPResponse(status: 204))
    }

    @Sendable static func list(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let (app, limit) = (try call.app(in: daemon.store), try query.number("limit", 1...1_000, default: 100))
        let found = try await daemon.store.crashes.symbols(app: app.id, after: try query.one("after") ?? "", limit: limit + 1)
        return .page(found, limit: limit, cursor: \.debugID) { $0.write($1) }
    }

    @Sendable static func missing(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let (app, limit) = (try call.app(in: daemon.store), try query.number("limit", 1...1_000, default: 100))
        let found = try await daemon.store.crashes.missingSymbols(app: app.id, after: try query.missingPlace("after"), limit: limit + 1)
        return .page(found, limit: limit, cursor: { "\($0.crashes).\($0.debugID)" }) { json, missing in
            json.beginObject()
            json.field("debug_id", missing.debugID)
            if let name = missing.name { json.field("name", name) }
            if let architecture = missing.architecture { json.field("architecture", architecture) }
            json.field("crashes", missing.crashes)
            json.field("first_seen", missing.first.rfc3339)
            json.field("last_seen", missing.last.rfc3339)
            json.endObject()
        }
    }
}

extension QueryString {
    /// How many waited for the last one of an earlier page, and which that was.
    fileprivate func missingPlace(_ name: String) throws(Refusal) -> (crashes: Int, debugID: String)? {
        guard let text = try one(name) else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let crashes = Int(parts[0]), crashes >= 0 else {
            throw .field(name, "bad_cursor", "must be the next of an earlier page")
        }
        return (crashes, String(parts[1]))
    }
}

extension Call {
    fileprivate func debugID() throws(Refusal) -> DebugID {
        guard let id = DebugID(parameter("debug_id")) else {
            throw .field("debug_id", "bad_id", "must be a build's UUID", hint: "`dwarfdump --uuid` and `readelf -n` tell it.")
        }
        return id
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ symbols: StoredSymbols) {
        beginObject()
        field("debug_id", symbols.debugID)
        field("format", symbols.format)
        if !symbols.architecture.isEmpty { field("architecture", symbols.architecture) }
        field("bytes", Int(symbols.bytes))
        field("created_at", symbols.created.rfc3339)
        endObject()
    }
}
