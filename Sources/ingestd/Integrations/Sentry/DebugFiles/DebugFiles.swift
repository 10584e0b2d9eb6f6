// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import HTTPServer
import JSON
import Platform
import AcrossStores
import Symbols

/// Symbol uploads of `sentry-cli debug-files upload`: chunks named by their sums, which are then assembled.
enum DebugFiles {
    static let routes: [Route] =
        ["/api/0/organizations/{org}/chunk-upload/", "/api/0/organizations/{org}/chunk-upload"].flatMap { pattern in
            [
                Route(.get, pattern, .role(.admin), .task(settings), refusal: SentryResponse.refusalToProgram),
                Route(.post, pattern, .role(.admin), .task(pieces), admission: admission, refusal: SentryResponse.refusalToProgram),
            ]
        }
        + ["/api/0/projects/{org}/{app}/files/difs/assemble/", "/api/0/projects/{org}/{app}/files/difs/assemble"].map { pattern in
            Route(.post, pattern, .role(.admin), .task(assemble), admission: admission, refusal: SentryResponse.refusalToProgram)
        }

    private static let admission = Route.admission(\.symbolFiles, SymbolFiles.checkRoom)
    /// What is around the pieces in a request.
    private static let frameBytes = 64 << 10
    private static let piecesPerRequest = 64
    private static let filesPerRequest = 1_000

    /// The chunk size: a power of two, as the client requires, of which at least one fits in a request.
    private static func pieceBytes(_ daemon: Daemon) -> Int {
        let server = daemon.settings.server
        let most = max(1, min(server.maxBody, server.maxDecodedBody) - frameBytes)
        return min(8 << 20, 1 << (Int.bitWidth - 1 - most.leadingZeroBitCount))
    }

    @Sendable private static func settings(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        _ = try call.app(in: daemon.store)
        let (piece, file) = (pieceBytes(daemon), daemon.settings.symbols.fileBytes)
        let path = call.head.path
        return .response(
            .json { json in
                json.beginObject()
                json.field("url", path)
                json.field("chunkSize", piece)
                json.field("chunksPerRequest", piecesPerRequest)
                json.field("maxFileSize", file)
                json.field("maxRequestSize", piece)
                json.field("concurrency", 2)
                json.field("hashAlgorithm", "sha1")
                json.field("compression", ["gzip"])
                json.field("accept", ["debug_files"])
                json.endObject()
            })
    }

    @Sendable private static func pieces(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        let parts = try FormParts(call.request.body, call.head.header("Content-Type"), most: piecesPerRequest)
        for part in parts.all {
            try await daemon.symbolPieces.keep(part, largest: pieceBytes(daemon), of: app.id, at: daemon.clock.now())
        }
        return .response(
            .json {
                $0.beginObject(); $0.endObject()
            })
    }

    @Sendable private static func assemble(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(named: call.parameter("app"), in: daemon.store)
        let body = try Body(call.request.body)
        guard body.names.count <= filesPerRequest else { throw Refusal(.tooLarge, "At most \(filesPerRequest) files can be assembled per request.") }
        var files: [(asked: AssemblyRequest, state: FileState)] = []
        for sum in body.names {
            let asked = try AssemblyRequest(sum, try body.object(sum))
            files.append((asked, try await state(of: asked, app, daemon)))
        }
        // Done last, because several files may share a chunk.
        let waiting = files.filter(\.state.isWaiting).flatMap(\.asked.pieces)
        daemon.symbolPieces.forgetPieces(Set(files.flatMap(\.asked.pieces)).subtracting(waiting), of: app.id)
        return .response(
            .json { [files] json in
                json.beginObject()
                for file in files {
                    json.key(file.asked.sum)
                    json.write(file.state, sum: file.asked.sum)
                }
                json.endObject()
            })
    }

    private static func state(of file: AssemblyRequest, _ app: App, _ daemon: Daemon) async throws -> FileState {
        if let joined = daemon.symbolPieces.done(file.sum, of: app.id) {
            if try await isThere(joined, app, daemon) { return .ok(file, joined) }
            daemon.symbolPieces.forget(file.sum, of: app.id)
        }
        let missing = daemon.symbolPieces.missing(file.pieces, of: app.id, at: daemon.clock.now())
        if !missing.isEmpty { return .missing(missing) }
        do {
            let joined = try await daemon.symbolPieces.join(file, of: app.id) { path in
                try await kept(path, file, app, daemon)
            }
            return .ok(file, joined)
        } catch let refusal as Refusal where refusal.code.status < 429 {
            return .failed([refusal.detail, refusal.hint].compactMap(\.self).joined(separator: " "))
        }
    }

    /// Whether the stored file is still the same. It may have been removed or replaced.
    private static func isThere(_ joined: AssembledFile, _ app: App, _ daemon: Daemon) async throws -> Bool {
        guard let stored = joined.symbols else { return true }
        return try await daemon.store.crashes.symbols(of: [stored.debugID], app: app.id).contains { $0.sha256 == stored.sha256 }
    }

    /// Stores the file. A file without symbols is accepted but not stored.
    private static func kept(_ path: String, _ file: AssemblyRequest, _ app: App, _ daemon: Daemon) async throws -> AssembledFile {
        let contents: SymbolFile
        do throws(SymbolFileError) {
            contents = try SymbolFile.inspect(path)
        } catch {
            if case .withoutSymbols = error { return .withoutSymbols }
            throw error.refusal
        }
        let ids = contents.objects.map(\.debugID)
        if !contents.objects.contains(where: \.hasDebugInfo) {
            // A file with names only must not replace one with lines.
            let known = try await daemon.store.crashes.symbols(of: ids.map(\.text), app: app.id)
            if let one = known.first, known.count == Set(ids).count { return .symbols(one) }
        }
        let symbols = try await daemon.symbols.put(path, for: file.debugID, of: app.id, at: daemon.clock.now())
        let own = symbols.first { $0.debugID == file.debugID?.text } ?? symbols.first
        return own.map(AssembledFile.symbols) ?? .withoutSymbols
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ state: FileState, sum: String) {
        beginObject()
        switch state {
        case .missing(let pieces):
            field("state", "not_found")
            field("missingChunks", pieces)
        case .failed(let detail):
            field("state", "error")
            field("detail", detail)
            field("missingChunks", [String]())
        case .ok(let file, let joined):
            field("state", "ok")
            field("missingChunks", [String]())
            key("dif")
            write(file, joined.symbols)
        }
        endObject()
    }

    private mutating func write(_ file: AssemblyRequest, _ symbols: StoredSymbols?) {
        let id = symbols?.debugID ?? file.debugID?.text ?? ""
        beginObject()
        field("id", file.sum)
        field("uuid", id)
        field("debugId", id)
        field("objectName", file.name)
        field("cpuName", symbols?.architecture ?? "any")
        field("symbolType", symbols?.format ?? "")
        field("sha1", file.sum)
        field("size", symbols?.bytes ?? 0)
        if let created = symbols?.created { field("dateCreated", created.rfc3339) }
        key("headers")
        beginObject()
        endObject()
        key("data")
        beginObject()
        endObject()
        endObject()
    }
}
