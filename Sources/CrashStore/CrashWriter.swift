// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crashes
import Database
import Platform
import SQLite

/// The only writer of `crashes.db`. It commits groups of changes and runs background work in small steps between them.
///
/// Neighbouring intake changes are made as one, so that their reports share one update of an issue. Other changes fail alone:
///
///     queue   [take, take, take, close issue, take]
///     runs    [take, take, take] [close issue] [take]     one transaction, one savepoint per run
final class CrashWriter: ChangeWriter {
    private let file: CrashDB
    let files: WriterFiles
    private let limits: CrashBounds
    private let directory: DirectoryCache
    private let clock: WallClock
    private let gauges: CrashGauges
    private var chores: CrashChores

    struct Notice {
        /// Whether an issue has appeared, regressed or was unmuted, or its held alert is due.
        var hasTransitions = false
        /// Whether there are reports to symbolicate.
        var hasSymbolWork = false
    }

    package init(_ file: CrashDB, _ limits: CrashBounds, _ directory: DirectoryCache, _ shared: StoreParts, _ gauges: CrashGauges) throws {
        self.file = file
        self.limits = limits
        self.directory = directory
        clock = shared.clock
        self.gauges = gauges
        files = WriterFiles(
            file.connection, checkpointPages: limits.checkpointPages, shared.failStop, failedCommits: gauges.failedCommits, walBytes: gauges.walBytes,
            operation: "could not commit crashes", shared.troubles, shared.spare)
        // No lease survives a restart, because symbolication runs in this process.
        try file.statement("UPDATE to_symbolicate SET leased = 0 WHERE leased > 0").run()
        chores = CrashChores(overfull: try file.overfullIssues(limits), now: clock.now())
    }

    var nextWork: NextWork { chores.nextWork(at: clock.now()) }

    func commit(_ changes: [Change<CrashFileContext>]) throws -> (failures: [(any Error)?], notice: Notice) {
        let context = context()
        var failures: [(any Error)?] = []
        try files.commit {
            for run in changes.split(wherever: { !($0.joins && $1.joins) }) {
                let failure = try make(run, context)
                failures += run.map { _ in failure }
            }
        }
        return (failures, committed(context))
    }

    func work() -> Notice? {
        let context = context()
        do {
            try files.commit {
                try chores.step(context)
                try context.write()
            }
        } catch {
            chores.failed(at: clock.now())
            return nil
        }
        return committed(context)
    }

    func maintain() { files.checkpoint() }

    func close() { files.close() }

    private func context() -> CrashFileContext {
        CrashFileContext(file, now: clock.now(), limits: limits, directory.now)
    }

    /// Makes changes inside one savepoint. Returns their common error, if any.
    private func make(_ changes: ArraySlice<Change<CrashFileContext>>, _ context: CrashFileContext) throws -> (any Error)? {
        let failure = try files.attempt {
            for change in changes { try change.body(context) }
            try context.write()
        }
        if failure != nil { context.forget() }
        return failure
    }

    private func committed(_ context: CrashFileContext) -> Notice {
        if context.leavesWork { chores.noteWork() }
        chores.add(context.overfull)
        gauges.add(context.tally)
        if context.emptiesLog {
            files.emptyLogs()
            files.checkpoint()
        }
        return Notice(hasTransitions: context.hasDueAlerts || !context.tally.transitions.isEmpty, hasSymbolWork: context.hasSymbolWork)
    }
}

extension Array {
    /// Splits the array between neighbours for which `isCut` returns true.
    fileprivate func split(wherever isCut: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var parts: [ArraySlice<Element>] = []
        var start = startIndex
        for place in indices.dropFirst() where isCut(self[place - 1], self[place]) {
            parts.append(self[start..<place])
            start = place
        }
        return isEmpty ? [] : parts + [self[start...]]
    }
}
