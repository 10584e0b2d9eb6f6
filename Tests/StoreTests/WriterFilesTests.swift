// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct WriterFilesTests {
    private struct Interruption: Error {}

    /// A main file, a day's file, and transactions over both.
    private struct Pair {
        let main: MainDB
        let day: DayFile
        let files: WriterFiles

        init(in folder: TemporaryFolder, checkpointPages: Int = 4_000) throws {
            let paths = StorePaths(root: folder.path)
            let number = Day(year: 2026, month: 11, day: 21)
            try Folder.make(paths.events)
            main = try MainDB.open(in: paths)
            day = try DayFile(number, at: paths.file(of: number))
            let metrics = Metrics()
            files = WriterFiles(
                day.db.connection, joining: main.connection, checkpointPages: checkpointPages, FailStop { fatalError($0) },
                failedCommits: metrics.counter("failed_total", "Failed."), walBytes: metrics.gauge("wal_bytes", "Log."),
                operation: "could not commit",
                TroubleLog(Log(), clock: .system))
        }

        /// Writes a row to each file.
        func note(_ number: Int64) throws {
            try main.statement("INSERT INTO meta (key, value) VALUES (?, 0)").run(.text("note \(number)"))
            try day.db.statement("INSERT INTO words (app, kind, key, text) VALUES (1, 1, ?, 'a')").run(.integer(number))
        }
    }

    @Test func `a failed change leaves nothing in either file, and others are committed`() throws {
        struct Broken: Error {}
        let folder = TemporaryFolder()
        let pair = try Pair(in: folder)
        let failures = try pair.files.commit {
            let first = try pair.files.attempt { try pair.note(1) }
            let second = try pair.files.attempt {
                try pair.note(2)
                throw Broken()
            }
            return [first, second, try pair.files.attempt { try pair.note(3) }]
        }
        #expect(failures.map { $0 is Broken } == [false, true, false])
        let main = try MainDB.open(reading: pair.main.connection.path).statement("SELECT key FROM meta WHERE key LIKE 'note %' ORDER BY key")
        #expect(try main.all { $0.text(0) } == ["note 1", "note 3"])
        let day = try DayDB.open(reading: pair.day.db.connection.path).statement("SELECT key FROM words ORDER BY key")
        #expect(try day.all { $0.int(0) } == [1, 3])
    }

    @Test func `a log that begins anew is copied when it is full again`() {
        var schedule = CheckpointSchedule(every: 300)
        #expect(
            [10, 299, 300, 301, 599, 600, 899, 5, 299, 300, 301].map { schedule.takeDue($0) } == [
                false, false, true, false, false, true, false, false, false, true, false,
            ])
    }

    @Test func `a failed transaction leaves nothing in either file`() throws {
        struct Broken: Error {}
        let folder = TemporaryFolder()
        let pair = try Pair(in: folder)
        #expect(throws: Broken.self) {
            try pair.files.commit {
                _ = try pair.files.attempt { try pair.note(1) }
                throw Broken()
            }
        }
        #expect(try pair.main.statement("SELECT count(*) FROM meta WHERE key LIKE 'note %'").first { $0.int(0) } == 0)
        #expect(try pair.day.db.statement("SELECT count(*) FROM words").first { $0.int(0) } == 0)
    }

    @Test func `IDs of a rolled back transaction are not marked as logged`() throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        let paths = StorePaths(root: folder.path)
        let day = try Pair(in: folder).day
        let commit = DayCommit(
            seen: try DedupeHistory(paths, today: day.day, idsSince: day.day, EventStoreOptions()),
            quarantine: try QuarantineLedger(day, limits: .init()), withdrawing: Withdrawing(try Withdrawals(paths), KeyedHash(seed: 1)))
        var builder = SubmissionBuilder(store: try Stores(other.path) { fatalError($0) }, received: day.day.start)
        builder.add("a", id: "1")
        for (end, logged) in [("ROLLBACK", 0), ("COMMIT", 1)] as [(String, Int64)] {
            try day.db.connection.begin()
            #expect(try commit.add(builder.submission(), nil, nameLimit: 10, to: day).accepted == 1)
            _ = try commit.write(to: day, after: 0)
            try day.db.connection.execute(end)
            if end == "COMMIT" {
                commit.committed()
            } else {
                try commit.undo(in: day)
                try day.forget()
            }
            #expect(commit.seen.lastLogged == logged)
        }
    }

    @Test func `a full disk fails all changes with its own error where SQLite has rolled back the transaction`() throws {
        let folder = TemporaryFolder()
        let pair = try Pair(in: folder)
        // A file that must not grow has the error of a full disk within a statement, as has one whose cache is too small for the transaction.
        let pages = try #require(try pair.main.statement("PRAGMA page_count").first { $0.integer(0) })
        try pair.main.execute("PRAGMA max_page_count = \(pages)")
        let error = #expect(throws: SQLiteError.self) {
            try pair.files.commit {
                _ = try pair.files.attempt { try pair.note(1) }
                _ = try pair.files.attempt {
                    let key = String(repeating: "k", count: 100_000)
                    try pair.main.statement("INSERT INTO meta (key, value) VALUES (?, 0)").run(.text(key))
                }
            }
        }
        #expect(error.map { Refusal.isFullDisk($0) } == true, "\(String(describing: error))")
        #expect(try pair.day.db.statement("SELECT count(*) FROM words").first { $0.int(0) } == 0)
    }

    @Test func `WALs are emptied when the last reader ends`() throws {
        let folder = TemporaryFolder()
        let pair = try Pair(in: folder)
        let reader = try Connection(pair.main.connection.path, .read)
        try reader.execute("BEGIN; SELECT count(*) FROM meta")
        try pair.files.commit { _ = try pair.files.attempt { try pair.note(1) } }
        func logBytes() -> Int64 { Folder.size(of: pair.main.connection.path + "-wal") }
        pair.files.emptyLogs()
        #expect(pair.files.checkpoint() == nil)
        #expect(logBytes() > 0)
        try reader.execute("COMMIT")
        #expect(pair.files.checkpoint() == nil)
        #expect(logBytes() == 0)
    }

    @Test func `changes that are not synced at once are in the file after the next commit`() throws {
        let folder = TemporaryFolder()
        let file = try NoteDB.open(writing: folder.path + "/notes.db")
        let files = Self.files(of: file, checkpointPages: 20)
        var logs: [Int] = []
        for number in 0..<2_000 {
            let isSynced = number.isMultiple(of: 3)
            try files.commit(isSynced: isSynced) {
                #expect(try file.statement("PRAGMA synchronous").first { $0.integer(0) } == (isSynced ? 2 : 1))
                _ = try files.attempt { _ = try file.add("\(number) " + String(repeating: "words ", count: 300), by: 1, app: AppID(rawValue: 1)) }
            }
            let failed: Void? = try? files.commit(isSynced: false) {
                try file.execute("DELETE FROM notes")
                throw Interruption()
            }
            #expect(failed == nil && files.checkpoint() == nil)
            logs.append(file.connection.walPages)
        }
        #expect(zip(logs, logs.dropFirst()).contains { $0 > $1 }, "the log never began anew")
        files.close()
        #expect(Folder.size(of: file.connection.path + "-wal") == 0)
        let reader = try NoteDB.open(reading: file.connection.path)
        #expect(try reader.statement("SELECT count(*) FROM notes").first { $0.integer(0) } == 2_000)
    }

    /// A store whose log the full disk has no room for, as an import of accounts leaves it.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root to mount a small disk"))
    func `a log that is longer than the spare space is left as it is on a full disk, so removals keep that space`() throws {
        let disk = try #require(SmallDisk(bytes: 20 << 20))
        let paths = StorePaths(root: disk.folder.path)
        let spare = SpareSpace(paths)
        spare.allocate()
        let file = try NoteDB.open(writing: paths.root + "/notes.db")
        let files = Self.files(of: file, checkpointPages: 4_000, spare)
        let text = String(repeating: "x", count: 6_000)
        try files.commit { for _ in 0..<700 { _ = try file.add(text, by: 1, app: AppID(rawValue: 1)) } }
        #expect(file.connection.walPages * databasePageBytes > SpareSpace.bytes && Folder.exists(paths.spareSpace))
        try disk.fill()

        // The first attempt finds no room, and releases the space.
        files.emptyLogs()
        for attempt in 1...3 {
            let failure = files.checkpoint()
            #expect(failure.map { Refusal.isFullDisk($0) } == true, "\(attempt): \(String(describing: failure))")
            #expect(try spare.isInUse && Folder.freeBytes(at: paths.root) >= SpareSpace.bytes, "after attempt \(attempt)")
        }
        try files.commit { try file.execute("DELETE FROM notes WHERE id <= 10") }

        // The log is emptied once the disk has room for all of its pages, also before it has room for the spare file.
        try disk.giveBack()
        #expect(spare.isInUse)
        #expect(files.checkpoint() == nil && !files.mustEmptyLogs)
        #expect(Folder.size(of: file.connection.path + "-wal") == 0)
        #expect(try file.statement("SELECT count(*) FROM notes").first { $0.integer(0) } == 690)
    }

    private static func files(of file: NoteDB, checkpointPages: Int, _ spare: SpareSpace? = nil) -> WriterFiles {
        let metrics = Metrics()
        return WriterFiles(
            file.connection, checkpointPages: checkpointPages, FailStop { fatalError($0) },
            failedCommits: metrics.counter("failed_total", "Failed."), walBytes: metrics.gauge("wal_bytes", "Log."),
            operation: "could not commit", TroubleLog(Log(), clock: .system), spare)
    }
}
