// SPDX-License-Identifier: Apache-2.0

import AccountStore
import CrashStore
import Database
import Delivery
import EventStore
import HTTPServer
import Platform
import AcrossStores
import Synchronization
import TestSupport

@testable import ingestd

/// A daemon in the test's process with real sockets and files and an optional manual clock.
struct LiveDaemon: Sendable {
    let daemon: Daemon
    let api: TestClient
    let log: LogLines

    var folder: String { daemon.store.paths.root }
    var mainFile: String { daemon.store.paths.main }
    var symbolFolder: String { daemon.store.paths.symbols }
    /// The number of events stored since the start.
    var stored: UInt64 { daemon.store.events.gauges.accepted.value }

    /// The names of the day files.
    var dayFiles: [String] {
        get throws { try Folder.names(in: daemon.store.paths.events).filter { $0.hasSuffix(".db") } }
    }
}

/// The daemon's log.
final class LogLines: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    func append(_ line: [UInt8]) {
        bytes.withLock { $0 += line }
    }
}

/// Runs a daemon while a closure runs, as the program does: accepted data is committed before it ends.
///
/// With `sends: false` the test itself claims deliveries and challenges.
func withDaemon<T: Sendable>(
    in folder: TemporaryFolder = TemporaryFolder(), clock: WallClock = .system, sends: Bool = true,
    configure: (inout Configuration) -> Void = { _ in },
    _ body: @Sendable (LiveDaemon) async throws -> T
) async throws -> T {
    var configuration = Configuration()
    configuration.storage.directory = folder.path
    configuration.server.listen = ListenAddress(IPAddress(v4: 0x7f00_0001), port: 0)
    configuration.server.drainGrace = .seconds(5)
    configuration.delivery.destinations.addresses.allowed = ["127.0.0.0/8"].compactMap(AddressRange.init)
    configuration.store.accounts.makePrivateKey = SharedKeys.maker()
    configure(&configuration)
    return try await daemonsAtOnce.pass { [configuration] in try await run(configuration, clock, sends: sends, body) }
}

/// Daemons and waiting clients block threads of Dispatch, of which a process has 255.
private let daemonsAtOnce = Turnstile(24)

private func run<T: Sendable>(
    _ configuration: Configuration, _ clock: WallClock, sends: Bool, _ body: @Sendable (LiveDaemon) async throws -> T
) async throws -> T {
    let log = LogLines()
    try EmptyFiles.place(in: configuration.storage.directory)
    let daemon = try Daemon(configuration, log: Log(level: .debug) { log.append($0) }, clock: clock)
    let server = try daemon.makeServer()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await daemon.work(behind: server, sends: sends) }
        group.addTask { await daemon.store.events.finishEndedDays { log.append(Array("not finished: \($0)\n".utf8)) } }
        let live = LiveDaemon(daemon: daemon, api: TestClient(port: server.port, controlSocket: daemon.store.paths.controlSocket), log: log)
        let result: Result<T, any Error>
        do { result = .success(try await body(live)) } catch { result = .failure(error) }
        daemon.beginDrain()
        try await group.waitForAll()
        return try result.get()
    }
}
