import Events
import Platform
import SQLite
import TestSupport
import Testing

@testable import Store

/// What waits for the main file when an app is deleted, or comes there afterwards.
@Suite struct DeletedAppTests {
    private static let start = Day(year: 2026, month: 11, day: 1).start + .hours(9)

    private static func people(_ store: Store) throws -> [String] {
        try Connection(store.paths.main, .read).statement("SELECT id FROM people ORDER BY id").all { $0.text(0) }
    }

    /// Sends an event of a person to an app that is deleted, and to one that stays.
    private static func fill(_ store: Store, at now: Timestamp) async throws {
        for name in ["going", "staying"] {
            let app = try await store.createAppWithKeys(named: name).0.id
            var request = SubmissionBuilder(app: app, store: store, received: now)
            request.add("a", id: name, user: "user of \(name)")
            #expect(try await store.submit(request.submission()).accepted == 1)
        }
        try await store.deleteApp(AppID(rawValue: 1))
    }

    @Test func `nobody of a deleted app is folded into the main file when the day turns`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            try await Self.fill(store, at: clock.now)
            clock.advance(by: .days(1))
            try await store.turn()
            #expect(try Self.people(store) == ["user of staying"])
        }
    }

    @Test func `nobody of a deleted app is folded after a kill`() async throws {
        let (clock, folder) = (ManualClock(Self.start), TemporaryFolder())
        try await withStore(in: folder, clock: clock.clock) { try await Self.fill($0, at: clock.now) }
        clock.advance(by: .days(1))
        try await withStore(in: folder, clock: clock.clock) { store in
            try await store.finishDays()
            #expect(try Self.people(store) == ["user of staying"])
        }
    }

    @Test func `what was on its way to a deleted app goes with the next round of retention`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            try await Self.fill(store, at: clock.now)
            for app in [AppID(rawValue: 1), AppID(rawValue: 2)] {
                let update = UserUpdate(
                    index: 0, installation: nil, installationKey: 0, user: "late", userKey: store.hash(.user, app: app, Array("late".utf8).span),
                    properties: [], time: clock.now, alias: false)
                try await store.submit(
                    UserSubmission(app: app, received: clock.now, body: [], updates: [update], quarantined: [], corrections: []))
            }
            #expect(try Self.people(store) == ["late", "late"])
            _ = try await store.retain()
            #expect(try Self.people(store) == ["late"])
        }
    }
}
