// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore
@testable import ingestd

/// Expiry and waiting with a clock that is wrong and then corrected, while a daemon runs or between two runs.
@Suite struct ClockExpiryTests {
    private static let truth = Timestamp(milliseconds: 1_796_000_000_000)
    private static let unset = Timestamp(milliseconds: 3_600_000)
    private static let future = Day(year: 2100, month: 1, day: 1).start

    /// Runs one step while the clock is wrong and another after it is corrected.
    private static func set<T: Sendable>(
        from wrong: Timestamp, restarts: Bool, _ before: @escaping @Sendable (LiveDaemon, AppKeys) async throws -> T,
        after: @escaping @Sendable (LiveDaemon, AppKeys, T, ManualClock) async throws -> Void
    ) async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(wrong))
        let (keys, found) = try await withDaemon(in: folder, clock: clock.clock, sends: false) { live in
            let keys = try await live.api.makeApp()
            let found = try await before(live, keys)
            clock.set(truth)
            if !restarts { try await after(live, keys, found, clock) }
            return (keys, found)
        }
        guard restarts else { return }
        try await withDaemon(in: folder, clock: clock.clock, sends: false) { try await after($0, keys, found, clock) }
    }

    // MARK: An unset clock

    @Test(arguments: [false, true])
    func `devices, messages and idempotency keys from before the clock was set age from then on`(restarts: Bool) async throws {
        try await Self.set(from: Self.unset, restarts: restarts) { live, keys async throws in
            let token = try await MessagingWorld.stream(live.api, keys)
            return (token, try await Self.publish(live.api, keys, token))
        } after: { live, keys, sent, clock async throws in
            let (token, message) = sent
            let messages = live.daemon.store.messages
            while try await messages.change({ try $0.sweep() }) {}
            #expect(try await live.api.get("/v1/devices/\(token)", key: keys.send).text.contains(#""stale":false"#))
            #expect(try await Self.publish(live.api, keys, token) == message)
            let isRead = try await eventually {
                let lines = try await live.api.get("/v1/stream?token=\(token)&poll=1", key: keys.send).text.split(separator: "\n")
                return lines.count == 1 && lines[0].contains(message)
            }
            #expect(isRead)
            // The device and the message age as usual.
            clock.advance(by: .days(271))
            while try await messages.change({ try $0.sweep() }) {}
            #expect(try await live.api.get("/v1/devices/\(token)", key: keys.send).status == 404)
            #expect(try await live.api.get("/v1/messages/\(message)", key: keys.send).status == 404)
        }
    }

    /// Sends the same request each time.
    private static func publish(_ api: TestClient, _ keys: AppKeys, _ token: String) async throws -> String {
        let body = #"{"token": "\#(token)", "data": {"a": "b"}, "ttl": "3600s"}"#
        let answer = try await api.post("/v1/messages", key: keys.send, headers: ["Idempotency-Key": "once"], body)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON(answer)["id"].text
    }

    @Test(arguments: [false, true])
    func `events and crashes from before the clock was set are retained as long as others`(restarts: Bool) async throws {
        try await Self.set(from: Self.unset, restarts: restarts) { live, keys async throws in
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "early"}]"#)) == Taken(accepted: 1))
            let crash = #"{"crashes": [{"id": "c", "type": "Boom", "frames": [{"function": "f"}]}]}"#
            #expect(try Taken(await live.api.post("/v1/crashes", key: keys.ingest, crash)) == Taken(accepted: 1))
        } after: { live, keys, _, clock async throws in
            let store = live.daemon.store
            for days: Int64 in [0, 1, 88] {
                clock.advance(by: .days(days))
                #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "later"}]"#)) == Taken(accepted: 1))
                #expect(try await store.retain() == Stores.RetentionReport())
            }
            #expect(try await live.api.get("/v1/export", key: keys.read).text.contains("early"))
            clock.advance(by: .days(2))
            let report = try await store.retain()
            #expect(report.removedDays.first == Day(of: Self.unset) && report.removedRows["crashes.db"] == 1)
        }
    }

    // MARK: A clock ahead of time

    @Test(arguments: [false, true])
    func `attempts scheduled for 2100 are due when the clock is corrected`(restarts: Bool) async throws {
        try await Self.set(from: Self.future, restarts: restarts) { live, keys async throws in
            let url = "http://127.0.0.1:9/hook"
            let device = #"{"platform": "server", "endpoint": {"type": "webhook", "url": "\#(url)"}}"#
            let token = try JSON(await live.api.post("/v1/devices", key: keys.send, device))["token"].text
            _ = try await live.api.post("/v1/messages", key: keys.send, #"{"token": "\#(token)", "data": {"a": "b"}}"#)
            let messages = live.daemon.store.messages
            #expect(try await eventually { try await Self.fail(messages, at: Self.future) })
            // An unconfirmed endpoint whose challenge failed.
            let settings = Array(#"{"client_webhooks": true}"#.utf8)
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: settings).status == 200)
            #expect(try await live.api.post("/v1/devices", key: keys.ingest, device).status == 201)
            #expect(try await Self.challenges(messages) == 1)
        } after: { live, _, _, _ async throws in
            let messages = live.daemon.store.messages
            #expect(try await eventually { try await Self.fail(messages, at: Self.truth) })
            #expect(try await eventually { try await Self.challenges(messages) == 1 })
        }
    }

    /// Claims the one due delivery and schedules its next attempt; `false` if none is due.
    private static func fail(_ messages: MessageStore, at now: Timestamp) async throws -> Bool {
        let claimed = try await messages.claim(ClaimRequest(limit: 10, limitPerOrigin: 10, leaseEnds: now + .minutes(2), now: now)).deliveries
        try await messages.settle(claimed.map { DeliveryOutcome($0, .retry(at: now + .minutes(5)), nil) })
        return claimed.count == 1
    }

    private static func challenges(_ messages: MessageStore) async throws -> Int {
        try await messages.claimChallenges(ChallengeRequest(limit: 16, open: [:], after: 0)).challenges.count
    }

    @Test func `a mute until a date ends at that date and survives a clock that is set back`() async throws {
        let clock = ManualClock(Self.truth)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let issue = try await world.take(SentCrash("a"))
            try await world.change(issue, #"{"state": "muted", "until": "+7d"}"#)
            for (time, state) in [(Self.unset, "muted"), (Self.truth + .days(6), "muted"), (Self.future, "open"), (Self.truth, "open")] {
                clock.set(time)
                try await world.take(SentCrash("b\(time.milliseconds)"))
                #expect(try await world.issue(issue)["state"].text == state, "\(time.rfc3339)")
            }
        }
    }

    // MARK: Rates

    @Test(arguments: [truth + .days(1), truth - .days(1), unset, future])
    func `after a clock change a key gets at most one extra burst and recovers within a minute`(moment: Timestamp) async throws {
        let clock = ManualClock(Self.truth)
        try await withDaemon(clock: clock.clock, sends: false) { live in
            let keys = try await live.api.makeApp()
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"events_per_minute": 5}"#.utf8)).status == 200)
            #expect(try await Self.taken(live.api, keys) == 5)
            for time in [moment, Self.truth] {
                clock.set(time)
                #expect(try await Self.taken(live.api, keys) <= 5)
                clock.advance(by: .minutes(1))
                #expect(try await Self.taken(live.api, keys) == 5)
            }
        }
    }

    /// The number of twenty requests that are accepted.
    private static func taken(_ api: TestClient, _ keys: AppKeys) async throws -> Int {
        var count = 0
        for _ in 0..<20 where try await api.post("/v1/events", key: keys.ingest, #"[{"name": "a"}]"#).status == 200 { count += 1 }
        return count
    }
}
