// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Alerts
import Crashes
import Delivery
import EventStore
import FunctionStore
import HTTPServer
import Ingest
import Platform
import Workers

extension Daemon {
    /// Runs store, symbolication and deliveries until the server has drained; then commits accepted data and returns.
    ///
    /// - Parameter sends: Whether deliveries are sent; false for the short-lived daemon of an admin command.
    func work(behind server: HTTPServer, sends: Bool = true) async throws {
        let configuration = configuration
        let sender = sends ? try Sender(store.messages, { configuration.now.sender }, clock: clock, metrics: metrics, log: log) : nil
        let functionSender =
            sends
            ? try Sender(
                store.functions, { configuration.now.functionSender }, clock: clock, metrics: metrics, log: log,
                workers: { [workers] in workers.courier(onResults: $0) }) : nil
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.store.run() }
            let symbolicating = Task { await self.makeSymbolicating().run() }
            let relaying = Task { await AccountRelay(store: self.store, log: self.log).run() }
            let pumping = Task { if sends { await TriggerPump(self.store, self.log, self.clock, self.triggerLags).run() } }
            let deciding = Task { if sends { await PendingFiles(self.store, self.log, self.clock).run() } }
            let loggingCalls = Task { await self.callDesk.failures.run(self.store.functions, TroubleLog(self.log, clock: self.clock)) }
            let publishing = Task { if sends { await RunPublisher(self.store, self.disk, self.log, self.clock).run() } }
            if let sender { group.addTask { await sender.run() } }
            if let functionSender { group.addTask { await functionSender.run() } }
            let mailSender = sends ? self.makeMailSender() : nil
            if let mailSender { group.addTask { await mailSender.run() } }
            group.addTask {
                defer { self.store.close() }
                let end = await self.serve(server, [sender, functionSender].compactMap(\.self), mailSender)
                // Gives back the report in progress.
                symbolicating.cancel()
                relaying.cancel()
                pumping.cancel()
                publishing.cancel()
                deciding.cancel()
                await symbolicating.value
                await relaying.value
                await pumping.value
                await publishing.value
                await deciding.value
                self.accounts.hashing.end()
                self.callDesk.stop()
                self.workers.stop()
                loggingCalls.cancel()
                await loggingCalls.value
                // On a full disk the uses of the last minute are lost, nothing else.
                try? await self.store.events.saveKeyUses()
                try? await self.store.events.saveAppUses()
                try end.get()
            }
            try await group.waitForAll()
        }
    }

    /// Serves until the server and the senders have ended.
    private func serve(_ server: HTTPServer, _ senders: [Sender], _ mailSender: MailSender?) async -> Result<Void, any Error> {
        async let stopped: Void = stopWhenDraining(senders, mailSender)
        let end: Result<Void, any Error>
        do { end = .success(try await server.run()) } catch { end = .failure(error) }
        beginDrain()
        await stopped
        return end
    }

    private func stopWhenDraining(_ senders: [Sender], _ mailSender: MailSender?) async {
        await drain.wait()
        // New requests are rejected while running deliveries end.
        await withTaskGroup { group in for sender in senders { group.addTask { await sender.stop() } } }
        await mailSender?.stop()
        stopAccepting()
        abandonQueriesAfterGrace()
    }

    /// Interrupts queries once the grace is over: no client is left, and a hanging disk or statement would block the end forever.
    private func abandonQueriesAfterGrace() {
        let grace = settings.server.drainGrace + .seconds(2)
        Task { [weak store] in
            try await Task.sleep(for: grace)
            store?.giveUpQueries()
        }
    }
}

// MARK: - Work beside the requests

extension Daemon {
    func makeSymbolicating() -> Symbolicating {
        Symbolicating(
            store: store.crashes, apps: store.events.directory, symbolizer: symbolizer, intakeNames: intake.crashes.names,
            reports: StoredCrashes(parser: parser),
            minidumps: minidumps, health: symbolHealth, clock: clock)
    }

    func makeHousekeeping() -> Housekeeping {
        Housekeeping(store: store, symbols: symbols, departures: accounts.departures, configuration: configuration, log: log)
    }

    func makeAlerting() -> Alerting {
        Alerting(
            store: store, options: { [configuration] in configuration.now.alerts }, problems: { [readiness] in readiness.problems },
            workers: { [workers] in workers.failing.map { FailingWorker(app: $0.appID, function: $0.name) } }, clock: clock, log: log)
    }

    func makeCrashAlerts(missingPerRound: Int = 1_000) -> CrashAlerts {
        CrashAlerts(
            store: store, options: { [configuration] in configuration.now.alerts },
            velocity: { [configuration] in Velocity(configuration.now) }, clock: clock, log: log, missingPerRound: missingPerRound)
    }

    func makeSupervision(by manager: ServiceManager) -> Supervision {
        Supervision(manager: manager, server: server, store: store, readiness: readiness, drain: drain)
    }
}
