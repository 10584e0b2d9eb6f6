// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Signalbox
import TestSupport
import Testing

@testable import SignalboxDocuments

/// The number and times of requests for documents.
@Suite struct RequestCountTests {
    private func requests(_ world: DocumentWorld) async -> Int {
        await world.daemon.readLog()
        return world.daemon.loggedLines.filter { $0.contains(" route=/v1/documents") }.count
    }

    @Test func `listeners that begin together share one request, and equal ones one target`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}"#)
        let documents = try world.device()
        let watched = (0..<40).map {
            Watched(documents.collection("m").where("n", isGreaterThanOrEqualTo: .integer(Int64($0 % 20 - 19))).snapshots())
        }
        #expect(try await eventually { watched.allSatisfy { $0.last?.ids == ["a"] && $0.last?.isFromCache == false } })
        // The stream itself and changes of its targets: forty listeners may not be forty requests.
        await world.daemon.readLog()
        #expect(world.daemon.loggedLines.filter { $0.contains(" route=/v1/documents:listen/") }.count <= 5)
        for one in watched { await one.stop() }
        await documents.close()
    }

    @Test func `documents without changes make no requests, with and without a listener`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}"#)
        let documents = try world.device()
        try await documents.document("m/b").set(["n": 2])
        try await documents.waitForPendingWrites()
        let before = [await requests(world), world.network.connections]
        try await Task.sleep(for: .seconds(1))
        #expect(await [requests(world), world.network.connections] == before)
        let watched = Watched(documents.collection("m").snapshots())
        #expect(try await eventually { watched.last?.count == 2 && watched.last?.isFromCache == false })
        let listening = [await requests(world), world.network.connections]
        try await Task.sleep(for: .seconds(3))
        #expect(await [requests(world), world.network.connections] == listening)
        await watched.stop()
        await documents.close()
    }

    @Test func `an app with an open listener and nothing to do makes no requests, writes nothing and is not woken`() async throws {
        let world = try await DocumentWorld.start()
        try await world.commit(#"{"set": "m/a", "fields": {"n": 1}}"#)
        let folder = TemporaryFolder()
        let output = try ChildProcess.pipe()
        let said = LineReader(output.reading)
        let app = try {
            defer { close(output.writing) }
            return try ProgramUnderTest.writingApp.start(
                [folder.path, "http://127.0.0.1:\(world.network.port)", world.keys.ingest, "m", "listening"], output: output.writing)
        }()
        _ = try await said.line { $0 == "1" }
        let isIdle = try await eventually {
            let before = app.wakeUps
            try await Task.sleep(for: .seconds(1))
            return app.wakeUps - before < 20
        }
        #expect(isIdle)
        let (sent, files) = ([await requests(world), world.network.connections], Self.files(in: folder.path))
        #expect(files.keys.contains { $0.hasSuffix(".db") })
        let (start, wakeUps) = (ContinuousClock.now, app.wakeUps)
        try await Task.sleep(for: .seconds(4))
        // The daemon's keep-alive is one event in 45 s. This process may sleep for longer than it asked for.
        let (woken, seconds) = (app.wakeUps - wakeUps, (ContinuousClock.now - start) / .seconds(1))
        #expect(Double(woken) <= 5 * seconds)
        #expect(await [requests(world), world.network.connections] == sent)
        #expect(Self.files(in: folder.path) == files)
        app.signal(SIGKILL)
        _ = await app.exitCode()
    }

    /// The size and the time of the last write of each file, by its path.
    private static func files(in folder: String) -> [String: [Int]] {
        var files: [String: [Int]] = [:]
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        for path in paths {
            var info = stat()
            if stat("\(folder)/\(path)", &info) == 0 { files[path] = [Int(info.st_size), info.st_mtim.tv_sec, info.st_mtim.tv_nsec] }
        }
        return files
    }

    @Test func `devices that lose the server together come back one by one`() async throws {
        let times = Locked<[String: [ContinuousClock.Instant]]>([:])
        let sink = try WebhookSink { hook in
            let name = hook.query("device") ?? ""
            let isListening = hook.path.hasSuffix(":listen")
            if isListening { times.withLock { $0[name, default: []].append(.now) } }
            return .resets
        }
        let world = try await DocumentWorld.start()
        let devices = try (0..<20).map { number in
            try world.device("d\(number)") {
                // The address has the device's name, by which the sink tells them apart.
                $0.address = URL(string: sink.url("/?device=\(number)")) ?? $0.address
                $0.backoff = Backoff(first: 0.2, longest: 0.8)
            }
        }
        let watched = devices.map { Watched($0.collection("m").snapshots()) }
        #expect(try await eventually { times.withLock { $0.count == 20 && $0.values.allSatisfy { $0.count >= 4 } } })
        for attempts in times.withLock({ $0.values }) {
            let gaps = zip(attempts, attempts.dropFirst()).map { $1 - $0 }
            // A slow machine makes pauses longer only.
            for (gap, least) in zip(gaps, [0.1, 0.2, 0.4]) { #expect(gap >= .seconds(least), "\(gaps)") }
        }
        for one in watched { await one.stop() }
        for device in devices { await device.close() }
    }
}
