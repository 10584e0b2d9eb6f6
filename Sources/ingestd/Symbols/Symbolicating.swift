// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Dispatch
import Ingest
import Platform
import AcrossStores
import Symbols

/// Symbolicates stored reports in the background: new ones, and those whose symbol files have arrived.
struct Symbolicating {
    private static let failuresBeforeRest = 32
    private static let lease = Timestamp.Span.minutes(5)
    /// Child programs end after this idle time.
    private static let idle = Duration.seconds(60)
    private static let restAfterFailure = Duration.seconds(30)

    private let store: CrashStore
    private let symbolizer: Symbolizer
    private let reports: StoredCrashes
    private let intakeNames: IntakeNames
    private let health: SymbolHealth
    private let clock: WallClock
    /// Waits for programs and files off the shared threads.
    private let queue = DispatchQueue(label: "signalbox.symbols", qos: .utility)

    init(store: CrashStore, symbolizer: Symbolizer, intakeNames: IntakeNames, reports: StoredCrashes, health: SymbolHealth, clock: WallClock) {
        (self.store, self.symbolizer, self.intakeNames, self.reports) = (store, symbolizer, intakeNames, reports)
        (self.health, self.clock) = (health, clock)
    }

    /// Runs until it is cancelled; unfinished reports are left to the next start.
    func run() async {
        await withTaskCancellationHandler {
            async let _: Void = reclaimExpiredLeases()
            for await _ in store.symbolWork {
                if await !work() { try? await queue.run { symbolizer.rest() } }
            }
            try? await queue.run { symbolizer.rest() }
        } onCancel: {
            symbolizer.stop()
        }
    }

    /// Reports whose lease has run out are claimed again, and an idle demangler of intake ends.
    private func reclaimExpiredLeases() async {
        while (try? await Task.sleep(for: Symbolicating.idle)) != nil {
            store.lookForSymbolWork()
            intakeNames.restIfIdle()
        }
    }

    /// Symbolicates all waiting reports; returns whether there were any.
    private func work() async -> Bool {
        var (hadWork, failures) = (false, 0)
        // Reports after one whose program is missing may need no program.
        while !Task.isCancelled, failures < Symbolicating.failuresBeforeRest {
            do {
                guard let crash = try await store.claimForSymbols(until: clock.now() + Symbolicating.lease) else { break }
                hadWork = true
                try await lookUp(crash)
                health.succeeded(.background)
            } catch {
                // The lease expires and the report is claimed again.
                if !Task.isCancelled { health.failed(.background, "\(error)") }
                failures += 1
            }
        }
        if failures > 0 { try? await Task.sleep(for: Symbolicating.restAfterFailure) }
        return hadWork
    }

    private func lookUp(_ crash: CrashToSymbolicate) async throws {
        do {
            try await makeReadable(crash)
        } catch {
            if error is SymbolizerError || Task.isCancelled { try await store.giveBack(crash.row) }
            throw error
        }
    }

    private func makeReadable(_ crash: CrashToSymbolicate) async throws {
        guard let report = reports.report(crash.payload) else { return }
        let ids = Set(report.images.compactMap(\.debugID))
        let brought = try await store.symbols(of: ids.map(\.text), app: crash.app)
        let files = Dictionary(brought.map { ($0.debugID, SymbolFolder.name(app: crash.app.rawValue, sum: $0.sha256)) }) { first, _ in first }
        let readable = try await queue.run { try Symbolication.of(report, with: symbolizer) { files[$0.text] } }
        // A cancelled program's output may be incomplete.
        try Task.checkCancellation()
        let kept = report.named(by: readable)
        try await store.symbolicated(crash.row, payload: kept.json, group: GroupingRule.current.group(kept), build: kept.appBuild)
    }
}

extension Symbolizer {
    convenience init(_ configuration: Configuration, folder: String) {
        let named = configuration.crashes.symbolizer
        let program = named.contains("/") ? named : Symbolizer.program(named, in: OwnProcess.searchPath)
        self.init(folder: folder, program: program, demangler: Demangler.ofDaemon(.background))
    }
}

extension Demangler {
    /// Returns the demangler of the ingestd executable: of this process, or in tests the one beside it.
    static func ofDaemon(_ patience: Patience) -> Demangler? {
        guard let own = OwnProcess.executable, let slash = own.lastIndex(of: "/") else { return nil }
        return Demangler(own[...slash] + "ingestd", [DemangleCommand.name], patience)
    }
}
