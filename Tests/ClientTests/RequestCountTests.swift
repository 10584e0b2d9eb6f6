// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// The number and times of requests, and the wake-ups of an idle app.
@Suite struct RequestCountTests {
    @Test func `a thousand events that are queued go in few requests`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp(
            {
                $0.environment.flushInterval = 3_600
                $0.environment.flushAt = .max
            }, of: world)
        try await app.analytics.flush()
        let before = await Self.requests(world)
        for number in 0..<1_000 { app.analytics.logEvent("step", parameters: ["n": .integer(Int64(number))]) }
        try await app.analytics.flush()
        #expect(try await world.steps() == Array(0..<1_000))
        #expect(await Self.requests(world) - before <= 2)
        await app.close()
    }

    @Test func `an app without anything to send makes no requests and is not woken`() async throws {
        let world = try await World.start()
        let output = try ChildProcess.pipe()
        let said = LineReader(output.reading)
        let app = try {
            defer { close(output.writing) }
            // It sends within 50 ms, so an interval that went on without events would wake it twenty times a second.
            return try ProgramUnderTest.loggingApp.start(
                [world.appFolder.path, "buffered", world.address, world.keys.ingest, "0", "5"], output: output.writing)
        }()
        _ = try await said.line { $0 == "4" }
        #expect(try await eventually { try await world.steps().count == 5 })
        // The connection to the daemon is idle from here on.
        let isIdle = try await eventually {
            let before = app.wakeUps
            try await Task.sleep(for: .seconds(1))
            return app.wakeUps - before < 20
        }
        #expect(isIdle)
        let requests = await Self.requests(world)
        let (start, wakeUps) = (ContinuousClock.now, app.wakeUps)
        try await Task.sleep(for: .seconds(4))
        // Foundation on Linux has a timer of its own once a second, while it has a connection. This process may sleep for longer than it asked for.
        let (woken, seconds) = (app.wakeUps - wakeUps, (ContinuousClock.now - start) / .seconds(1))
        #expect(Double(woken) <= 5 * seconds)
        #expect(await Self.requests(world) == requests)
        app.signal(SIGKILL)
        _ = await app.exitCode()
    }

    @Test func `calls that wait for their responses share a thread and do not wake it`() async throws {
        let sink = try WebhookSink { _ in .silent }
        let folder = TemporaryFolder()
        let output = try ChildProcess.pipe()
        let said = LineReader(output.reading)
        let (calls, seconds) = (100, 5)
        let app = try {
            defer { close(output.writing) }
            return try ProgramUnderTest.loggingApp.start(
                [folder.path, "calling", sink.url(""), "sb_ingest_key", "\(calls)", "\(seconds)"], output: output.writing)
        }()
        // As many connections to a host as `URLSession` has; the other calls wait for one.
        #expect(try await eventually { sink.hooks(to: "/v1/call/shop/receipt").count >= 6 })
        let wakeUps = app.wakeUps
        _ = try await said.line { $0 == "late \(calls)" }
        // Each call has a timer and an end. A request of Foundation's on Linux that waits wakes a thread some 75,000 times a second.
        #expect(app.wakeUps - wakeUps <= 20 * calls)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(app.pid)/task").count < calls)
        app.signal(SIGKILL)
        _ = await app.exitCode()
    }

    @Test func `the pauses of clients that fail together are spread evenly, and double up to the longest`() {
        let now = Date(timeIntervalSince1970: 1_000)
        for (failures, longest) in [(1, 1.0), (2, 2), (5, 16), (9, 256), (10, 300), (40, 300)] {
            var buckets = [Int](repeating: 0, count: 10)
            for _ in 0..<1_000 {
                var backoff = Backoff(first: 1, longest: 300)
                for _ in 0..<failures { backoff.failed(at: now, retryAfter: nil) }
                let share = (backoff.next.timeIntervalSince(now) / longest - 0.5) * 2
                #expect(share >= 0 && share <= 1)
                buckets[min(9, Int(share * 10))] += 1
            }
            // Each tenth has 100 on average; fewer than 40 are six standard deviations away.
            #expect(buckets.allSatisfy { $0 > 40 }, "\(buckets) after \(failures)")
        }
    }

    @Test func `attempts at a server that resets connections grow rarer`() async throws {
        let times = Heard<ContinuousClock.Instant>()
        let sink = try WebhookSink { hook in
            if hook.path == "/v1/events" { times.hear(.now) }
            return .resets
        }
        let world = try await World.start()
        let app = try SignalboxApp(
            {
                $0.address = URL(string: sink.url("")) ?? $0.address
                $0.backoff = Backoff(first: 0.1, longest: 0.4)
            }, of: world)
        app.analytics.logEvent("step")
        #expect(try await eventually { times.all.count >= 6 })
        let gaps = zip(times.all, times.all.dropFirst()).map { $1 - $0 }
        // A slow machine makes pauses longer only.
        for (gap, least) in zip(gaps, [0.05, 0.1, 0.2, 0.2, 0.2]) { #expect(gap >= .seconds(least), "\(gaps)") }
        await app.close()
    }

    private static func requests(_ world: World) async -> Int {
        await world.daemon.readLog()
        return world.daemon.loggedLines.filter { $0.contains("route=/v1/events ") && $0.contains(" status=") }.count
    }
}
