// SPDX-License-Identifier: Apache-2.0

import Database
import Functions
import JSON
package import Platform
import SQLite
import Synchronization

/// Runs by the clock. The next time of each schedule is stored, and a run is made in the transaction that moves it on.
///
///     next 9:00, now 9:00:00.1      a run for 9:00; next tomorrow 9:00
///     stopped from 8:00 to 12:00    `missed: once`: a run for 9:00; `skip`: none
///     too many unfinished runs      the same, once the app has a place for a run; until then a warning
///
/// Times without a run of their own are counted as skipped, and the log of the function names them.
extension FunctionStore {
    /// The lateness from which a time counts as missed.
    private static let missedAfter = Timestamp.Span.minutes(1)

    /// Makes the runs of all schedules that are due. Returns the time of the next one; nil without schedules.
    package func runDueSchedules() async throws -> Timestamp? {
        let now = clock.now()
        let bound = bounds.waitingRuns
        let (next, hasDue, waiting) = try await read { file in
            let next = try file.nextSchedule()
            guard let next, next <= now else { return (next, false, [DueSchedule]()) }
            return (next, try !file.schedules(dueBy: now, waitingRuns: bound).isEmpty, try file.schedulesWithoutPlace(dueBy: now, waitingRuns: bound))
        }
        let new = schedulesWithoutPlace.replace(by: waiting)
        guard hasDue || !new.isEmpty else { return next }
        do {
            return try await change { context in
                for due in new { try context.noteWaiting(due) }
                for due in try context.file.schedules(dueBy: context.now, waitingRuns: bound) { try context.run(due) }
                return try context.file.nextSchedule()
            }
        } catch {
            schedulesWithoutPlace.forget(new)
            throw error
        }
    }

    fileprivate static func isMissed(_ time: Timestamp, now: Timestamp) -> Bool { now - time > missedAfter }
}

/// A schedule whose time has come.
struct DueSchedule: Hashable {
    var function: Int64
    var cron: String
    var time: Timestamp
}

/// The due schedules of apps with too many unfinished runs, for one line in the log each. A restart forgets them.
final class SchedulesWithoutPlace: Sendable {
    private let noted = Mutex<Set<DueSchedule>>([])

    /// Takes over those that wait now. Returns those that did not wait before.
    func replace(by waiting: [DueSchedule]) -> [DueSchedule] {
        noted.withLock { noted in
            defer { noted = Set(waiting) }
            return waiting.filter { !noted.contains($0) }
        }
    }

    /// Forgets some whose lines could not be stored.
    func forget(_ waiting: [DueSchedule]) { noted.withLock { $0.subtract(waiting) } }
}

/// Times of a schedule that passed together, the first of which is due.
struct PassedTimes: Equatable {
    /// Further ones are not counted.
    static let most = 1_000

    let first: Timestamp
    private(set) var last: Timestamp
    private(set) var count = 1

    init(from first: Timestamp, through now: Timestamp, of schedule: CronSchedule) {
        (self.first, last) = (first, first)
        while count < PassedTimes.most, let next = schedule.next(after: last), next <= now {
            last = next
            count += 1
        }
    }

    /// "2026-11-27T08:00:00.000Z", "the 3 times from … to …", "the 1000 or more times from … to …".
    var text: String {
        if count == 1 { return first.rfc3339 }
        return "the \(count)\(count == PassedTimes.most ? " or more" : "") times from \(first.rfc3339) to \(last.rfc3339)"
    }
}

extension FunctionContext {
    /// Sets the next times of the schedules of a function. Those that it had before keep theirs.
    func setSchedules(of function: StoredFunction) throws {
        let schedules = function.definition.schedules
        for cron in try file.crons(of: function.id) where !schedules.contains(where: { $0.identity.hasSameBytes(as: cron) }) {
            try file.statement("DELETE FROM schedules WHERE function = ? AND cron = ?").run(.integer(function.id), .text(cron))
        }
        for trigger in schedules {
            guard let next = trigger.schedule.next(after: now) else { continue }
            try file.statement("INSERT OR IGNORE INTO schedules (function, cron, next) VALUES (?, ?, ?)").run(
                .integer(function.id), .text(trigger.identity), .integer(next.milliseconds))
            // A time that a wrong clock left is too far ahead.
            try file.statement("UPDATE schedules SET next = ?1 WHERE function = ?2 AND cron = ?3 AND next > ?4").run(
                .integer(next.milliseconds), .integer(function.id), .text(trigger.identity), .integer((next + .days(2)).milliseconds))
        }
    }

    fileprivate func run(_ due: DueSchedule) throws {
        guard let function = try file.function(due.function),
            let trigger = function.definition.schedules.first(where: { $0.identity.hasSameBytes(as: due.cron) }),
            let next = trigger.schedule.next(after: max(now, due.time))
        else {
            try file.statement("DELETE FROM schedules WHERE function = ? AND cron = ?").run(.integer(due.function), .text(due.cron))
            return
        }
        // Times before this one may have taken the last places.
        guard try openRuns(of: function.app) < bounds.waitingRuns else { return }
        try file.statement("UPDATE schedules SET next = ? WHERE function = ? AND cron = ?").run(
            .integer(next.milliseconds), .integer(due.function), .text(due.cron))
        let isMissed = FunctionStore.isMissed(due.time, now: now)
        let passed = PassedTimes(from: due.time, through: now, of: trigger.schedule)
        if isMissed, trigger.missed == .skip {
            return try skip(due, passed, of: function, because: passed.count == 1 ? "it was missed" : "they were missed")
        }
        if !trigger.mayOverlap, try file.hasOpenRun(ofSchedule: due.cron, due.function) {
            return try skip(due, passed, of: function, because: "an earlier run is unfinished")
        }
        var run = NewRun(type: "schedule", body: FunctionContext.body(trigger, at: due.time))
        (run.subject, run.identity, run.at) = (due.cron, "schedule \(due.cron) \(due.time.milliseconds)", due.time)
        try add(run.ordered(by: function.definition.order), to: function.id, app: function.app)
        didPass(isMissed ? .late : .onTime)
        if passed.count > 1 { try mergeTimes(due, passed, of: function) }
    }

    /// Notes times without a run in the log of the function.
    private func skip(_ due: DueSchedule, _ passed: PassedTimes, of function: StoredFunction, because reason: String) throws {
        didPass(.skipped, times: passed.count)
        try warn("schedule \(due.cron): no run for \(passed.text), because \(reason)", function)
    }

    /// Notes that several times have one run.
    private func mergeTimes(_ due: DueSchedule, _ passed: PassedTimes, of function: StoredFunction) throws {
        didPass(.skipped, times: passed.count - 1)
        try warn("schedule \(due.cron): one run for \(passed.text), which passed before it could start", function)
    }

    /// Notes a time whose run waits for a place.
    fileprivate func noteWaiting(_ due: DueSchedule) throws {
        guard let function = try file.function(due.function) else { return }
        didPass(.waited)
        let reason = "because the app has too many unfinished runs (functions.waiting_runs)"
        try warn("schedule \(due.cron): the run for \(due.time.rfc3339) waits, \(reason)", function)
    }

    private func warn(_ line: String, _ function: StoredFunction) throws {
        try add(LogLine(level: .warning, line), of: function.id, app: function.app, run: nil)
    }

    private static func body(_ trigger: ScheduleTrigger, at time: Timestamp) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("cron", trigger.schedule.text)
        json.field("tz", trigger.schedule.zone.name)
        json.field("time", time.rfc3339)
        json.endObject()
        return json.bytes
    }
}

extension FunctionDefinition {
    var schedules: [ScheduleTrigger] {
        triggers.compactMap { if case .schedule(let schedule) = $0 { schedule } else { nil } }
    }
}

extension ScheduleTrigger {
    /// The text by which its next time is stored: `0 9 * * 1-5 Europe/Berlin`.
    fileprivate var identity: String { "\(schedule.text) \(schedule.zone.name)" }
}

extension FunctionDB {
    fileprivate func nextSchedule() throws -> Timestamp? {
        try statement("SELECT next FROM schedules ORDER BY next LIMIT 1").first { Timestamp(milliseconds: $0.integer(0)) }
    }

    /// Returns due schedules. Those of apps with too many unfinished runs wait.
    fileprivate func schedules(dueBy now: Timestamp, waitingRuns bound: Int) throws -> [DueSchedule] {
        try schedules(dueBy: now, waitingRuns: bound, ofFullApps: false)
    }

    /// Returns due schedules that wait, because their app has too many unfinished runs.
    fileprivate func schedulesWithoutPlace(dueBy now: Timestamp, waitingRuns bound: Int) throws -> [DueSchedule] {
        try schedules(dueBy: now, waitingRuns: bound, ofFullApps: true)
    }

    private func schedules(dueBy now: Timestamp, waitingRuns bound: Int, ofFullApps: Bool) throws -> [DueSchedule] {
        let sql = """
            SELECT function, cron, next FROM schedules WHERE next <= ?1 AND function \(ofFullApps ? "" : "NOT ")IN (
                SELECT id FROM functions WHERE app IN (
                    SELECT app FROM run_counts WHERE state < \(sql: RunState.done) GROUP BY app HAVING sum(count) >= ?2))
            ORDER BY next LIMIT 500
            """
        return try statement(sql).all(.integer(now.milliseconds), .integer(bound)) {
            DueSchedule(function: $0.integer(0), cron: $0.text(1), time: Timestamp(milliseconds: $0.integer(2)))
        }
    }

    fileprivate func crons(of function: Int64) throws -> [String] {
        try statement("SELECT cron FROM schedules WHERE function = ?").all(.integer(function)) { $0.text(0) }
    }

    fileprivate func hasOpenRun(ofSchedule cron: String, _ function: Int64) throws -> Bool {
        try statement("SELECT 1 FROM runs WHERE function = ? AND state IN (1, 2, 3) AND type = 'schedule' AND subject = ? LIMIT 1").first(
            .integer(function), .text(cron)
        ) { _ in true } ?? false
    }
}
