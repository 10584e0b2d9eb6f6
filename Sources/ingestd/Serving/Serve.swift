import HTTPServer
import Platform
import Store

/// The daemon's life: open, serve, keep house, listen to signals, drain, end.
enum Serve {
    static let command = Command(
        "serve", "Runs the daemon; what is done where no command is named.",
        options: [.config, .data, Option("--listen", .text("HOST:PORT"), "Where to listen, instead of the configuration's address.")],
        details: """
            Settings come from the defaults, then the file, then INGESTD_SECTION_KEY in the environment, then these options.
            SIGTERM and SIGINT end it when all that was taken in is stored; SIGHUP reads the configuration again.
            Started by systemd it says how it is, and listens on the sockets that are passed to it instead of the configuration's address.
            """
    ) { arguments in
        let flags = [("--data", "storage.directory"), ("--listen", "server.listen")].compactMap { name, key in
            arguments.one(name).map { ConfigurationFlag(name, sets: key, to: $0) }
        }
        let load: @Sendable () throws -> Configuration = { try Configuration.load(file: arguments.one(Option.config.name), flags: flags) }
        let configuration = try load()
        OwnProcess.raiseFileLimit()
        try await run(try await open(configuration), reload: load)
    }

    /// Opens the data folder; waits a moment for a command that is just using it.
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
                daemon.drain()
                throw error
            }
            group.addTask {
                await daemon.store.finishDaysAsTheyEnd { daemon.log.warning("a day that is over is not finished", ["reason": .text("\($0)")]) }
            }
            let beside = [
                Task { await keepHouse(daemon) },
                Task { await rest(daemon) },
                Task { await judge(daemon) },
                Task {
                    var alerts = Alerting(daemon)
                    await alerts.run()
                },
                Task { await CrashAlerts(daemon).run() },
                Task { await listen(to: signals, daemon, manager, reload) },
                Task { await Supervision(daemon, manager).run() },
            ]
            defer { for task in beside { task.cancel() } }
            try await group.waitForAll()
        }
        daemon.log.info("ended", ["uptime_seconds": .count(daemon.uptimeSeconds)])
    }

    private static func announce(_ daemon: Daemon, _ manager: ServiceManager) async throws {
        let settings = daemon.settings
        let address = daemon.address.description
        if settings.mode == .development { try await DevelopmentKeys.prepare(daemon) }
        daemon.log.info("serving", ["address": .text(address), "data": .text(daemon.store.paths.root), "version": .text(Version.current)])
        if !manager.sockets.isEmpty {
            daemon.log.info("listening on passed sockets", ["names": .text(manager.sockets.map(\.name).joined(separator: " "))])
        }
        if settings.mode == .development { DevelopmentKeys.show(daemon, address: address) }
        manager.tell(.ready, .status("Serving on \(address)"))
    }

    private static func listen(
        to signals: AsyncStream<Signal>, _ daemon: Daemon, _ manager: ServiceManager, _ reload: () throws -> Configuration
    ) async {
        for await signal in signals {
            switch signal {
            case .hangup:
                manager.tell(.reloading(monotonicMicroseconds: ServiceManager.monotonicMicroseconds))
                Reload.apply(to: daemon, reload)
                manager.tell(.ready)
            case .interrupt, .terminate:
                if daemon.isDraining {
                    daemon.log.warning("ended without grace")
                    OwnProcess.end(code: 1)
                }
                manager.tell(.stopping, .status("Answering what was taken in"))
                daemon.log.info("draining", ["grace_seconds": .count(daemon.settings.server.drainGrace.components.seconds)])
                daemon.drain()
            }
        }
    }

    /// Looks whether writing works again where it did not; once nothing has come in for a while, gives back the memory of a busy time.
    private static func rest(_ daemon: Daemon) async {
        var (seen, rested) = (daemon.store.gauges.commits.value, true)
        while (try? await Task.sleep(for: .seconds(10))) != nil {
            if daemon.store.gauges.now.trouble != nil { try? await daemon.store.probe() }
            let commits = daemon.store.gauges.commits.value
            if commits != seen {
                (seen, rested) = (commits, false)
            } else if !rested {
                try? await daemon.store.rest()
                HTTPServer.returnFreeMemory()
                (seen, rested) = (daemon.store.gauges.commits.value, true)
            }
        }
    }

    /// How soon crashes come in their sessions; seldom and few issues at a time, for it reads events.
    private static func judge(_ daemon: Daemon) async {
        while (try? await Task.sleep(for: .seconds(300))) != nil {
            do {
                try await daemon.store.judgeEarliness(atMost: 50)
            } catch {
                daemon.log.warning("early crashes not looked for", ["reason": .text("\(error)")])
            }
        }
    }

    /// Rounds of retention, the first soon after the start.
    private static func keepHouse(_ daemon: Daemon) async {
        while !Task.isCancelled {
            do {
                let report = try await daemon.store.retain()
                try await daemon.symbols.sweep()
                if report.distrustsClock { daemon.log.warning("the clock has leapt ahead, so nothing is removed for its age for an hour") }
                if !report.removedDays.isEmpty || report.removedEvents > 0 {
                    daemon.log.info("retention", ["days": .count(report.removedDays.count), "events": .count(report.removedEvents)])
                }
            } catch {
                daemon.log.warning("retention failed", ["reason": .text("\(error)")])
            }
            try? await Task.sleep(for: daemon.settings.storage.retentionInterval)
        }
    }
}

/// Takes over from a changed configuration what can change while the daemon runs, and says what cannot.
enum Reload {
    static func apply(to daemon: Daemon, _ reload: () throws -> Configuration) {
        do {
            let old = daemon.settings
            let new = try reload()
            let kept = Setting.changed(from: old, to: new).filter { !$0.isLive }.map(\.key)
            daemon.replace(Setting.reloaded(old, with: new))
            daemon.log.change(level: new.log.level, format: new.log.format)
            daemon.log.info("configuration reloaded")
            if !kept.isEmpty { daemon.log.warning("these need a restart", ["keys": .text(kept.joined(separator: " "))]) }
        } catch {
            daemon.log.error("configuration not reloaded", ["reason": .text("\(error)")])
        }
    }
}
