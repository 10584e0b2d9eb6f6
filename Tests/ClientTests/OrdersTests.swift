// SPDX-License-Identifier: Apache-2.0

import Foundation
import struct Platform.SeededGenerator
import TestSupport
import Testing

@testable import Signalbox

/// Kills app and daemon and cuts the network in every order while the app logs. In the end each event is stored once.
@Suite struct OrdersTests {
    @Test(arguments: Forwarder.Cut.allCases)
    func `each event is stored once whichever part fails first`(cut: Forwarder.Cut) async throws {
        var scene = try await Scene.start()
        for order in Part.orders {
            for part in order { try await scene.take(part, cut) }
            for part in order.reversed() { try await scene.giveBack(part) }
        }
        try await scene.count()
    }

    @Test(arguments: (0..<3).map { _ in UInt64.random(in: 0...UInt64.max) })
    func `random disconnects lose nothing`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        var scene = try await Scene.start()
        for _ in 0..<16 {
            let part = Part.allCases[Int.random(in: 0..<3, using: &random)]
            let cut = Forwarder.Cut.allCases[Int.random(in: 0..<4, using: &random)]
            if scene.isHere(part) { try await scene.take(part, cut) } else { try await scene.giveBack(part) }
        }
        try await scene.count()
    }
}

/// The parts that can fail: app, daemon, network.
private enum Part: CaseIterable {
    case app, daemon, network

    static let orders: [[Part]] = allCases.flatMap { first in
        allCases.filter { $0 != first }.map { second in [first, second] + allCases.filter { $0 != first && $0 != second } }
    }
}

/// An app that logs through a network to a daemon, and the events it reported as logged.
private struct Scene {
    private let world: World
    private let network: Forwarder
    private var app: (process: ChildProcess, output: LineReader)?
    private var gone: Set<Part> = []
    private var starts = 0
    private var said: [Int] = []

    static func start() async throws -> Scene {
        let world = try await World.start()
        var scene = Scene(world: world, network: try Forwarder(to: world.api.port))
        try await scene.startApp()
        return scene
    }

    private init(world: World, network: Forwarder) {
        self.world = world
        self.network = network
    }

    func isHere(_ part: Part) -> Bool { !gone.contains(part) }

    mutating func take(_ part: Part, _ cut: Forwarder.Cut) async throws {
        switch part {
        case .app: await killApp()
        case .daemon: await world.daemon.killHard()
        case .network: try await cutNetwork(cut)
        }
        gone.insert(part)
        try await watchTheApp()
    }

    mutating func giveBack(_ part: Part) async throws {
        switch part {
        case .app: try await startApp()
        case .daemon: try await world.restart()
        case .network: network.cut(nil)
        }
        gone.remove(part)
        try await watchTheApp()
    }

    /// Restores everything and checks that the daemon has every logged event once.
    mutating func count() async throws {
        await killApp()
        if gone.contains(.daemon) { try await world.restart() }
        let app = try SignalboxApp(world.options())
        try await app.analytics.flush()
        #expect(await app.status() == SignalboxApp.Status(pending: 0, dropped: 0, lastError: nil))
        let stored = try await world.steps()
        #expect(stored.count == Set(stored).count)
        #expect(Set(said).subtracting(stored).isEmpty)
        // The app may be killed between logging an event and reporting it.
        #expect(said.count > 50 * starts && Set(stored).subtracting(said).count <= starts)
        let counted = try JSON(await world.api.get("/v1/query/series?metric=events&event=step", key: world.keys.admin))
        #expect(counted["series"][0]["total"].number == stored.count)
    }

    // MARK: Parts

    private mutating func startApp() async throws {
        let ends = try ChildProcess.pipe()
        defer { close(ends.writing) }
        let first = starts * 1_000_000
        let arguments = [
            world.appFolder.path, "durable", "http://127.0.0.1:\(network.port)", world.keys.ingest, "\(first)", "\(first + 1_000_000)", "2000",
        ]
        app = (try ProgramUnderTest.loggingApp.start(arguments, output: ends.writing), LineReader(ends.reading))
        starts += 1
        try await watchTheApp()
    }

    private mutating func killApp() async {
        guard let (process, output) = app else { return }
        app = nil
        process.signal(SIGKILL)
        _ = await process.exitCode()
        said += await output.whole().split(separator: "\n").compactMap { Int($0) }
    }

    /// Cuts the network during a request, if app and daemon are running.
    private func cutNetwork(_ cut: Forwarder.Cut) async throws {
        let before = network.cuts
        network.cut(cut)
        if isHere(.app), isHere(.daemon) { #expect(try await eventually { network.cuts > before }) }
    }

    /// The app keeps logging during failures.
    private func watchTheApp() async throws {
        guard let output = app?.output else { return }
        let before = output.lines.count
        #expect(try await eventually { output.lines.count > before + 50 })
    }
}
