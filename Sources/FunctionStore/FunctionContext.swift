// SPDX-License-Identifier: Apache-2.0

import Database
import Functions
import Messaging
import Platform

/// The database as the writer's changes see it, with what a transaction causes after its commit.
///
/// A failed change must leave no trace, so its counts are held apart until `writeCounts`.
package final class FunctionContext {
    let file: FunctionDB
    let now: Timestamp
    let bounds: FunctionBounds
    /// The functions from which claims are served.
    let origins: DueFunctions
    let claims: ClaimNumbers<FunctionDB>
    private var counts: [CountKey: Int] = [:]
    private var ofThisChange = RunTally()
    /// The metrics of the completed changes.
    private(set) var tally = RunTally()
    /// The functions with new work, by the time it is due.
    private(set) var due: [Int64: Int64] = [:]
    /// The functions that were created, replaced or deleted, with their targets; nil for a deleted one.
    private(set) var targets: [Int64: FunctionDefinition.Target?] = [:]
    /// The apps whose logs have new lines.
    private(set) var logged: Set<AppID> = []
    /// Whether dead runs are carried out again.
    var redrives = false
    /// Whether the change leaves rows to remove.
    var leavesWork = false
    /// Whether the write-ahead log must be truncated, because it still contains removed data.
    var emptiesLog = false

    struct CountKey: Hashable {
        var app: AppID
        var function: Int64
        var state: RunState
    }

    init(_ file: FunctionDB, now: Timestamp, bounds: FunctionBounds, origins: DueFunctions, claims: ClaimNumbers<FunctionDB>) {
        (self.file, self.now, self.bounds, self.origins, self.claims) = (file, now, bounds, origins, claims)
    }

    func isDue(_ function: Int64, at time: Int64) { due[function] = min(due[function] ?? .max, time) }

    func didSet(_ target: FunctionDefinition.Target?, of function: Int64) { targets[function] = .some(target) }

    func didLog(in app: AppID) {
        logged.insert(app)
        ofThisChange.lines += 1
    }

    func didPass(_ schedule: ScheduleOutcome, times: Int = 1) { ofThisChange.schedules[schedule, default: 0] += times }

    func didEnd(_ attempt: EndedAttempt) { ofThisChange.attempts.append(attempt) }

    /// Counts runs that were created in a state or moved between states.
    func count(_ number: Int = 1, of function: Int64, app: AppID, from old: RunState? = nil, to new: RunState) {
        if let old { counts[CountKey(app: app, function: function, state: old), default: 0] -= number }
        counts[CountKey(app: app, function: function, state: new), default: 0] += number
        if old != new { ofThisChange.entered[new, default: 0] += number }
    }

    /// Counts removed runs.
    func uncount(_ number: Int = 1, of function: Int64, app: AppID, from state: RunState) {
        counts[CountKey(app: app, function: function, state: state), default: 0] -= number
    }

    /// Returns the number of unfinished runs of an app, with those that this change makes.
    func openRuns(of app: AppID) throws -> Int {
        let ofThisChange = counts.reduce(0) { sum, count in
            count.key.app == app && count.key.state.rawValue < RunState.done.rawValue ? sum + count.value : sum
        }
        return try file.openRuns(of: app) + ofThisChange
    }

    /// Writes the counts at the end of a change.
    func writeCounts() throws {
        for (key, count) in counts where count != 0 {
            try file.add(count, to: key)
            ofThisChange.states[key.state, default: 0] += count
        }
        tally.add(ofThisChange)
        forgetCounts()
    }

    /// Drops the counts of a failed change.
    func forgetCounts() { (counts, ofThisChange) = ([:], RunTally()) }
}
