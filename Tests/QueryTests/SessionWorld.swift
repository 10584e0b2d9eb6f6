// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Events
import Platform
import Synchronization
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import Database
@testable import EventStore

/// A store with one app that takes random events.
final class SessionWorld: Sendable {
    private struct Source: Sendable {
        var random: SeededGenerator
        var received = 0

        mutating func pick<T>(_ options: [T]) -> T { options[Int.random(in: options.indices, using: &random)] }

        /// Returns a time near that of receipt, near midnight, or days before.
        mutating func time(_ now: Timestamp, late: Int64) -> Timestamp {
            let midnight = Day(of: now).start
            let base = pick([now, now, midnight, midnight - .days(1)])
            let any = Int64.random(in: 0..<late * Day.milliseconds, using: &random)
            return base - .init(milliseconds: pick([0, 60_000, 1_799_999, 1_800_000, 3_600_000, any]))
        }

        /// Adds an event of few people.
        mutating func add(to builder: inout SubmissionBuilder, _ now: Timestamp, late: Int64) {
            received += 1
            let session: String? = pick([nil, nil, "s", "s\(received / 5)", "t\(received / 40)"])
            let user: String? = pick([nil, nil, "u1", "u2", "i3"])
            let installation: String? = pick([nil, "i1", "i2", "i3", "i4"])
            let version: String? = pick([nil, "1.0", "1.1", "(none)"])
            builder.add(
                pick(["screen_view", "screen_view", "tap", "purchase", "session_crash"]), id: "e\(received)", time: time(now, late: late),
                user: user, installation: installation, session: session, context: ["ios", version])
        }
    }

    let store: Stores
    let clock: ManualClock
    private let source: Mutex<Source>
    static let app = AppID(rawValue: 1)

    init(_ store: Stores, _ clock: ManualClock, seed: UInt64) {
        (self.store, self.clock) = (store, clock)
        source = Mutex(Source(random: SeededGenerator(seed)))
    }

    /// Stores some events.
    func post(_ count: Int, late: Int64 = 3) async throws {
        var builder = SubmissionBuilder(store: store, received: clock.now)
        source.withLock { source in
            for _ in 0..<count { source.add(to: &builder, clock.now, late: late) }
        }
        _ = try await store.events.submit(builder.submission())
    }

    func alias(_ installation: String, _ user: String, at time: Timestamp) async throws {
        func key(_ domain: KeyedHash.Domain, _ text: String) -> UInt64 { store.events.hash(domain, app: SessionWorld.app, Array(text.utf8).span) }
        let update = UserUpdate(
            index: 0, installation: installation, installationKey: key(.installation, installation), user: user, userKey: key(.user, user),
            properties: [], time: time, alias: true)
        try await store.events.submit(
            UserSubmission(app: SessionWorld.app, received: clock.now, body: [], updates: [update], quarantined: [], corrections: []))
    }

    func crash(_ id: String) async throws {
        let report = source.withLock { source in
            let back = Int64.random(in: 0..<Day.milliseconds, using: &source.random)
            let time = Timestamp(milliseconds: clock.now.milliseconds - back)
            var report = CrashReport(id: id, kind: .fatal, level: .fatal, time: time, type: "Crash")
            report.user = source.pick([nil, "u1", "u2"])
            report.installation = source.pick([nil, "i1", "i9"])
            report.session = source.pick([nil, nil, "s"])
            return report
        }
        let group = GroupKey(version: 1, hash: [1], stackHash: [1], reason: "", title: "Crash", culprit: nil)
        _ = try await store.crashes.take([CrashSubmission(index: 0, report: report, group: group, payload: Array("{}".utf8))], app: SessionWorld.app)
    }

    /// Compares all figures of sessions in some ranges. Returns the number of sessions of the largest.
    @discardableResult
    func compare(areKept: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int {
        let now = clock.now
        let ranges: [[(name: String, value: String)]] = [
            [("from", "-9d"), ("interval", "day")], [("from", "-1d"), ("interval", "hour"), ("tz", "Asia/Kathmandu")],
            [("from", (now - .minutes(95)).rfc3339), ("to", (now - .minutes(2)).rfc3339), ("interval", "minute")],
        ]
        var sessions: [Int] = []
        let settings = store.events.directory.now.apps[SessionWorld.app]?.settings ?? AppSettings()
        for range in ranges { sessions.append(try await compare(QueryParameters(range, settings: settings, now: now), sourceLocation)) }
        #expect((store.analytics.memory.sessions.bytes > 0) == areKept, sourceLocation: sourceLocation)
        return sessions[0]
    }

    private func compare(_ parameters: QueryParameters, _ sourceLocation: SourceLocation) async throws -> Int {
        let crashFree = try CrashFreeQuery(parameters)
        let sessions = try SessionsQuery(parameters)
        let added: [(name: String, value: String)] = [("metric", "sessions"), ("breakdown", "context.app_version")]
        let series = try SeriesQuery(QueryParameters(parameters.values + added, settings: parameters.settings, now: parameters.now))
        let (store, app) = (store, SessionWorld.app)
        let read = try await store.readers.read { session in
            let context = store.analytics.context(session, app)
            return (try context.sessions(sessions).body, try context.crashFree(crashFree).body, try context.series(series) { _, _ in [] }.body)
        }
        let kept = try await store.analytics.run(app, mayReadRows: true) { context in
            #expect(try context.crashFree(crashFree).body == read.1, sourceLocation: sourceLocation)
            #expect(try context.series(series) { _, _ in [] }.body == read.2, sourceLocation: sourceLocation)
            return try context.sessions(sessions)
        }
        #expect(kept.body == read.0, sourceLocation: sourceLocation)
        return kept.body.total.sessions
    }
}
