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

@Suite struct MessageMetricsTests {
    private static func lines(_ metrics: Metrics) -> [String] {
        String(decoding: metrics.exposition(), as: UTF8.self).split(separator: "\n").map(String.init)
            .filter {
                ($0.contains("_deliveries") || $0.contains("_messages_published") || $0.contains("_registrations")) && !$0.hasPrefix("#")
                    && !$0.hasSuffix(" 0")
            }
    }

    @Test func `deliveries are counted by outcome, and gauges are restored at the start`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(MessageWorld.start))
        let metrics = Metrics()
        try await MessageWorld.run(in: folder, clock: clock, metrics: metrics) { world in
            for number in 0..<5 {
                try await world.register("token-\(number)-abc", at: "https://a.example/hook")
                try await world.join("news", "token-\(number)-abc")
            }
            try await world.publish(topic: "news")
            await #expect(throws: Refusal.self) { try await world.publish(to: "gone-token") }
            try await world.finish()
            let claimed = try await world.claim(4).deliveries
            for (delivery, verdict) in zip(claimed, [DeliveryVerdict.delivered, .dead, .retry(at: clock.now)]) {
                try await world.settle(delivery, verdict)
            }
            #expect(
                Self.lines(metrics) == [
                    "signalbox_messages_published_total 1", "signalbox_deliveries_made_total 5", #"signalbox_deliveries_total{outcome="dead"} 1"#,
                    #"signalbox_deliveries_total{outcome="delivered"} 1"#, #"signalbox_deliveries_total{outcome="retried"} 1"#,
                    #"signalbox_deliveries_open{state="pending"} 1"#, #"signalbox_deliveries_open{state="retrying"} 1"#,
                    #"signalbox_deliveries_open{state="sending"} 1"#, "signalbox_registrations 5",
                ])
            #expect(world.messages.gauges.walBytes.value > 0)
        }
        let again = Metrics()
        try await MessageWorld.run(in: folder, clock: clock, metrics: again) { world in
            try await world.messages.remove(app: MessageWorld.app, token: "token-0-abc")
            #expect(Self.lines(again).last == "signalbox_registrations 4")
            try await world.expectWhole()
        }
    }
}
