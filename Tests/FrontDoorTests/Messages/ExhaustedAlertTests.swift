// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Alerts
import MessageStore
import Messaging
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Alerts about deliveries that failed at their last attempt.
@Suite struct ExhaustedAlertTests {
    /// Registers webhooks of some origins and subscribes them to `news`.
    private static func webhooks(_ live: LiveDaemon, _ keys: AppKeys, _ origins: Int) async throws {
        for port in 1...origins {
            let device = #"{"platform": "server", "endpoint": {"type": "webhook", "url": "http://127.0.0.1:\#(port)/hook"}}"#
            let token = try JSON(await live.api.post("/v1/devices", key: keys.send, device))["token"].text
            #expect(try await live.api.request("PUT", "/v1/topics/news/subscribers/\(token)", key: keys.send).status == 204)
        }
    }

    /// Sends a message to all webhooks, and gives up its deliveries.
    private static func giveUp(_ live: LiveDaemon, _ keys: AppKeys, _ now: Timestamp) async throws -> String {
        let id = try JSON(await live.api.post("/v1/messages", key: keys.send, #"{"topic": "news", "data": {"a": "b"}}"#))["id"].text
        _ = try await MessagingWorld.deliveries(live.api, keys, of: id)
        let messages = live.daemon.store.messages
        let claimed = try await messages.claim(ClaimRequest(limit: 100, limitPerOrigin: 100, leaseEnds: now + .minutes(1), now: now)).deliveries
        try await messages.settle(claimed.map { DeliveryOutcome($0, .dead, nil) })
        return id
    }

    @Test func `an origin is named once, and again after an hour without a dead letter`() async throws {
        let clock = ManualClock(Day(year: 2026, month: 11, day: 21).start + .hours(12))
        try await withDaemon(clock: clock.clock, sends: false) { live in
            let (keys, others) = (try await live.api.makeApp(), try await live.api.makeApp("others"))
            let listener = try await AlertListener(live.api, keys, to: "$alerts.delivery")
            try await Self.webhooks(live, keys, 1)
            try await Self.webhooks(live, others, 1)
            var alerts = live.daemon.makeAlerting()
            _ = try await Self.giveUp(live, keys, clock.now)
            for _ in 1...3 {
                clock.advance(by: .minutes(30))
                _ = try await Self.giveUp(live, keys, clock.now)
                try await alerts.publishChanges()
            }
            let first = try await listener.heard(1)
            #expect(first.count == 1)
            let data = first[0]["data"]["data"]
            #expect(data["cause"].text == "exhausted" && data["origin"].text == "http://127.0.0.1:1" && data["deliveries"].text == "2")
            #expect(first[0]["text"].text.contains("2 deliveries to http://127.0.0.1:1"))

            clock.advance(by: .minutes(61))
            try await alerts.publishChanges()
            #expect(try await live.daemon.store.messages.standingAlerts().isEmpty)
            let again = try await Self.giveUp(live, keys, clock.now)
            // A restart of the alerts neither repeats nor loses one.
            var restarted = live.daemon.makeAlerting()
            for _ in 1...2 { try await restarted.publishChanges() }
            #expect(try await listener.heard(2).count == 2)

            // Once the message is sent again, the cause is over.
            #expect(try await live.api.post("/v1/messages/\(again)/redrive", key: keys.send, "").status == 200)
            try await restarted.publishChanges()
            #expect(try await live.daemon.store.messages.standingAlerts().isEmpty)
        }
    }

    @Test func `many origins share one alert`() async throws {
        let clock = ManualClock(Day(year: 2026, month: 11, day: 21).start + .hours(12))
        try await withDaemon(clock: clock.clock, sends: false) { live in
            let keys = try await live.api.makeApp()
            let listener = try await AlertListener(live.api, keys, to: "$alerts.delivery")
            try await Self.webhooks(live, keys, 8)
            for _ in 1...2 { _ = try await Self.giveUp(live, keys, clock.now) }
            var alerts = live.daemon.makeAlerting()
            for _ in 1...3 { try await alerts.publishChanges() }
            let heard = try await listener.heard(6).map { $0["data"]["data"] }
            #expect(heard.count == 6 && heard.allSatisfy { $0["cause"].text == "exhausted" })
            #expect(heard.dropLast().map(\.["origin"].text) == (1...5).map { "http://127.0.0.1:\($0)" })
            #expect(heard[5]["origins"].text == "3" && heard[5]["deliveries"].text == "6")
        }
    }
}
