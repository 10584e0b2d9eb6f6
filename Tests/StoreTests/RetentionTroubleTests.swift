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

/// Data retention with files that cannot be removed.
@Suite struct RetentionTroubleTests {
    private static let start = Day(year: 2026, month: 8, day: 1).start + .hours(9)
    private static let days = [Day(of: start), Day(of: start + .days(1))]

    /// Fills two days with an event per installation and app.
    private static func fill(_ store: Stores, _ clock: ManualClock, _ apps: [AppID], installations: Int) async throws {
        for day in days {
            for app in apps {
                var request = SubmissionBuilder(app: app, store: store, received: clock.now)
                for number in 0..<installations { request.add("a", id: "\(day.text) \(number)", installation: "phone \(number)") }
                #expect(try await store.events.submit(request.submission()).accepted == installations)
            }
            clock.advance(by: .days(1))
        }
    }

    private static func makeApp(_ store: Stores, keeping days: Int) async throws -> AppID {
        try await store.events.createAppWithKeys(named: "for \(days)", settings: [("retention_days", "\(days)")]).0.id
    }

    @Test func `a failed removal is reported per day and app and blocks no other`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            let stuck = try await Self.makeApp(store, keeping: 3)
            let (short, long) = (try await Self.makeApp(store, keeping: 4), try await Self.makeApp(store, keeping: 90))
            try await Self.fill(store, clock, [stuck, short, long], installations: 5)
            try await store.events.turn()
            try Connection(store.paths.file(of: Self.days[0]), .write).execute("DROP TABLE quarantine_counts")
            let main = try Connection(store.paths.main, .write)
            try main.execute("CREATE TRIGGER no BEFORE INSERT ON history WHEN new.app = \(stuck.rawValue) BEGIN SELECT RAISE(ABORT, 'no'); END")
            clock.advance(by: .days(5))
            let first = try await store.retain()
            #expect(first.removedDays.isEmpty && first.removedEvents == 5)
            clock.advance(by: .days(90))
            let second = try await store.retain()
            #expect(!second.removedDays.contains { Self.days.contains($0) } && second.removedEvents == 5)
            for report in [first, second] {
                #expect(report.failures.map(\.day) == Self.days && report.failures.map(\.app) == [nil, stuck])
            }
            try main.execute("DROP TRIGGER no")
            #expect(try await store.retain().removedDays == [Self.days[1]])
        }
    }

    @Test func `a day's main file is removed last`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            let app = try await Self.makeApp(store, keeping: 3)
            try await Self.fill(store, clock, [app], installations: 5)
            let file = store.paths.file(of: Self.days[0])
            // A folder cannot be removed as a file.
            let stays = store.paths.events + "/\(Self.days[0].text).ids.9-9.run"
            try Folder.make(stays)
            clock.advance(by: .days(5))
            #expect(try await store.retain().removedDays == [Self.days[1]])
            #expect(Folder.exists(file))
            try Folder.removeEmpty(stays)
            #expect(try await store.retain().removedDays == [Self.days[0]])
            #expect(!Folder.exists(file))
        }
    }

    @Test func `days are removed although their people could not be counted in time`() async throws {
        let clock = ManualClock(Self.start)
        var options = StoreOptions()
        options.peopleSeconds = 0
        try await withStore(options: options, clock: clock.clock) { store in
            let app = try await Self.makeApp(store, keeping: 3)
            try await Self.fill(store, clock, [app], installations: 500)
            clock.advance(by: .days(5))
            let report = try await store.retain()
            #expect(report.removedDays == Self.days && report.failures.isEmpty)
            #expect(report.uncounted.map(\.day) == Self.days && report.uncounted.map(\.app) == [app, app])
        }
    }
}
