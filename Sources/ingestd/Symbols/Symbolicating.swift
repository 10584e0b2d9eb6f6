// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Dispatch
import Ingest
import Platform
import AcrossStores
import Symbols

/// Makes reports readable behind their answers: those whose symbols are there, and those that waited for symbols that have come.
struct Symbolicating {
    private static let failuresBeforeRest = 32
    private static let lease = Timestamp.Span.minutes(5)
    /// After it nothing that was started for the work is kept.
    private static let idle = Duration.seconds(60)
    private static let restAfterFailure = Duration.seconds(30)

    private let daemon: Daemon
    private let symbolizer: Symbolizer
    private let reports: StoredCrashes
    /// Programs and files are waited for, which threads that serve others must not do.
    private let queue = DispatchQueue(label: "signalbox.symbols", qos: .utility)

    init(_ daemon: Daemon) {
        self.daemon = daemon
        symbolizer = daemon.symbolizer
        reports = StoredCrashes(parser: daemon.parser)
    }

    /// Works until it is cancelled; then it waits for nothing any more, and what was not done is left to the next start.
    func run() async {
        await withTaskCancellationHandler {
            // Cancelled with the end of this.
            async let _: Void = lookAgain()
            for await _ in daemon.store.crashes.symbolWork {
                if await !work() { try? await queue.run { symbolizer.rest() } }
            }
            try? await queue.run { symbolizer.rest() }
        } onCancel: {
            symbolizer.stop()
        }
    }

    /// Reports whose lease has run out are claimed again.
    private func lookAgain() async {
        while (try? await Task.sleep(for: Symbolicating.idle)) != nil { daemon.store.crashes.lookForSymbolWork() }
    }

    /// Looks up what there is; answers whether there was anything.
    private func work() async -> Bool {
        var (hadWork, failures) = (false, 0)
        // Behind a report whose program is missing there may be some that need none.
        while !Task.isCancelled, failures < Symbolicating.failuresBeforeRest {
            do {
                guard let crash = try await daemon.store.crashes.claimForSymbols(until: daemon.clock.now() + Symbolicating.lease) else { break }
                hadWork = true
                try await lookUp(crash)
            } catch {
                // The lease brings back what was not done.
                if failures == 0, !Task.isCancelled { daemon.log.warning("crashes not symbolicated", ["reason": .text("\(error)")]) }
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
            if error is SymbolizerError || Task.isCancelled { try await daemon.store.crashes.giveBack(crash.row) }
            throw error
        }
    }

    private func makeReadable(_ crash: CrashToSymbolicate) async throws {
        guard let report = reports.report(crash.payload) else { return }
        let ids = Set(report.images.compactMap(\.debugID))
        let brought = try await daemon.store.crashes.symbols(of: ids.map(\.text), app: crash.app)
        let files = Dictionary(brought.map { ($0.debugID, SymbolFolder.name(app: crash.app.rawValue, sum: $0.sha256)) }) { first, _ in first }
        let readable = try await queue.run { try Symbolication.of(report, with: symbolizer) { files[$0.text] } }
        // Cut off, the programs may have left out anything.
        try Task.checkCancellation()
        let kept = report.named(by: readable)
        try await daemon.store.crashes.symbolicated(crash.row, payload: kept.json, group: GroupingRule.current.group(kept), build: kept.appBuild)
    }
}

extension Symbolizer {
    convenience init(_ configuration: Configuration, folder: String) {
        let named = configuration.crashes.symbolizer
        let program = named.contains("/") ? named : Symbolizer.program(named, in: OwnProcess.searchPath)
        // Only the daemon itself knows the command; where others run its parts, names stay as compilers make them.
        let own = OwnProcess.executable
        let demangler = own.flatMap { $0.hasSuffix("/ingestd") ? Demangler($0, [DemangleCommand.name]) : nil }
        self.init(folder: folder, program: program, demangler: demangler)
    }
}
