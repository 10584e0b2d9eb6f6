// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Alerts
import AppDirectory
import Database
import EventStore
import Platform
import Symbols

/// The life of the daemon: open, serve, drain, end.
enum Serve {
    static let command = Command(
        "serve", "Runs the daemon; the default command.",
        options: [
            .config, .data, Option("--listen", .text("HOST:PORT"), "The address to listen on, instead of server.listen; unix:PATH for a proxy."),
        ],
        details: """
            Settings come from the defaults, then the file, then INGESTD_SECTION_KEY in the environment, then these options.
            SIGTERM and SIGINT drain it: accepted data is stored first. SIGHUP reloads the configuration.
            Under systemd it reports its state, and listens on passed sockets instead of the configured address.
            """
    ) { arguments in
        let flags = [("--data", "storage.directory"), ("--listen", "server.listen")].compactMap { name, key in
            arguments.one(name).map { ConfigurationFlag(name, sets: key, to: $0) }
        }
        let load: @Sendable () throws -> Configuration = { try Configuration.load(file: arguments.one(Option.config.name), flags: flags) }
        OwnProcess.returnLargeMemoryAtOnce()
        let configuration = try load()
        OwnProcess.raiseFileLimit()
        try await run(try await open(configuration), reload: load)
    }

    /// Opens the data folder; waits up to two seconds for a command that uses it.
    private static func open(_ configuration: Configuration) async throws -> Daemon {
        let log = Log(level: configuration.log.level, format: configuration.log.format)
        let end = ContinuousClock.now + .seconds(2)
        while true {
            do {
                return try Daemon(configuration, log: log)
            } catch StoreError.locked where ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private static func run(_ daemon: Daemon, reload: @escaping @Sendable () throws -> Configuration) async throws {
        let manager = ServiceManager()
        let server = try daemon.makeServer(passedSockets: manager.sockets.map(\.descriptor))
        let signals = Signal.stream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.work(behind: server) }
            do {
                try await announce(daemon, manager)
            } catch {
                daemon.beginDrain()
                throw error
            }
            group.addTask {
                await daemon.store.events.finishEndedDays {
                    daemon.log.warning("failed to seal a finished day; retrying", ["reason": .text("\($0)")])
                }
            }
            let house = daemon.makeHousekeeping()
            let beside = [
                Task { await house.retain() },
                Task { await house.rest() },
                Task { await house.saveUses() },
                Task { await house.measureStorage() },
                Task { await house.tendAccounts() },
                Task { await house.updateEarliness() },
                Task {
                    var alerts = daemon.makeAlerting()
                    await alerts.run()
                },
                Task { await daemon.makeCrashAlerts().run() },
                Task { await listen(to: signals, daemon, manager, reload) },
                Task { await daemon.makeSupervision(by: manager).run() },
            ]
            defer { for task in beside { task.cancel() } }
            try await group.waitForAll()
        }
        daemon.log.info("ended", ["uptime_seconds": .count(daemon.uptime.seconds)])
    }

    private static func announce(_ daemon: Daemon, _ manager: ServiceManager) async throws {
        let settings = daemon.settings
        let address = daemon.server.address
        let keys = DevelopmentKeys(store: daemon.store, settings: settings.settingsOfNewApps, log: daemon.log)
        if settings.mode == .development { try await keys.prepare() }
        Reload.warn(of: settings, daemon.log)
        daemon.log.info("serving", ["address": .text("\(address)"), "data": .text(daemon.store.paths.root), "version": .text(Version.current)])
        daemon.symbolHealth.warnOfConfinement()
        if !manager.sockets.isEmpty {
            daemon.log.info("listening on passed sockets", ["names": .text(manager.sockets.map(\.name).joined(separator: " "))])
        }
        if settings.mode == .development {
            keys.show(address: address)
        } else if daemon.store.events.directory.now.apps.isEmpty {
            daemon.log.info("there is no app yet; create one", ["hint": .text("ingestd app create NAME --data \(daemon.store.paths.root)")])
        }
        manager.notify(.ready, .status("Serving on \(address)"))
    }

    private static func listen(
        to signals: AsyncStream<Signal>, _ daemon: Daemon, _ manager: ServiceManager, _ reload: () throws -> Configuration
    ) async {
        for await signal in signals {
            switch signal {
            case .hangup:
                manager.notify(.reloading(monotonicMicroseconds: ServiceManager.monotonicMicroseconds))
                Reload.apply(to: daemon.configuration, daemon.log, reload)
                manager.notify(.ready)
            case .interrupt, .terminate:
                if daemon.drain.hasBegun {
                    daemon.log.warning("second signal received; exiting without waiting for requests")
                    OwnProcess.end(code: 1)
                }
                manager.notify(.stopping, .status("Draining"))
                daemon.beginDrain()
            }
        }
    }
}
