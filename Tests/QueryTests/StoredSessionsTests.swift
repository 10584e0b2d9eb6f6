// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
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

/// Stored parts give the same sessions as the events they were cut from.
///
/// A filter that all events pass makes a query read the events, so both ways can be compared in every state of a folder. That they give the
/// right sessions is the matter of `DifferentialTests`.
@Suite struct StoredSessionsTests {
    private static let era = Era.all[0]
    private static let logs = (0..<Log.apps).map { LogMaker.log(3_000_000 + $0, era) }

    /// Those that are asked about. `SIGNALBOX_QUERY_LOGS` asks about all.
    private static let asked = RandomRuns.logs == nil ? logs.enumerated().filter { $0.offset.isMultiple(of: 3) }.map(\.element) : logs

    /// A folder with all logs, and the time after them.
    private static let full = Task {
        let (folder, clock) = (TemporaryFolder(), Self.clock())
        try await withStore(in: folder, options: options, clock: clock.clock) { try await feed(Self.logs, to: $0, clock) }
        return (folder: try KeptFolder(folder), end: clock.now)
    }

    /// Returns a folder with all logs, and sets the clock to the time after them.
    private static func filled(_ clock: ManualClock) async throws -> TemporaryFolder {
        let full = try await Self.full.value
        clock.set(full.end)
        return try full.folder.copy()
    }

    private static func open<T: Sendable>(_ folder: TemporaryFolder, _ clock: ManualClock, _ body: @Sendable (Stores) async throws -> T) async throws
        -> T
    {
        try await withStore(in: folder, options: options, clock: clock.clock, body)
    }

    private static func clock() -> ManualClock { ManualClock(era.day.start + .hours(12)) }
    /// A clock on the day of the logs' last events, whose file is still open.
    private static func lastDay() -> ManualClock { ManualClock(era.day.start + .days(Int64(Log.days - 1)) + .hours(13)) }

    /// Expects that stored parts answer, and give the same as the events.
    private static func expectSame(_ store: Stores, areStored: Bool = true) async throws {
        for log in asked {
            for interval in ["hour", "day"] {
                let parameters = [
                    ("from", (era.day.start - .days(3)).rfc3339), ("to", (era.day.start + .days(7)).rfc3339), ("tz", "UTC"), ("interval", interval),
                ]
                func answer(_ more: [(String, String)]) async throws -> [UInt8] {
                    let parameters = (parameters + more).map { (name: $0.0, value: $0.1) }
                    let query = try Question(name: .sessions, parameters: parameters, cohorts: [:]).query(now: log.now)
                    return try await Answer(of: store, to: query, app: log.app).body
                }
                let (stored, read) = try await (answer([]), answer([("filter", "params.never!=x")]))
                #expect(String(decoding: stored, as: UTF8.self) == String(decoding: read, as: UTF8.self), "app \(log.app), \(interval)")
            }
        }
        for log in logs { #expect(try await isStored(store, log.app) == areStored) }
    }

    private static func isStored(_ store: Stores, _ app: AppID) async throws -> Bool {
        let (analytics, open) = (store.analytics, store.events.sessions.now)
        return try await store.readers.read { session in
            let scan = SessionScan(TimeBuckets(edges: [era.day.start - .days(3), era.day.start + .days(7)]), timeout: .minutes(30))
            return try analytics.context(session, app).storedSessions(scan, open) != nil
        }
    }

    private static func chunks(_ store: Stores, _ app: AppID? = nil) throws -> Int {
        let condition = app.map { "WHERE app = \($0.rawValue)" } ?? ""
        return try store.paths.days().reduce(0) { sum, day in
            let file = try DayDB.open(reading: store.paths.file(of: day))
            return try sum + (file.statement("SELECT count(*) FROM session_chunks \(condition)").first { $0.int(0) } ?? 0)
        }
    }

    /// Leaves the newest file as a kill before the first storing would.
    private static func loseStored(in folder: TemporaryFolder) throws {
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/events").filter { $0.hasSuffix(".db") }.max())
        let file = try Connection(folder.path + "/events/" + name, .write)
        try file.execute("DELETE FROM session_chunks; UPDATE sessions_through SET seq = 0")
    }

    @Test func `a start cuts what was in memory, today and after the day ended`() async throws {
        let folder = try await Self.filled(Self.clock())
        let clock = Self.lastDay()
        for _ in 0..<2 {
            try await Self.open(folder, clock) { store in
                #expect(try Self.chunks(store) > 0)
                try await Self.expectSame(store)
            }
            try Self.loseStored(in: folder)
        }
        clock.advance(by: .days(1))
        try await Self.open(folder, clock) { store in
            try await Self.expectSame(store, areStored: false)
            try await store.events.finishDays()
            try await Self.expectSame(store)
            for day in try store.events.sealedDays.days() { #expect(try DayDB.open(reading: store.paths.file(of: day)).hasAllSessions()) }
        }
    }

    @Test func `files of version 0_1 are cut once they are sealed`() async throws {
        let clock = Self.clock()
        let folder = try await Self.filled(clock)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/events") where name.hasSuffix(".db") {
            let file = try Connection(folder.path + "/events/" + name, .write)
            try file.execute(
                """
                DROP TABLE session_chunks; DROP TABLE sessions_through; DROP TABLE aliases; DROP INDEX purchases_by_transaction;
                DROP TABLE withdrawn; DROP TABLE transactions_by_app; PRAGMA user_version = 1
                """)
        }
        try await Self.open(folder, clock) { store in
            try await Self.expectSame(store, areStored: false)
            try await store.events.finishDays()
            try await Self.expectSame(store)
            let chunks = try Self.chunks(store)
            try await store.events.finishDays()
            #expect(try Self.chunks(store) == chunks)
        }
    }

    @Test func `an interrupted cut of a sealed day goes on where it was`() async throws {
        let clock = Self.clock()
        let folder = try await Self.filled(clock)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/events") where name.hasSuffix(".db") {
            try Connection(folder.path + "/events/" + name, .write).execute("DELETE FROM session_chunks; DELETE FROM sessions_through")
        }
        for round in 0..<3 {
            try await Self.open(folder, clock) { store in
                let timeouts = SessionTimeouts(store.events.directory.now)
                for day in try store.events.sealedDays.days() {
                    _ = try await store.events.sealedDays.write(to: day) { try $0.cutMoreSessions(atMost: 2, timeouts) }
                    #expect(try DayDB.open(reading: store.paths.file(of: day)).sessionsThrough() ?? 0 > 0)
                }
                try await Self.expectSame(store, areStored: false)
                if round < 2 { return }
                try await store.events.finishDays()
                try await Self.expectSame(store)
            }
        }
    }

    @Test func `a backup made while parts are in memory is cut when its days are sealed`() async throws {
        let (folder, backups, restored, clock) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder(), Self.clock())
        try await Self.open(folder, clock) { store in
            try await feed(Self.logs, to: store, clock)
            clock.set(Self.lastDay().now)
            // The last commit may have stored all parts; another event leaves one in memory.
            if store.events.sessions.count == 0 {
                var builder = SubmissionBuilder(app: Self.logs[0].app, store: store, received: clock.now)
                builder.add("one more", id: "one more", user: "one more")
                _ = try await store.events.submit(builder.submission())
            }
            #expect(store.events.sessions.count > 0)
            _ = try await store.backUp(to: backups.path + "/backup")
        }
        _ = try Backup.restore(backups.path + "/backup", into: restored.path)
        clock.set(Self.lastDay().now)
        try await Self.open(restored, clock) { try await Self.expectSame($0) }
        clock.advance(by: .days(1))
        try await Self.open(restored, clock) { store in
            try await store.events.finishDays()
            try await Self.expectSame(store)
        }
    }

    @Test func `data retention removes the parts of an app with its rows`() async throws {
        let folder = try await Self.filled(Self.clock())
        try await Self.open(folder, Self.lastDay()) { store in
            let (day, app) = (try #require(try store.events.sealedDays.days().first), Self.logs[0].app)
            let (all, others) = (try Self.chunks(store), try Self.chunks(store) - Self.chunks(store, app))
            _ = try await store.events.removeRows(of: app, from: day)
            #expect(try Self.chunks(store) < all && Self.chunks(store) - Self.chunks(store, app) == others)
            try await Self.expectSame(store)
        }
    }

    @Test(arguments: [true, false])
    func `erased and anonymised persons leave the sessions of others`(isErasure: Bool) async throws {
        let folder = try await Self.filled(Self.clock())
        let clock = Self.lastDay()
        try await Self.open(folder, clock) { store in
            // The other apps keep people of the same names.
            for log in Self.logs.prefix(4) {
                for person in [PersonID(.user, "ann"), PersonID(.installation, "i1")] {
                    _ = isErasure ? try await store.erase(person, of: log.app) : try await store.anonymise(person, of: log.app)
                }
            }
            try await Self.expectSame(store)
            try await Self.expectNoTrace(of: [PersonID(.user, "ann"), PersonID(.installation, "i1")], among: Self.logs.prefix(4), in: store)
        }
        try await Self.open(folder, clock) { try await Self.expectSame($0) }
    }

    private static func expectNoTrace(of persons: [PersonID], among logs: ArraySlice<Log>, in store: Stores) async throws {
        for log in logs {
            let keys = persons.map { $0.key(in: log.app, store.events.hash) }
            let days = try store.paths.days()
            for day in days {
                let file = try DayDB.open(reading: store.paths.file(of: day))
                let around = Day(number: day.number - 400)...Day(number: day.number + 400)
                var parts: [SessionPart] = []
                try file.eachPart(of: file.chunks(app: log.app, days: around), .min...(.max)) { parts.append($0) }
                store.events.sessions.now.eachPart(of: log.app, around, .min...(.max)) { parts.append($0) }
                #expect(!parts.contains { keys.contains($0.subject) || keys.contains($0.user) })
            }
        }
    }

    @Test func `a deleted app leaves no parts`() async throws {
        let folder = try await Self.filled(Self.clock())
        let (clock, app) = (Self.lastDay(), Self.logs[0].app)
        try await Self.open(folder, clock) { store in
            #expect(try Self.chunks(store, app) > 0)
            try await store.deleteApp(app)
            _ = try await store.retain()
            #expect(try Self.chunks(store, app) == 0)
            #expect(try Self.chunks(store) > 0)
            #expect(!store.events.sessions.now.fold.entries.contains { $0.app == app.rawValue })
        }
    }

    @Test func `ranges cover every subject once`() {
        for count in [1, 2, 3, 7] {
            let ranges = StoredSessions.ranges(count)
            #expect(ranges.first?.lowerBound == .min && ranges.last?.upperBound == .max)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 == $1.lowerBound })
        }
    }
}
