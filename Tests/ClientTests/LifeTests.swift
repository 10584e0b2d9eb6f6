// SPDX-License-Identifier: Apache-2.0

import Foundation
import struct Platform.SeededGenerator
import TestSupport
import Testing

@testable import Signalbox

/// Launches, sessions and consent.
@Suite struct LifeTests {
    @Test func `a session continues across launches until its timeout, and first_open is logged once`() async throws {
        let world = try await World.start()
        let clock = HeldClock()
        for pause in [0.0, 60, 1_801] {
            clock.pass(pause)
            let app = try SignalboxApp({ $0.now = { clock.now } }, of: world)
            app.analytics.logEvent("step", parameters: ["n": .integer(Int64(pause))])
            clock.pass(5)
            app.didResignActive()
            try await app.analytics.flush()
            await app.close()
        }
        let events = try await world.stored()
        #expect(
            events.map { $0["name"].text } == [
                "first_open", "session_start", "step", "user_engagement", "step", "user_engagement", "session_start", "step", "user_engagement",
            ])
        let sessions = events.map { $0["session_id"].text }
        #expect(Set(sessions[..<6]).count == 1 && Set(sessions[6...]).count == 1 && sessions[0] != sessions[6])
        #expect(Set(events.map { $0["installation_id"].text }).count == 1)
        #expect(events.filter { $0["name"].text == "user_engagement" }.allSatisfy { $0["params"]["engagement_time_msec"].number == 5_000 })
    }

    @Test func `without consent nothing is stored or sent, and renewed consent is a new installation`() async throws {
        let world = try await World.start()
        var options = try world.options()
        options.environment.flushInterval = 3_600
        let app = try SignalboxApp(options)
        app.analytics.setUserProperties(userId: "ann", email: nil)
        try await app.analytics.flush()
        app.analytics.logEvent("waiting")
        app.analytics.setCollectionEnabled(false)
        app.analytics.logEvent("hidden")
        app.analytics.setUserProperty("gold", forName: "tier")
        app.didResignActive()
        #expect(await app.status().pending == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: world.appFolder.path)
        #expect(!files.contains { $0.hasSuffix(".open") || $0.hasSuffix(".sealed") })
        await app.close()

        let later = try SignalboxApp(options)
        later.analytics.logEvent("hidden")
        later.analytics.setCollectionEnabled(true)
        later.analytics.logEvent("seen")
        try await later.analytics.flush()
        let events = try await world.stored()
        #expect(events.map { $0["name"].text } == ["first_open", "session_start", "first_open", "session_start", "seen"])
        #expect(events[0]["installation_id"].text != events[4]["installation_id"].text)
        #expect(events[4]["user_id"].text == "")
    }

    @Test func `an unusable folder and a folder in use are errors`() throws {
        var options = SignalboxOptions(address: try #require(URL(string: "http://127.0.0.1:1")), key: "k")
        options.folder = URL(fileURLWithPath: "/proc/nowhere")
        #expect(throws: SignalboxError.self) { try SignalboxApp(options) }
        let folder = TemporaryFolder()
        options.folder = URL(fileURLWithPath: folder.path)
        let app = try SignalboxApp(options)
        #expect(throws: SignalboxError.folderInUse(path: folder.path)) { try SignalboxApp(options) }
        withExtendedLifetime(app) {}
    }

    @Test func `a durable app killed repeatedly loses no event whose call returned`() async throws {
        try await kill("durable", rounds: 5)
    }

    @Test func `a buffered app killed loses at most the last second`() async throws {
        try await kill("buffered", rounds: 2)
    }

    @Test func `a disk full at any point of a launch is recovered from`() async throws {
        var failed: Set<FaultShim.Call> = []
        for call in 1...20 {
            let folder = TemporaryFolder()
            let shim = FaultShim(watching: folder.path)
            shim.fail(ENOSPC, from: call, failures: 1)
            let ends = try ChildProcess.pipe()
            let output = LineReader(ends.reading)
            let app = try {
                defer { close(ends.writing) }
                // Enough records that the failing write is never the last one, which would be lost in memory by the kill.
                let arguments = [folder.path, "durable", "http://127.0.0.1:1", "k", "0", "40"]
                let environment = shim.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
                return try ProgramUnderTest.loggingApp.start(arguments, environment: environment, output: ends.writing)
            }()
            // A launch without a usable folder throws.
            guard (try? await output.line { $0 == "39" }) != nil else { continue }
            app.signal(SIGKILL)
            _ = await app.exitCode()
            if let kind = shim.failedCall { failed.insert(kind) }
            let url = URL(fileURLWithPath: folder.path)
            let queue = DiskQueue(folder: url, owner: try DiskQueue.lock(url), limits: QueueLimits(), isDurable: true, envelope: [])
            #expect(queue.count == 42, "call \(call)")
        }
        #expect(failed.isSuperset(of: [.create, .write]))
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `with random kills each event whose call returned is stored once`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let world = try await World.start()
        var said: [Int] = []
        for round in 0..<4 {
            let first = round * 1_000_000
            let (app, output) = try start("durable", from: first, in: world)
            let stops = (0..<2).map { _ in Int.random(in: 100..<4_000, using: &random) }.sorted()
            _ = try await output.line { $0 == "\(first + stops[0])" }
            await world.daemon.killHard()
            if Bool.random(using: &random) { try await world.restart() }
            _ = try await output.line { $0 == "\(first + stops[1])" }
            app.signal(SIGKILL)
            _ = await app.exitCode()
            said += await output.whole().split(separator: "\n").compactMap { Int($0) }
            await world.daemon.killHard()
            try await world.restart()
        }
        let app = try SignalboxApp(world.options())
        try await app.analytics.flush()
        let stored = try await world.steps()
        #expect(stored.count == Set(stored).count)
        #expect(Set(said).subtracting(stored).isEmpty)
    }

    @Test func `onVerdict may log events`() async throws {
        let heard = Heard<String>()
        let folder = TemporaryFolder()
        var options = SignalboxOptions(address: try #require(URL(string: "http://127.0.0.1:1")), key: "k")
        options.folder = URL(fileURLWithPath: folder.path)
        let made = Locked<SignalboxApp?>(nil)
        options.onVerdict = { verdict in
            made.withLock { $0 }?.analytics.logEvent("too_large")
            heard.hear(verdict.code)
        }
        let app = try SignalboxApp(options)
        made.withLock { $0 = app }
        app.analytics.logEvent("large", parameters: ["text": .text(String(repeating: "x", count: 400_000))])
        #expect(try await eventually { heard.all == ["too_large"] })
        #expect(await app.status().pending == 3)
        made.withLock { $0 = nil }
    }

    /// Lets an app log and kills it, then checks the stored events: all reported ones if durable, else those older than a second.
    private func kill(_ kind: String, rounds: Int) async throws {
        let world = try await World.start()
        var said: [Int] = []
        for round in 0..<rounds {
            let (app, output) = try start(kind, from: round * 1_000_000, in: world)
            _ = try await output.line { $0 == "\(round * 1_000_000 + 2_000 + round * 137)" }
            let old = output.lines.count
            // The second itself is tested.
            if kind == "buffered" { try await Task.sleep(for: .milliseconds(1_300)) }
            app.signal(SIGKILL)
            _ = await app.exitCode()
            let lines = await output.whole().split(separator: "\n").compactMap { Int($0) }
            said += kind == "buffered" ? Array(lines.prefix(old)) : lines
        }
        let app = try SignalboxApp(world.options())
        try await app.analytics.flush()
        let stored = try await world.steps()
        #expect(stored.count == Set(stored).count && said.count > 2_000 * rounds - 1)
        #expect(Set(said).subtracting(stored).isEmpty)
        #expect(await app.status().dropped == 0)
    }

    private func start(_ kind: String, from first: Int, in world: World) throws -> (app: ChildProcess, output: LineReader) {
        let ends = try ChildProcess.pipe()
        defer { close(ends.writing) }
        let arguments = [world.appFolder.path, kind, world.address, world.keys.ingest, "\(first)", "\(first + 10_000)"]
        return (try ProgramUnderTest.loggingApp.start(arguments, output: ends.writing), LineReader(ends.reading))
    }
}
