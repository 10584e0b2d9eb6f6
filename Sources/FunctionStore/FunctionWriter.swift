// SPDX-License-Identifier: Apache-2.0

import Database
import Functions
import Messaging
import Platform
import SQLite

/// A commit to `functions.db`, for what follows from it.
struct CommittedFunctions: Sendable {
    /// Whether a run is due earlier than the sender knows.
    var isDueEarlier = false
    /// Whether a run is to be published earlier than the publisher knows.
    var isPublishedEarlier = false
    var logged: Set<AppID> = []
    /// Whether dead runs are carried out again.
    var redrives = false
}

/// The only writer of `functions.db`. Between commits it removes what is past its retention.
final class FunctionWriter: ChangeWriter {
    private static let choresAfter = Duration.seconds(20)

    private let file: FunctionDB
    let files: WriterFiles
    private let bounds: FunctionBounds
    private let clock: WallClock
    private let clockWatch: ClockWatch
    private let gauges: FunctionGauges
    private let activity: FunctionActivity
    private let due = DueFunctions()
    /// Whether `due` may lack functions, because a claim took them out and then failed.
    private var mustLookUpDue = true
    private let claims: ClaimNumbers<FunctionDB>
    private var nextChores = ContinuousClock.now

    init(_ file: FunctionDB, _ bounds: FunctionBounds, _ shared: StoreParts, _ gauges: FunctionGauges, _ activity: FunctionActivity) throws {
        (self.file, self.bounds, self.gauges, self.activity) = (file, bounds, gauges, activity)
        (clock, clockWatch) = (shared.clock, shared.clockWatch)
        files = WriterFiles(
            file.connection, checkpointPages: 1_000, shared.failStop, failedCommits: gauges.failedCommits, walBytes: gauges.walBytes,
            operation: "could not commit functions", shared.troubles, shared.spare)
        claims = try ClaimNumbers(of: file)
        try file.connection.begin()
        try claims.endEarlier()
        try file.endLeases(at: clock.now())
        try file.connection.commit()
        try gauges.begin(with: file)
        for function in try file.functions() { due.note(function.id, function.definition.target) }
        try lookUpDue()
    }

    func commit(_ changes: [Change<FunctionContext>]) throws -> (failures: [(any Error)?], notice: CommittedFunctions) {
        try transaction { context in try changes.map { try make($0, context) } }
    }

    private func transaction<T>(_ body: (FunctionContext) throws -> T) throws -> (T, CommittedFunctions) {
        let context = FunctionContext(file, now: clock.now(), bounds: bounds, origins: due, claims: claims)
        do {
            try lookUpDue()
            let result = try files.commit {
                let result = try body(context)
                try context.writeCounts()
                try claims.store()
                return result
            }
            return (result, committed(context))
        } catch {
            mustLookUpDue = true
            throw error
        }
    }

    private func lookUpDue() throws {
        guard mustLookUpDue else { return }
        for (function, time) in try file.earliestDue() { _ = due.add(function, due: time) }
        mustLookUpDue = false
    }

    private func make(_ change: Change<FunctionContext>, _ context: FunctionContext) throws -> (any Error)? {
        let failure = try files.attempt {
            try change.body(context)
            try context.writeCounts()
        }
        guard let failure else { return nil }
        context.forgetCounts()
        if !(failure is Refusal) { mustLookUpDue = true }
        return failure
    }

    private func committed(_ context: FunctionContext) -> CommittedFunctions {
        var notice = CommittedFunctions(logged: context.logged, redrives: context.redrives)
        for (function, target) in context.targets { if let target { due.note(function, target) } else { due.forget(function) } }
        for (function, time) in context.due {
            guard let queue = due.add(function, due: time) else { continue }
            if queue === due.requests { notice.isDueEarlier = true } else { notice.isPublishedEarlier = true }
        }
        if context.leavesWork { nextChores = .now }
        if context.emptiesLog { files.emptyLogs() }
        gauges.add(context.tally)
        for attempt in context.tally.attempts {
            activity.note(attempt.function, after: .milliseconds(attempt.milliseconds), failed: attempt.hasFailed, at: clock.now())
        }
        return notice
    }

    var nextWork: NextWork {
        let now = ContinuousClock.now
        return nextChores <= now ? .now : .after(nextChores - now)
    }

    /// Removes some rows whose time is over. The next ones follow at once, after the commits that wait.
    func work() -> CommittedFunctions? {
        nextChores = .now + FunctionWriter.choresAfter
        let isBelieved = clockWatch.isBelieved
        guard let (removed, notice) = try? transaction({ try $0.removeSome(byAge: isBelieved) }) else { return nil }
        if removed > 0 { nextChores = .now }
        return removed > 0 ? notice : nil
    }

    func maintain() { files.checkpoint() }

    func close() { files.close() }
}
