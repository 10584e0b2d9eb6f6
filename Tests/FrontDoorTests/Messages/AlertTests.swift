// SPDX-License-Identifier: Apache-2.0

import Alerts
import CrashStore
import EventStore
import Events
import MessageStore
import Messaging
import Platform
import AcrossStores
import TestSupport
import Testing

@testable import ingestd

/// Alerts to operators on the reserved topics.
@Suite struct AlertTests {
    @Test func `a quarantine spike is reported once, and again when it recurs`() async throws {
        let clock = ManualClock(Day(year: 2026, month: 11, day: 21).start + .hours(12))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            let listener = try await AlertListener(live.api, keys, to: "$alerts.ingest")
            var alerts = live.daemon.makeAlerting()
            try await alerts.publishChanges()
            let wrong = "[" + [String](repeating: #"{"name": "1 bad name"}"#, count: 60).joined(separator: ",") + "]"
            let right = "[" + [String](repeating: #"{"name": "fine"}"#, count: 900).joined(separator: ",") + "]"
            for round in 1...2 {
                #expect(try await live.api.post("/v1/events", key: keys.ingest, wrong).status == 200)
                clock.advance(by: .minutes(1))
                try await alerts.publishChanges()
                try await alerts.publishChanges()
                let heard = try await listener.heard(round)
                #expect(heard.count == round && heard[round - 1]["text"].text.contains("are quarantined"))
                #expect(
                    heard[round - 1]["data"]["topic"].text == "$alerts.ingest" && heard[round - 1]["data"]["data"]["cause"].text == "quarantine_spike"
                )
                for _ in 1...11 {
                    clock.advance(by: .minutes(1))
                    try await alerts.publishChanges()
                }
                #expect(try await live.daemon.store.messages.standingAlerts().isEmpty)
            }
            #expect(try await live.api.post("/v1/events", key: keys.ingest, right).status == 200)
        }
    }

    @Test func `a drop against the same hour of previous days is reported`() async throws {
        let noon = Day(year: 2026, month: 11, day: 21).start + .hours(12)
        let clock = ManualClock(noon - .days(3))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            let listener = try await AlertListener(live.api, keys, to: "$alerts.ingest")
            let many = "[" + [String](repeating: #"{"name": "fine"}"#, count: 150).joined(separator: ",") + "]"
            for _ in 1...3 {
                #expect(try await live.api.post("/v1/events", key: keys.ingest, many).status == 200)
                clock.advance(by: .days(1))
            }
            clock.advance(by: .hours(1))
            var alerts = live.daemon.makeAlerting()
            try await alerts.publishChanges()
            #expect(try await listener.heard(1)[0]["data"]["data"]["cause"].text == "volume_drop")
        }
    }

    @Test func `a nearly full disk is reported, and the alert ends when it is not`() async throws {
        try await withDaemon(configure: { $0.storage.minFreeDisk = 0 }) { live in
            let keys = try await live.api.makeApp()
            let listener = try await AlertListener(live.api, keys, to: "$alerts.system")
            var alerts = live.daemon.makeAlerting()
            try await alerts.publishChanges()
            #expect(try await live.daemon.store.messages.standingAlerts().isEmpty)
            var full = live.daemon.settings
            full.storage.minFreeDisk = 1 << 60
            live.daemon.configuration.replace(full)
            try await alerts.publishChanges()
            #expect(try await listener.heard(1)[0]["text"].text.contains("disk are free"))
            full.storage.minFreeDisk = 0
            live.daemon.configuration.replace(full)
            try await alerts.publishChanges()
            #expect(try await live.daemon.store.messages.standingAlerts().isEmpty)
        }
    }

    @Test func `rejections and failed commits are reported once until there are none for ten minutes`() async throws {
        let clock = ManualClock(Day(year: 2026, month: 11, day: 21).start + .hours(12))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            let listener = try await AlertListener(live.api, keys, to: "$alerts.system")
            let messages = live.daemon.store.messages
            var alerts = live.daemon.makeAlerting()
            for _ in 1...3 {
                live.daemon.store.events.gauges.rejected.add()
                messages.gauges.failedCommits.add()
                live.daemon.store.crashes.gauges.failedCommits.add()
                for _ in 1...5 {
                    try await alerts.publishChanges()
                    clock.advance(by: .minutes(1))
                }
            }
            let heard = try await listener.heard(3)
            #expect(heard.count == 3 && Set(heard.map(\.["data"]["data"]["cause"].text)) == ["queue", "messages", "crashes"])
            // After a restart the alert stays active as long again.
            alerts = live.daemon.makeAlerting()
            try await alerts.publishChanges()
            #expect(try await messages.standingAlerts().count == 3)
            clock.advance(by: .minutes(10))
            try await alerts.publishChanges()
            #expect(try await messages.standingAlerts().isEmpty)
        }
    }

    @Test func `a disabled registration is reported once, without its token`() async throws {
        let clock = ManualClock(Day(year: 2026, month: 11, day: 21).start + .hours(12))
        try await withDaemon(clock: clock.clock, sends: false) { live in
            let keys = try await live.api.makeApp()
            let listener = try await AlertListener(live.api, keys, to: "$alerts.delivery")
            let hook = #"{"token": "failing-token", "platform": "server", "endpoint": {"type": "webhook", "url": "https://example.com/hook"}}"#
            #expect(try await live.api.post("/v1/devices", key: keys.send, hook).status == 201)
            var alerts = live.daemon.makeAlerting()
            for _ in 1...2 {
                try await Self.fail(live, clock, keys)
                clock.advance(by: .days(6))
            }
            for _ in 1...2 { try await alerts.publishChanges() }
            let heard = try await listener.heard(1)
            #expect(heard.count == 1 && heard[0]["text"].text.contains("https://example.com:443"))
            #expect(heard[0]["data"]["data"]["cause"].text == "disabled" && !heard[0]["text"].text.contains("failing-token"))
            // Renewing it ends the alert.
            #expect(try await live.api.post("/v1/devices", key: keys.send, hook).status == 200)
            try await alerts.publishChanges()
            #expect(try await live.daemon.store.messages.standingAlerts().isEmpty)
        }
    }

    /// Publishes a message to the webhook and lets its delivery fail.
    private static func fail(_ live: LiveDaemon, _ clock: ManualClock, _ keys: AppKeys) async throws {
        let messages = live.daemon.store.messages
        #expect(try await live.api.post("/v1/messages", key: keys.send, #"{"token": "failing-token", "data": {"a": "b"}}"#).status == 200)
        let now = clock.now
        var claimed: [ClaimedDelivery] = []
        let end = ContinuousClock.now + .seconds(20)
        while claimed.isEmpty, ContinuousClock.now < end {
            let wishes = ClaimRequest(limit: 10, limitPerOrigin: 10, leaseEnds: now + .minutes(1), now: now)
            claimed = try await messages.claim(wishes).deliveries
        }
        #expect(claimed.count == 1)
        try await messages.settle(claimed.map { DeliveryOutcome($0, .dead, nil) })
    }

    @Test func `clients cannot publish to a reserved topic`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let reply = try await live.api.post("/v1/messages", key: keys.admin, #"{"topic": "$alerts.system", "data": {"a": "b"}}"#)
            #expect(reply.status == 403)
        }
    }
}
