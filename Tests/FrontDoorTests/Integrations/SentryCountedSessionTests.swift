// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Sessions that Sentry's SDKs count on servers.
@Suite struct SentryCountedSessionTests {
    /// A session of an app's SDK.
    private static let session =
        "{}\n{\"type\":\"session\"}\n"
        + #"{"sid":"s1","did":"ann","status":"exited","started":"\#(CrashingWorld.start.rfc3339)","attrs":{"release":"shop@2.0"}}"#

    private static func send(_ envelope: String, _ world: CrashingWorld) async throws -> Reply {
        let headers = ["X-Sentry-Auth": "Sentry sentry_key=\(world.ours.ingest)"]
        return try await world.api.request("POST", "/api/\(world.ours.app)/envelope/", headers: headers, body: Array(envelope.utf8))
    }

    @Test func `sessions that a server counts are part of crash-free, once`() async throws {
        let clock = ManualClock(CrashingWorld.start + .hours(1))
        try await CrashingWorld.use(clock: clock.clock) { world in
            func counts(_ entry: String, release: String = "shop@2.0", header: String = "{}") -> String {
                let attributes = #"{"release":"\#(release)","environment":"live"}"#
                return
                    "\(header)\n{\"type\":\"sessions\"}\n{\"attrs\":\(attributes),\"aggregates\":[{\"started\":\"\(CrashingWorld.start.rfc3339)\",\(entry)}]}"
            }
            func figures(_ filter: String = "") async throws -> [Int] {
                let total = try await world.get("/v1/query/crash-free?from=-1d\(filter)")["total"]
                return ["sessions", "crashed_sessions", "users", "crashed_users", "counted_sessions"].map { total[$0].exists ? total[$0].number : -1 }
            }
            #expect(try await Self.send(Self.session, world).status == 200)
            #expect(try await figures() == [1, 0, 1, 0, -1])
            let header = #"{"sent_at":"\#(clock.now.rfc3339)"}"#
            for _ in 0..<3 { #expect(try await Self.send(counts(#""exited":38,"errored":1,"crashed":1"#, header: header), world).text == "{}") }
            #expect(try await figures() == [41, 1, 1, 0, 40])
            // The report of the crashed session is not a session of its own, and its user is not known as one of many.
            let time = (CrashingWorld.start + .minutes(1)).rfc3339
            let crash =
                "{}\n{\"type\":\"event\"}\n"
                + #"{"exception":[{"type":"E","mechanism":{"type":"x","handled":false}}],"release":"shop@2.0","timestamp":"\#(time)","user":{"id":"bob"}}"#
            #expect(try await Self.send(crash, world).status == 200)
            #expect(try await figures() == [41, 1, 1, 0, 40])
            for _ in 0..<2 { #expect(try await Self.send(counts(#""exited":30"#, release: "shop@3.0"), world).status == 200) }
            let releases = try await world.get("/v1/query/crash-free?from=-1d")["releases"].items
            #expect(releases.map(\.["release"].text) == ["3.0", "2.0"] && releases.map { $0["total"]["sessions"].number } == [60, 41])
            #expect(try await figures("&filter=context.app_version=3.0") == [60, 0, 0, 0, 60])
            #expect(try await figures("&filter=context.environment!=live") == [1, 0, 1, 0, -1])
            #expect(try await figures("&filter=context.platform!=ios") == [1, 0, 1, 0, -1])
            let old = counts(#""exited":7"#).replacing("2026-11-21", with: "2025-01-01")
            #expect(try await Self.send(old, world).status == 200)
            #expect(try await world.api.get("/metrics").text.contains(#"signalbox_sentry_counted_sessions_total{status="too_old"} 7"#))
            #expect(try await figures()[0] == 101)
            // A clock that is days ahead; its sessions are not those of now.
            let ahead = counts(#""exited":9"#).replacing("2026-11-21", with: "2027-01-01")
            #expect(try await Self.send(ahead, world).status == 200)
            #expect(try await world.api.get("/metrics").text.contains(#"signalbox_sentry_counted_sessions_total{status="in_future"} 9"#))
            #expect(try await figures()[0] == 101)
            // The same clock that also stamps its request is corrected.
            let sent = CrashingWorld.start + .days(41) + .hours(1)
            let corrected = counts(#""exited":5"#, header: #"{"sent_at":"\#(sent.rfc3339)"}"#).replacing("2026-11-21", with: "2027-01-01")
            #expect(try await Self.send(corrected, world).status == 200)
            #expect(try await figures()[0] == 106)
        }
    }
}
