// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import Crypto
import Database
import FileStore
import Files
import HTTPServer
import JSON
import Platform
import Rules
import Synchronization

/// Exports and imports of all files of an app with their settings. A client keeps the entries as lines and reads the bytes by their paths.
///
///     {"setting":"rules","value":{"source":"…"}}
///     {"file":{"path":"users/ann/a.png","size":48213,"sha256":"9f86…",…},"download_tokens":"…"}
///     {"file":{"path":"uploads/b.png","size":9120,"sha256":"03ac…","pending_until":"scan",…}}
///
/// `POST` gives files that are here with their bytes their entries, and names the lines of the others. `PUT` takes such a line with the bytes
/// behind it.
struct FileTransfers: Sendable {
    static let importBytes = 16 << 20
    static let mostLines = 1_000

    let store: Stores

    static let routes = [
        Route(.get, "/v1/files:export", .role(.admin), .task(\.fileTransfers, FileTransfers.export), audit: .fileExport),
        Route(
            .post, "/v1/files:import", .role(.admin), .task(\.fileTransfers, FileTransfers.addEntries), audit: .fileImport, largest: importBytes,
            most: importBytes, admission: Route.admission(\.fileTransfers, FileTransfers.requireCapacity)),
        // As other uploads of servers it is not audited: an entry for each file would cost more than the file.
        Route(.put, "/v1/files:import", .role(.admin), .receive(\.fileTransfers, FileTransfers.addFile)),
    ]

    func requireCapacity(for app: AppID?) throws(Refusal) { try store.files.checkCapacity(for: app) }

    // MARK: Export

    /// Returns a page of files; the first one also has the settings. With `pending` it is one of the files that wait for functions.
    func export(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after", "pending")
        let app = try call.app(in: store).id
        let (limit, after) = (try query.number("limit", 1...FileTransfers.mostLines, default: 100), try query.one("after"))
        let isOfPending = try query.one("pending") != nil
        let settings = try await after == nil && !isOfPending ? settings(of: app) : nil
        let (files, next) = try await isOfPending ? pending(app, after: after, limit) : stored(app, after: after, limit)
        call.audit?.note("\(files.count) files\(isOfPending ? " that wait" : "")")
        return try call.charged(
            .json(reserving: 1_024 + 640 * files.count) { json in
                json.beginObject()
                if let settings {
                    json.key("settings")
                    json.raw(settings[...])
                }
                json.key("items")
                json.beginArray()
                for file in files { json.exported(file) }
                json.endArray()
                if let next { json.field("next", next) }
                json.endObject()
            })
    }

    private func stored(_ app: AppID, after: String?, _ limit: Int) async throws -> (files: [StoredFile], next: String?) {
        let page = try await store.files.list(FileListingQuery(after: after, limit: limit), app: app)
        return (page.files, page.next)
    }

    private func pending(_ app: AppID, after: String?, _ limit: Int) async throws -> (files: [StoredFile], next: String?) {
        let found = try await store.files.pendingFiles(of: app, after: after ?? "", limit: limit + 1)
        let files = found.prefix(limit).map(\.file)
        return (files, found.count > limit ? files.last?.path.text : nil)
    }

    private func settings(of app: AppID) async throws -> [UInt8] {
        let persons = try await store.files.personPaths(of: app).map(\.description)
        let pending = try await store.files.pendingRules(of: app)
        let rules = try await store.files.rules(of: app, limit: 1).first
        var json = JSONWriter()
        json.beginArray()
        try json.setting("persons") { try $0.encode(FilePersonsResponse(paths: persons)) }
        try json.setting("pending") { try $0.encode(FileWaitRules(rules: pending.map(FileWaitRule.init))) }
        if let rules {
            json.setting("rules") { json in
                json.beginObject()
                json.field("source", rules.source)
                json.endObject()
            }
        }
        json.endArray()
        return json.bytes
    }

    // MARK: Import

    /// Applies settings, and gives files that are here with their bytes the entries of some lines. Lines that are wrong are listed.
    func addEntries(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        let lines = call.request.body.split(separator: 0x0a, maxSplits: FileTransfers.mostLines, omittingEmptySubsequences: false)
        if lines.count > FileTransfers.mostLines, lines.last?.isEmpty == false {
            throw Refusal(.tooLarge, "The request has more than \(FileTransfers.mostLines) lines.", hint: "Send them in several requests.")
        }
        var result = FileImportResponse()
        var files: [(line: Int, file: ImportedFile)] = []
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) {
            do {
                switch try FileLine(Array(line)) {
                case .file(let file, _):
                    guard file.size <= store.files.bounds.fileBytes else { throw Refusal(FileFault.tooLarge) }
                    files.append((index + 1, file))
                case .setting(let setting): try await Refusal.ofFiles { try await set(setting, app, by: call.ruleAuthor) }
                case .other: break
                }
            } catch let refusal as Refusal { result.note(line: index + 1, refusal) }
        }
        let areHere = try await Refusal.ofFiles { try await store.files.restore(files.map(\.file), app: app) }
        result.files = areHere.count { $0 }
        result.missing = zip(files, areHere).filter { !$1 }.map(\.0.line)
        call.audit?.note("\(result.files) files, \(result.missing.count) without bytes, \(result.failed) lines failed")
        return try .json(result)
    }

    private func set(_ setting: FileLine.Setting, _ app: AppID, by author: RuleAuthor) async throws {
        switch setting {
        case .persons(let folders): try await store.files.setPersonPaths(folders, app: app)
        case .pending(let rules): try await store.files.setPendingRules(rules, app: app)
        case .rules(let source):
            // An import that is repeated makes no revision.
            if try await store.files.rules(of: app, limit: 1).first?.source.hasSameBytes(as: source) == true { return }
            _ = try await FileRules.reading { try await store.files.setRules(source, app: app, by: author) }
        }
    }

    /// Receives a file: its line, and its bytes.
    func addFile(_ call: Call) async throws -> (receiver: any PieceReceiver, limit: Int) {
        let app = try call.onlyApp(in: store).id
        try store.files.checkCapacity(for: app)
        return try await Refusal.ofFiles {
            let turn = try await store.files.begin(UploadRequest(nil, app: app))
            return (FileLineReception(turn, app), FileLine.maximumBytes + 1 + store.files.bounds.fileBytes)
        }
    }
}

/// The reception of a file behind its line.
private final class FileLineReception: PieceReceiver {
    private struct State {
        var head: [UInt8] = []
        var file: (file: ImportedFile, md5: [UInt8]?)?
    }

    private let turn: UploadTurn
    private let app: AppID
    private let state = Mutex(State())

    init(_ turn: UploadTurn, _ app: AppID) { (self.turn, self.app) = (turn, app) }

    func write(_ piece: Span<UInt8>) throws {
        let (start, size) = try state.withLock { state in
            let start = try state.file == nil ? readLine(piece, &state) : 0
            return (start, state.file?.file.size ?? 0)
        }
        if start == piece.count { return }
        guard turn.received + Int64(piece.count - start) <= size else { throw Refusal(FileFault.checksumMismatch) }
        do { try turn.write(piece.extracting(start..<piece.count)) } catch let fault as FileFault { throw Refusal(fault) }
    }

    /// Reads the line, as far as it is in a piece. Returns the place behind it.
    private func readLine(_ piece: Span<UInt8>, _ state: inout State) throws -> Int {
        for place in piece.indices {
            guard piece[place] == 0x0a else {
                state.head.append(piece[place])
                if state.head.count > FileLine.maximumBytes { throw Refusal(.tooLarge, "The line of the file is too long.") }
                continue
            }
            guard case .file(let file, let md5) = try FileLine(state.head) else { throw FileLine.noFile }
            (state.head, state.file) = ([], (file, md5))
            return place + 1
        }
        return piece.count
    }

    func finish() async throws -> HandlerResponse {
        guard let (file, md5) = state.withLock({ $0.file }) else { throw FileLine.noFile }
        return try await Refusal.ofFiles { .file(try await turn.finish(UploadEnd(file, app: app, md5: md5))) }
    }

    /// The upload ends with the last reference to it.
    func abandon() {}
}

extension FileImportResponse: LineImport {}

extension JSONWriter {
    fileprivate mutating func setting(_ name: String, _ build: (inout JSONWriter) throws -> Void) rethrows {
        beginObject()
        field("setting", name)
        key("value")
        try build(&self)
        endObject()
    }

    /// Writes a file as `FileExportResponse.Item` has it.
    fileprivate mutating func exported(_ file: StoredFile) {
        beginObject()
        key("file")
        value(file)
        if let md5 = file.sums.md5 { field("md5", Hex.encode(md5)) }
        if let tokens = file.tokens { field("download_tokens", tokens) }
        endObject()
    }
}
