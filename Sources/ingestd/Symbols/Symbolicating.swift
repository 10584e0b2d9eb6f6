// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Dispatch
import Ingest
import Platform
import AcrossStores
import AppDirectory
import Symbols

/// Symbolicates stored reports in the background: new ones, and those whose symbol files have arrived.
struct Symbolicating {
    private static let failuresBeforeRest = 32
    /// The limit of files that a report may need; it exceeds the binaries of one.
    private static let fileLimit = 2_048
    private static let lease = Timestamp.Span.minutes(5)
    /// Child programs end after this idle time.
    private static let idle = Duration.seconds(60)
    private static let restAfterFailure = Duration.seconds(30)

    private let store: CrashStore
    private let apps: DirectoryCache
    private let symbolizer: Symbolizer
    private let reports: StoredCrashes
    private let intakeNames: IntakeNames
    private let minidumps: MinidumpReaders
    private let health: SymbolHealth
    private let clock: WallClock
    /// Waits for programs and files off the shared threads.
    private let queue = DispatchQueue(label: "signalbox.symbols", qos: .utility)

    init(
        store: CrashStore, apps: DirectoryCache, symbolizer: Symbolizer, intakeNames: IntakeNames, reports: StoredCrashes,
        minidumps: MinidumpReaders, health: SymbolHealth, clock: WallClock
    ) {
        (self.apps, self.minidumps) = (apps, minidumps)
        (self.store, self.symbolizer, self.intakeNames, self.reports) = (store, symbolizer, intakeNames, reports)
        (self.health, self.clock) = (health, clock)
    }

    /// Runs until it is cancelled; unfinished reports are left to the next start.
    func run() async {
        await withTaskCancellationHandler {
            async let _: Void = reclaimExpiredLeases()
            for await _ in store.symbolWork {
                if await !work() { await rest() }
            }
            await rest()
            minidumps.intake.rest()
        } onCancel: {
            symbolizer.stop()
            minidumps.background.stop()
        }
    }

    private func rest() async {
        try? await queue.run {
            symbolizer.rest()
            minidumps.background.rest()
        }
    }

    /// Reports whose lease has run out are claimed again, and an idle demangler of intake ends.
    private func reclaimExpiredLeases() async {
        while (try? await Task.sleep(for: Symbolicating.idle)) != nil {
            store.lookForSymbolWork()
            intakeNames.restIfIdle()
            minidumps.intake.restIfIdle()
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
        guard var report = reports.report(crash.payload) else { return }
        if report.isMinidumpPending { try await walk(&report, of: crash, files: [:]) }
        let files = try await files(of: report, app: crash.app)
        if report.isMinidump {
            let texts = files.filter { $0.value.format == .breakpad }
            if !texts.isEmpty { try await walk(&report, of: crash, files: texts.mapValues { "symbols/" + $0.file }) }
        }
        let walked = report
        let mapped = try await queue.run {
            let native = try Symbolication.of(walked, with: symbolizer) { files[$0]?.file }
            return try MappedSymbolication.of(native, with: symbolizer) { files[$0] }
        }
        // A cancelled program's output may be incomplete.
        try Task.checkCancellation()
        var kept = walked.named(by: mapped.report)
        if apps.now.apps[crash.app]?.settings.sourceContext == false { kept.removeSource() }
        try await store.symbolicated(
            crash.row, payload: kept.json, group: GroupingRule.current.group(kept), build: kept.appBuild, report: mapped.report,
            unreadable: Set(mapped.unreadable.map(SymbolFolder.sum(of:))))
    }

    /// Returns the stored files for a report's binaries, scripts and mappings.
    private func files(of report: CrashReport, app: AppID) async throws -> [DebugID: SymbolSource] {
        let scripts = ScriptFrames(report)
        var ids = Set(report.images.compactMap(\.debugID))
        let frames = report.allFrames.filter(scripts.contains)
        // Frames of the app first: a report may name more scripts than the limit.
        for frame in frames.filter({ $0.inApp != false }) + frames.filter({ $0.inApp == false }) where ids.count < Symbolicating.fileLimit {
            ids.formUnion(scripts.ids(of: frame))
        }
        let stored = try await store.symbols(of: ids.map(\.text), app: app)
        func name(_ sum: String) -> String { SymbolFolder.name(app: app.rawValue, sum: sum) }
        let sources = stored.compactMap { symbols -> (DebugID, SymbolSource)? in
            guard let id = DebugID(symbols.debugID), let format = SymbolFormat(rawValue: symbols.format) else { return nil }
            return (id, SymbolSource(file: name(symbols.sha256), format: format, code: symbols.code.map { name($0.sha256) }))
        }
        return Dictionary(sources) { first, _ in first }
    }
}

extension Symbolicating {
    /// Walks the stacks of a minidump anew, with the unwind records of Breakpad files. The stacks stay if the dump is no longer stored.
    private func walk(_ report: inout CrashReport, of crash: CrashToSymbolicate, files: [DebugID: String]) async throws {
        guard let dump = try await store.minidump(of: crash.row) else {
            if report.isMinidumpPending { report.read(.invalid("it was not kept until it could be read")) }
            return
        }
        let reading: MinidumpReading
        do throws(ProgramError) {
            reading = try await minidumps.background.read(dump, of: crash.app, files: files)
        } catch {
            throw SymbolizerError.program(error)
        }
        // A stopped program's answer means nothing. One that fails with the files leaves the stacks as they are.
        try Task.checkCancellation()
        var isReport = false
        if case .report = reading { isReport = true }
        if isReport || report.isMinidumpPending { report.read(reading) }
    }
}

extension Symbolizer {
    convenience init(_ configuration: Configuration, folder: String) {
        let named = configuration.crashes.symbolizer
        let program = named.contains("/") ? named : Symbolizer.program(named, in: OwnProcess.searchPath)
        self.init(folder: folder, program: program, demangler: .ofDaemon(.background), mapped: .ofDaemon(in: folder), launcher: OwnProcess.daemon)
    }
}

extension Demangler {
    static func ofDaemon(_ patience: Patience) -> Demangler? {
        ReaderCommand.ofDaemon(DemangleCommand.name).map { Demangler($0, patience) }
    }
}

extension MappedPlaces {
    static func ofDaemon(in folder: String) -> MappedPlaces? {
        ReaderCommand.ofDaemon(ResolveCommand.name).map { MappedPlaces($0, in: folder) }
    }
}

extension ReaderCommand {
    /// Returns a reader of the ingestd executable, confined by it.
    static func ofDaemon(_ reader: String) -> ReaderCommand? {
        OwnProcess.daemon.map { ReaderCommand($0, [reader], launcher: $0) }
    }
}

extension OwnProcess {
    /// The ingestd executable: of this process, or in tests the one beside it.
    static var daemon: String? {
        guard let own = executable, let slash = own.lastIndex(of: "/") else { return nil }
        return own[...slash] + "ingestd"
    }
}
