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

/// Data for the main file that is pending when an app is deleted, or arrives later.
@Suite struct DeletedAppTests {
    private static let start = Day(year: 2026, month: 11, day: 1).start + .hours(9)

    private static func people(_ store: Stores) throws -> [String] {
        try Connection(store.paths.main, .read).statement("SELECT id FROM people ORDER BY id").all { $0.text(0) }
    }

    /// Sends an event to an app that is deleted, and one to an app that stays.
    private static func fill(_ store: Stores, at now: Timestamp) async throws {
        for name in ["going", "staying"] {
            let app = try await store.events.createAppWithKeys(named: name).0.id
            var request = SubmissionBuilder(app: app, store: store, received: now)
            request.add("a", id: name, user: "user of \(name)")
            #expect(try await store.events.submit(request.submission()).accepted == 1)
        }
        try await store.deleteApp(AppID(rawValue: 1))
    }

    @Test func `a deleted app's people are not folded at the day switch`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            try await Self.fill(store, at: clock.now)
            clock.advance(by: .days(1))
            try await store.events.turn()
            #expect(try Self.people(store) == ["user of staying"])
        }
    }

    @Test func `a deleted app's people are not folded after a restart`() async throws {
        let (clock, folder) = (ManualClock(Self.start), TemporaryFolder())
        try await withStore(in: folder, clock: clock.clock) { try await Self.fill($0, at: clock.now) }
        clock.advance(by: .days(1))
        try await withStore(in: folder, clock: clock.clock) { store in
            try await store.events.finishDays()
            #expect(try Self.people(store) == ["user of staying"])
        }
    }

    @Test func `late data of a deleted app is removed by the next retention run`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            try await Self.fill(store, at: clock.now)
            for app in [AppID(rawValue: 1), AppID(rawValue: 2)] {
                let update = UserUpdate(
                    index: 0, installation: nil, installationKey: 0, user: "late",
                    userKey: store.events.hash(.user, app: app, Array("late".utf8).span),
                    properties: [], time: clock.now, alias: false)
                try await store.events.submit(
                    UserSubmission(app: app, received: clock.now, body: [], updates: [update], quarantined: [], corrections: []))
            }
            #expect(try Self.people(store) == ["late", "late"])
            _ = try await store.retain()
            #expect(try Self.people(store) == ["late"])
        }
    }

    // MARK: Today's file

    /// Fills all tables with more rows than one change removes.
    private static func fillToday(_ store: Stores, _ app: AppID, as name: String, at now: Timestamp) async throws {
        try await postEvents(store, app, as: name, at: now)
        let raw = Array("9bad of \(name)".utf8)
        let verdict = Verdict(index: 0, id: nil, result: .quarantined, reason: .badName, field: "name", message: "no")
        let refused = QuarantinedEvent(verdict: verdict, raw: ByteRange(offset: 0, count: raw.count), time: nil)
        _ = try await store.events.submit(
            EventSubmission(app: app, received: now, body: raw, arena: [], contexts: [], records: [], quarantined: [refused], corrections: []))
        let keys = [KeyedHash.Domain.user, .installation].map { store.events.hash($0, app: app, Array(name.utf8).span) }
        let alias = UserUpdate(
            index: 0, installation: name, installationKey: keys[1], user: name, userKey: keys[0], properties: [], time: now, alias: true)
        try await store.events.submit(
            UserSubmission(app: app, received: now, body: [], updates: [alias], quarantined: [], corrections: []))
    }

    private static func postEvents(_ store: Stores, _ app: AppID, as name: String, at now: Timestamp) async throws {
        var request = SubmissionBuilder(app: app, store: store, received: now)
        for number in 0..<5_500 {
            let (user, phone) = ("user \(number) of \(name)", "phone \(number) of \(name)")
            // The second of two purchases of a transaction withdraws the first.
            let sale = SubmissionBuilder.Typed.sale(transaction: number < 3 ? name : nil, amount: 1, currency: "EUR")
            request.add(
                number % 2 == 0 ? "purchase" : "screen_view", id: "\(number) \(name)", user: user, installation: phone, session: "s", context: [name],
                typed: number % 2 == 0 ? sale : .screen("screen of \(name)")
            ) { if number == 2 { $0.flags.insert(.trusted) } }
        }
        #expect(try await store.events.submit(request.submission()).accepted == 5_500)
    }

    /// Returns the number of an app's rows by table.
    private static func rows(of app: AppID, _ file: Connection) throws -> [String: Int] {
        let tables = try file.statement(
            "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'app' WHERE m.type = 'table'"
        ).all { $0.text(0) }
        let counts = try tables.map { table in
            (table, try file.statement("SELECT count(*) FROM \(table) WHERE app = \(app.rawValue)").first { $0.int(0) } ?? 0)
        }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    @Test func `retention removes all rows of a deleted app from today's file`() async throws {
        let clock = ManualClock(Self.start)
        var options = StoreOptions()
        // Some people of each app are folded and some are not.
        options.events.foldRows = 8_000
        options.events.sessions.events = 1
        try await withStore(options: options, clock: clock.clock) { store in
            let going = try await store.events.createAppWithKeys(named: "going").0.id
            let staying = try await store.events.createAppWithKeys(named: "staying").0.id
            for (app, name) in [(staying, "staying"), (going, "going"), (going, "going again")] {
                try await Self.fillToday(store, app, as: name, at: clock.now)
            }
            let path = store.paths.file(of: Day(of: clock.now))
            let file = try Connection(path, .read)
            // Sessions are stored after the commit and before the next one.
            try await store.events.change { _ in }
            let before = try Self.rows(of: staying, file)
            #expect(try before.count == 13 && Self.rows(of: going, file).values.allSatisfy { $0 > 0 })
            let last = try await store.events.change { $0.lastSeq }

            try await store.deleteApp(going)
            let report = try await store.retain()
            #expect(report.removedEvents == 11_000 && report.failures.isEmpty)
            #expect(try Self.rows(of: going, file).values.allSatisfy { $0 == 0 })
            #expect(try Self.rows(of: staying, file) == before)
            #expect(try file.statement("SELECT count(*) FROM details").first { $0.int(0) } == 5_500)
            for end in ["", "-wal"] {
                #expect(try Data(contentsOf: URL(fileURLWithPath: path + end)).range(of: Data("of going".utf8)) == nil)
            }

            // Data in flight is removed by the next round, and no number is assigned twice.
            try await Self.postEvents(store, going, as: "late", at: clock.now)
            #expect(try file.statement("SELECT min(seq) FROM events WHERE app = \(going.rawValue)").first { $0.integer(0) } == last + 1)
            _ = try await store.retain()
            #expect(try Self.rows(of: going, file).values.allSatisfy { $0 == 0 })
            #expect(try await store.retain().removedEvents == 0)
        }
    }
}
