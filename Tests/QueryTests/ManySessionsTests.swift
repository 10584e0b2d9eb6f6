// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import Database
@testable import EventStore

/// Sessions of so many subjects that a query takes them range by range on two threads.
///
/// A filter that all events pass makes a query read the events instead.
@Suite struct ManySessionsTests {
    private static let noon = Day(year: 2026, month: 3, day: 3).start + .hours(12)

    @Test func `parts in several ranges give the same as events`() async throws {
        let clock = ManualClock(Self.noon)
        var options = StoreOptions()
        // Most parts are stored and some are in memory.
        options.events.sessions.parts = 9_000
        options.sessionBytes = 0
        try await withStore(options: options, clock: clock.clock) { store in
            let app = try await store.events.createAppWithKeys(named: "many").0.id
            var random = SeededGenerator(18)
            for batch in 0..<20 { try await Self.submit(batch, of: 2_000, app, store, &random) }
            try await Self.submit(20, of: 10, app, store, &random)
            try await store.events.change { _ in }
            let (analytics, open) = (store.analytics, store.events.sessions.now)
            let ranges = try await store.readers.read { session in
                let scan = SessionScan(TimeBuckets(edges: [Self.noon - .days(1), Self.noon + .days(1)]), timeout: .minutes(30))
                return try analytics.context(session, app).storedSessions(scan, open)?.ranges.count
            }
            #expect(ranges == 2 && !open.fold.entries.isEmpty)
            let questions: [(QueryName, [(String, String)])] = [
                (.sessions, [("interval", "hour")]), (.series, [("interval", "hour"), ("metric", "sessions"), ("breakdown", "context.app_version")]),
            ]
            for (name, parameters) in questions {
                let stored = try await Self.answer(name, parameters, app, store)
                let read = try await Self.answer(name, parameters + [("filter", "params.never!=x")], app, store)
                #expect(stored == read)
            }
        }
    }

    private static func submit(_ batch: Int, of count: Int, _ app: AppID, _ store: Stores, _ random: inout SeededGenerator) async throws {
        var request = SubmissionBuilder(app: app, store: store, received: noon)
        for number in 0..<count {
            let person = Int.random(in: 0..<25_000, using: &random)
            request.add(
                ["screen_view", "tap", "session_crash"][Int.random(in: 0..<3, using: &random)], id: "e-\(batch)-\(number)",
                time: noon - .init(milliseconds: Int64.random(in: 0..<86_400_000, using: &random)), user: person % 3 == 0 ? "u-\(person % 500)" : nil,
                installation: person % 7 == 0 ? nil : "i-\(person)", session: person % 2 == 0 ? "s-\(person)" : nil,
                context: ["ios", "1.\(person % 4)"])
        }
        _ = try await store.events.submit(request.submission())
    }

    private static func answer(_ name: QueryName, _ parameters: [(String, String)], _ app: AppID, _ store: Stores) async throws -> String {
        let range = [("from", (noon - .days(1)).rfc3339), ("to", (noon + .hours(1)).rfc3339), ("tz", "UTC")]
        let query = try Question(name: name, parameters: (range + parameters).map { (name: $0.0, value: $0.1) }, cohorts: [:]).query(now: noon)
        return String(decoding: try await Answer(of: store, to: query, app: app).body, as: UTF8.self)
    }
}
