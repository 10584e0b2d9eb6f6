// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite
import TestSupport
import Testing

@testable import Store

@Suite struct FilePairTests {
    private static func open(in folder: TemporaryFolder) throws -> FilePair {
        let paths = StorePaths(root: folder.path)
        let day = Day(year: 2026, month: 11, day: 21)
        try Folder.make(paths.events)
        return FilePair(main: try MainDB.open(in: paths), day: try DayFile(day, at: paths.file(of: day)))
    }

    /// Writes something to each file.
    private static func note(_ number: Int64, in files: FilePair) throws {
        try files.main.connection.statement("INSERT INTO meta (key, value) VALUES (?, 0)").run(.text("note \(number)"))
        try files.day.db.connection.statement("INSERT INTO words (app, kind, key, text) VALUES (1, 1, ?, 'a')").run(.integer(number))
    }

    @Test func `a change that fails takes nothing with it and leaves nothing in either file`() throws {
        struct Broken: Error {}
        let folder = TemporaryFolder()
        let files = try Self.open(in: folder)
        try files.day.db.connection.begin()
        #expect(try files.attempt { try Self.note(1, in: files) } == nil)
        let error = try files.attempt {
            try Self.note(2, in: files)
            throw Broken()
        }
        #expect(error is Broken)
        #expect(try files.attempt { try Self.note(3, in: files) } == nil)
        try files.commit()
        let main = try Connection(files.main.connection.path, .read).statement("SELECT key FROM meta WHERE key LIKE 'note %' ORDER BY key")
        #expect(try main.all { $0.text(0) } == ["note 1", "note 3"])
        let day = try Connection(files.day.db.connection.path, .read).statement("SELECT key FROM words ORDER BY key")
        #expect(try day.all { $0.int(0) } == [1, 3])
    }

    @Test func `what a failed transaction logged of its ids is no run's to cover`() throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        let paths = StorePaths(root: folder.path)
        let day = try Self.open(in: folder).day
        let commit = DayCommit(
            seen: try SeenHistory(paths, today: day.day, idsSince: day.day, StoreOptions()), quarantine: try QuarantineLedger(day, limits: .init()))
        var builder = SubmissionBuilder(store: try Store(other.path) { fatalError($0) }, received: day.day.start)
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

    @Test func `logs are not empty before the last reader has what it needs`() throws {
        let folder = TemporaryFolder()
        let files = try Self.open(in: folder)
        let reader = try Connection(files.main.connection.path, .read)
        try reader.execute("BEGIN; SELECT count(*) FROM meta")
        try Self.note(1, in: files)
        #expect(try !files.emptyLogs())
        try reader.execute("COMMIT")
        #expect(try files.emptyLogs())
    }
}
