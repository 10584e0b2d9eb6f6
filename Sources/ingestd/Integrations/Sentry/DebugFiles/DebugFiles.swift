// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import HTTPServer
import Ingest
import JSON
import Platform
import AcrossStores
import Symbols

/// Symbol uploads of `sentry-cli debug-files upload`: chunks named by their sums, which are then assembled.
struct DebugFiles: Sendable {
    let store: Stores
    let storage: SymbolStorage
    let chunks: SymbolChunks
    let configuration: LiveConfiguration
    let log: Log
    let clock: WallClock

    static let routes: [Route] =
        ["/api/0/organizations/{org}/chunk-upload/", "/api/0/organizations/{org}/chunk-upload"].flatMap { pattern in
            [
                Route(
                    .get, pattern, .role(.admin), .task(\.integrations.debugFiles, DebugFiles.settings), refusal: SentryResponse.refusalToProgram),
                Route(
                    .post, pattern, .role(.admin), .task(\.integrations.debugFiles, DebugFiles.pieces), admission: admission,
                    refusal: SentryResponse.refusalToProgram),
            ]
        }
        + ["/api/0/projects/{org}/{app}/files/difs/assemble/", "/api/0/projects/{org}/{app}/files/difs/assemble"].map { pattern in
            Route(
                .post, pattern, .role(.admin), .task(\.integrations.debugFiles, DebugFiles.assemble), audit: .symbolsStore, admission: admission,
                refusal: SentryResponse.refusalToProgram)
        }
        + [
            Route(
                .post, "/api/0/organizations/{org}/artifactbundle/assemble/", .role(.admin),
                .task(\.integrations.debugFiles, DebugFiles.assembleBundle), audit: .symbolsStore,
                admission: admission, refusal: SentryResponse.refusalToProgram)
        ]

    private static let admission = Route.admission(\.symbolFiles, SymbolFiles.checkCapacity)
    /// The bytes of a request without its chunks.
    private static let frameBytes = 64 << 10
    private static let piecesPerRequest = 64
    private static let filesPerRequest = 1_000

    /// The chunk size: a power of two, as the client requires, of which at least one fits in a request.
    private var pieceBytes: Int {
        let server = configuration.now.server
        let most = max(1, min(server.maxBody, server.maxDecodedBody) - DebugFiles.frameBytes)
        return min(8 << 20, 1 << (Int.bitWidth - 1 - most.leadingZeroBitCount))
    }

    private func settings(_ call: Call) async throws -> HandlerResponse {
        _ = try call.app(in: store)
        let (piece, file) = (pieceBytes, configuration.now.symbols.fileBytes)
        let path = call.head.path
        return .response(
            .json { json in
                json.beginObject()
                json.field("url", path)
                json.field("chunkSize", piece)
                json.field("chunksPerRequest", DebugFiles.piecesPerRequest)
                json.field("maxFileSize", file)
                json.field("maxRequestSize", piece)
                json.field("concurrency", 2)
                json.field("hashAlgorithm", "sha1")
                json.field("compression", ["gzip"])
                json.field("accept", ["debug_files", "sources", "proguard", "artifact_bundles", "artifact_bundles_v2"])
                json.endObject()
            })
    }

    private func pieces(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        let parts = try FormParts(call.request.body, call.head.header("Content-Type"), most: DebugFiles.piecesPerRequest)
        for part in parts.all {
            try await chunks.keep(part, largest: pieceBytes, of: app.id, at: clock.now())
        }
        return .response(
            .json {
                $0.beginObject(); $0.endObject()
            })
    }

    private func assemble(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(named: call.parameter("app"), in: store)
        let body = try Body(call.request.body)
        guard body.names.count <= DebugFiles.filesPerRequest else {
            throw Refusal(.tooLarge, "At most \(DebugFiles.filesPerRequest) files can be assembled per request.")
        }
        var files: [(request: AssemblyRequest, state: FileState)] = []
        for sum in body.names {
            let request = try AssemblyRequest(sum, try body.object(sum))
            files.append((request, try await state(of: request, app, keep: kept)))
        }
        // Done last, because several files may share a chunk.
        let waiting = files.filter(\.state.isWaiting).flatMap(\.request.pieces)
        chunks.forgetPieces(Set(files.flatMap(\.request.pieces)).subtracting(waiting), of: app.id)
        return .response(
            .json { [files] json in
                json.beginObject()
                for file in files {
                    json.key(file.request.sum)
                    json.write(file.state, sum: file.request.sum)
                }
                json.endObject()
            })
    }

    /// Assembles a file once all its chunks are there, and passes it to `keep`.
    func state(
        of file: AssemblyRequest, _ app: App, keep: @escaping @Sendable (String, AssemblyRequest, App) async throws -> AssembledFile
    ) async throws -> FileState {
        if let joined = chunks.done(file.sum, of: app.id) {
            if try await isThere(joined, file, app) { return .ok(file, joined) }
            chunks.forget(file.sum, of: app.id)
        }
        let missing = chunks.missing(file.pieces, of: app.id, at: clock.now())
        if !missing.isEmpty { return .missing(missing) }
        do {
            let joined = try await chunks.join(file, of: app.id) { path in try await keep(path, file, app) }
            return .ok(file, joined)
        } catch let refusal as Refusal where refusal.code.status < 429 {
            return .failed(refusal.sentences)
        }
    }

    /// Whether the stored file is still the same, under the requested ID or for the requested release. It may have been removed or replaced.
    private func isThere(_ joined: AssembledFile, _ file: AssemblyRequest, _ app: App) async throws -> Bool {
        let expected: [StoredSymbols]
        switch joined {
        case .withoutSymbols: return true
        case .symbols(let symbols):
            guard file.debugID == nil || file.debugID?.text == symbols.debugID else { return false }
            expected = [symbols]
        case .bundle(let symbols, _):
            guard file.release == nil || symbols.contains(where: { $0.release == file.release && $0.distribution == file.distribution }) else {
                return false
            }
            expected = symbols
        }
        let stored = try await store.crashes.symbols(of: expected.map(\.debugID), app: app.id)
        return stored.map(\.sha256) == expected.map(\.sha256)
    }

    /// Stores the file. A file without symbols and a bundle of sources are accepted but not stored.
    @Sendable private func kept(_ path: String, _ file: AssemblyRequest, _ app: App) async throws -> AssembledFile {
        if ArtifactBundle.isOne(path) { return .withoutSymbols }
        let contents: SymbolFile
        do throws(SymbolFileError) {
            contents = try SymbolFile.inspect(path, for: file.debugID)
        } catch {
            if case .withoutSymbols = error { return .withoutSymbols }
            throw error.refusal
        }
        let ids = contents.objects.map(\.debugID)
        if !contents.objects.contains(where: \.hasDebugInfo) {
            // A file with names only must not replace one with lines.
            let known = try await store.crashes.symbols(of: ids.map(\.text), app: app.id)
            if let one = known.first, known.count == Set(ids).count { return .symbols(one) }
        }
        let symbols = try await storage.put(path, for: file.debugID, of: app.id, at: clock.now())
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
