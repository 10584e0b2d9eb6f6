// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Alerts
import Database
import MessageStore
import Platform
import SQLite
import TestSupport
import Testing

@testable import CrashStore
@testable import ingestd

/// Alerts of floods of new issues: fatal ones one by one, the others within a budget and in summaries.
@Suite struct NewIssueAlertTests {
    private static func alerts(_ world: CrashingWorld) async throws -> [JSON] {
        let messages = try await world.get("/v1/messages?limit=1000")["items"].items.reversed()
        return messages.filter { $0["target"]["topic"].text == "$alerts.crashes" }
    }

    private static func causes(_ world: CrashingWorld) async throws -> [String] { try await alerts(world).map(\.["data"]["cause"].text) }

    /// Sends reports of different new issues and returns the issues.
    @discardableResult
    private static func flood(_ names: [String], _ world: CrashingWorld, fatal: Bool = false) async throws -> [String] {
        var issues: [String] = []
        for name in names { issues.append(try await world.take(SentCrash(in: "\(name).f()").with("handled", json: fatal ? "false" : "true"))) }
        return issues
    }

    private static func names(_ range: Range<Int>) -> [String] { range.map { "Name\($0)x" } }

    @Test func `each new fatal issue is announced, also in a flood of others`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let alerts = world.live.daemon.makeCrashAlerts()
            try await Self.flood(Self.names(0..<30), world)
            try await Self.flood(Self.names(30..<60), world, fatal: true)
            try await world.take(SentCrash(in: "Hang.f()").with("kind", "anr"))
            try await alerts.publishChanges()
            let causes = try await Self.causes(world)
            #expect(causes == Array(repeating: "new_nonfatal", count: 20) + Array(repeating: "new_fatal", count: 30) + ["new_anr"])
        }
    }

    @Test func `what the budget left out is summarized once, with the worst first`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let alerts = world.live.daemon.makeCrashAlerts()
            let issues = try await Self.flood(Self.names(0..<26), world)
            try await alerts.publishChanges()
            for user in ["ann", "ben"] { try await world.take(SentCrash(in: "Name24x.f()").with("handled", json: "true").from(user)) }
            // Muted ones are left out of the summary as well.
            try await world.change(issues[25], #"{"state": "muted"}"#)
            clock.advance(by: .minutes(9))
            try await alerts.publishChanges()
            #expect(try await Self.causes(world).count == 20)
            clock.advance(by: .minutes(1))
            for _ in 1...3 { try await alerts.publishChanges() }
            let all = try await Self.alerts(world)
            #expect(all.count == 21)
            let data = all[20]["data"]
            #expect(["cause", "count", "issue"].map { data[$0].text } == ["many_new", "5", issues[24]])
            let text = all[20]["text"].text
            #expect(text.hasPrefix("5 more new non-fatal issues: PayError at Name24x.f (3 reports, 2 users); "), "\(text)")
            #expect(text.hasSuffix("; …"), "\(text)")
            // The next flood has its own budget and its own summary.
            try await Self.flood(Self.names(30..<51), world)
            try await alerts.publishChanges()
            clock.advance(by: .minutes(11))
            try await alerts.publishChanges()
            let later = try await Self.alerts(world).dropFirst(21)
            #expect(later.map(\.["data"]["cause"].text) == Array(repeating: "new_nonfatal", count: 20) + ["many_new"])
            #expect(later.last?["text"].text.hasPrefix("1 more new non-fatal issue: PayError") == true)
        }
    }

    @Test(arguments: [false, true]) func `a restart neither loses nor repeats a summary`(isKilledBeforeMarking: Bool) async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.restart(clock: clock.clock) { world in
            let alerts = world.live.daemon.makeCrashAlerts()
            try await Self.flood(Self.names(0..<23), world)
            try await alerts.publishChanges()
            clock.advance(by: .minutes(10))
            guard isKilledBeforeMarking else { return }
            try await alerts.publishChanges()
            #expect(try await Self.causes(world).count == 21)
            // The state of the file before the summary was marked.
            try await world.live.daemon.store.crashes.change { context in
                try context.file.execute("UPDATE turns SET told = 2 WHERE id > 20")
            }
        } then: { world in
            let alerts = world.live.daemon.makeCrashAlerts()
            for _ in 1...3 { try await alerts.publishChanges() }
            #expect(try await Self.causes(world) == Array(repeating: "new_nonfatal", count: 20) + ["many_new"])
            #expect(try await Self.alerts(world).last?["data"]["count"].text == "3")
            #expect(try await world.live.daemon.store.messages.standingAlerts().isEmpty)
        }
    }
}
