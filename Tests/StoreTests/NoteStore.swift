// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Platform
import SQLite

/// A minimal store: notes about persons, with schema, statements, writer and commands.
///
/// It is the example for "a store" in `docs/adding.md`, and the tests check the duties of every store with it.
final class NoteStore: CompanionStore {
    static let fileName = "notes.db"

    private let engine: WriteEngine<NoteWriter>
    private let readers: ReaderPool
    private let directory: DirectoryCache

    init(_ shared: StoreParts, _ directory: DirectoryCache) throws {
        readers = shared.readers
        self.directory = directory
        let file = try NoteDB.open(writing: "\(shared.paths.root)/\(Self.fileName)")
        engine = WriteEngine(WriteQueue(.changes(1_000), full: .tooManyChanges(to: "notes")), NoteWriter(file, shared))
    }

    func run() async { await engine.run(on: "signalbox.notes") }

    func close() { engine.close() }

    // MARK: Commands

    func add(_ text: String, by person: UInt64, app: AppID) async throws -> Int64 {
        try await engine.change { (file: NoteDB) in try file.add(text, by: person, app: app) }
    }

    func notes(app: AppID) async throws -> [String] {
        try await read { try $0.notes(app: app) }
    }

    private func read<T: Sendable>(_ query: @escaping @Sendable (NoteDB) throws -> T) async throws -> T {
        try await readers.read { session in try session.withSnapshot("\(session.paths.root)/\(Self.fileName)", query) }
    }

    // MARK: Steps across stores

    func forgetDeletedApps() async throws {
        let known = Set(directory.now.apps.keys.map(\.rawValue))
        try await engine.change { (file: NoteDB) in
            for app in try file.apps(in: ["notes"]).subtracting(known) { try file.remove(app: app) }
        }
    }

    func survey(_ removal: PersonRemoval) async throws -> RemovalCounts {
        try await read { try $0.survey(removal) }
    }

    func remove(_ removal: PersonRemoval) async throws -> RemovalCounts {
        try await engine.change { (file: NoteDB) in
            let counts = try file.survey(removal)
            try file.remove(removal)
            return counts
        }
    }

    func emptyLog() async throws { try await engine.emptyLogs() }
}

extension RemovalCounts.Kind {
    static let notes = Self("notes")
}

struct NoteDB: TypedDatabase {
    static let schema = Migration(steps: [
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, app INTEGER NOT NULL, person INTEGER NOT NULL, text TEXT NOT NULL) STRICT",
        "CREATE INDEX notes_by_person ON notes (app, person)",
    ])

    let connection: Connection
}

extension NoteDB {
    func add(_ text: String, by person: UInt64, app: AppID) throws -> Int64 {
        try statement("INSERT INTO notes (app, person, text) VALUES (?, ?, ?)").run(.integer(app.rawValue), .key(person), .text(text))
        return lastInsertedRow
    }

    func notes(app: AppID) throws -> [String] {
        try statement("SELECT text FROM notes WHERE app = ? ORDER BY id").all(.integer(app.rawValue)) { $0.text(0) }
    }

    func remove(app: Int64) throws { try statement("DELETE FROM notes WHERE app = ?").run(.integer(app)) }

    func survey(_ removal: PersonRemoval) throws -> RemovalCounts {
        let count = try statement("SELECT count(*) FROM notes WHERE app = ? AND person = ?")
        var counts = RemovalCounts()
        for key in removal.keys.all { counts[.notes] += try count.first(.integer(removal.app.rawValue), .key(key)) { $0.int(0) } ?? 0 }
        return counts
    }

    func remove(_ removal: PersonRemoval) throws {
        let delete = try statement("DELETE FROM notes WHERE app = ? AND person = ?")
        for key in removal.keys.all { try delete.run(.integer(removal.app.rawValue), .key(key)) }
    }
}

final class NoteWriter: ChangeWriter {
    private let file: NoteDB
    let files: WriterFiles

    init(_ file: NoteDB, _ shared: StoreParts, _ metrics: Metrics = Metrics()) {
        self.file = file
        files = WriterFiles(
            file.connection, checkpointPages: 1_000, shared.failStop, failedCommits: metrics.counter("notes_commits_failed_total", "Failed commits."),
            walBytes: metrics.gauge("notes_wal_bytes", "Size of the log."), operation: "could not commit notes",
            shared.troubles)
    }

    func commit(_ changes: [Change<NoteDB>]) throws -> (failures: [(any Error)?], notice: Void) {
        (try files.commit { try changes.map { change in try files.attempt { try change.body(file) } } }, ())
    }

    var nextWork: NextWork { .none }
    func work() -> Void? { nil }
    func maintain() { files.checkpoint() }
    func close() { files.close() }
}
