// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// A daemon that can be killed and restarted at its address, and an app's folder.
final class World: Sendable {
    let keys: AppKeys
    let appFolder = TemporaryFolder()
    private let folder: TemporaryFolder
    private let environment: [String: String]
    private let running: Locked<DaemonProcess>

    static func start(_ environment: [String: String] = [:]) async throws -> World {
        let folder = try await StartedFolder.copy()
        let daemon = try await DaemonProcess.start(in: folder.path, environment: environment)
        return World(folder, environment, daemon, try await daemon.api.makeApp())
    }

    private init(_ folder: TemporaryFolder, _ environment: [String: String], _ daemon: DaemonProcess, _ keys: AppKeys) {
        (self.folder, self.environment) = (folder, environment)
        self.keys = keys
        running = Locked(daemon)
    }

    var daemon: DaemonProcess { running.withLock { $0 } }
    var api: TestClient { daemon.api }
    var address: String { "http://127.0.0.1:\(api.port)" }

    func restart(_ changes: [String: String] = [:]) async throws {
        let listen = ["INGESTD_SERVER_LISTEN": "127.0.0.1:\(api.port)"].merging(changes) { $1 }
        let daemon = try await DaemonProcess.start(in: folder.path, environment: environment.merging(listen) { $1 })
        running.withLock { $0 = daemon }
    }

    /// Options for tests: short intervals and durable.
    func options() throws -> SignalboxOptions {
        var options = SignalboxOptions(address: try #require(URL(string: address)), key: keys.ingest)
        options.folder = URL(fileURLWithPath: appFolder.path)
        options.durability = .immediate
        options.environment = .init(name: "test", flushInterval: 0.05, flushAt: 500, isLoggingEnabled: false)
        options.backoff = Backoff(first: 0.02, longest: 0.1)
        options.context = AppContext(platform: "linux", appVersion: "1.2.3", locale: "de-AT")
        // A process has one crash handler, and this process belongs to the test runner.
        options.capturesCrashes = false
        return options
    }

    /// The events stored by the daemon, in order.
    func stored() async throws -> [JSON] {
        let answer = try await api.get("/v1/export", key: keys.admin)
        return try answer.text.split(separator: "\n").map { try JSON(Array($0.utf8)) }
    }

    /// The numbers of `step` events.
    func steps() async throws -> [Int] {
        try await stored().filter { $0["name"].text == "step" }.map { $0["params"]["n"].number }
    }

    /// The number of requests that the daemon has answered on a route.
    func requests(to route: String, status: Int) async -> Int {
        await daemon.readLog()
        return daemon.loggedLines.filter { $0.contains("route=\(route) status=\(status) ") }.count
    }
}

/// The values passed to a callback.
final class Heard<Element: Sendable>: Sendable {
    private let list = Locked<[Element]>([])

    var all: [Element] { list.withLock { $0 } }

    func hear(_ element: Element) {
        list.withLock { $0.append(element) }
    }
}

/// A clock that a test sets.
final class HeldClock: Sendable {
    private let time = Locked(Date())

    var now: Date { time.withLock { $0 } }

    func pass(_ seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }
}
