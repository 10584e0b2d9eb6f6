// SPDX-License-Identifier: Apache-2.0

package import Functions
package import Platform

/// The metrics of the function store, readable from any thread. They are kept in memory, so a scrape runs no query.
package final class FunctionGauges: Sendable {
    package let walBytes: Gauge
    package let failedCommits: Counter
    private let open: MetricFamily<Gauge>
    private let finished: MetricFamily<Counter>
    let logLines: Counter
    private let schedules: MetricFamily<Counter>

    init(_ metrics: Metrics) {
        open = metrics.gauges("signalbox_function_runs_open", "Unfinished runs by state.", labels: ["state"])
        finished = metrics.counters("signalbox_function_runs_total", "Finished runs by outcome; retried counts each retry.", labels: ["outcome"])
        logLines = metrics.counter("signalbox_function_log_lines_total", "Lines added to logs of functions.")
        schedules = metrics.counters(
            "signalbox_function_schedules_total",
            "Times of schedules that passed: with a run on time, with a late one, or skipped; and those that had to wait for a place.",
            labels: ["outcome"])
        for outcome in ScheduleOutcome.allCases { _ = schedules(outcome.rawValue) }
        walBytes = metrics.gauge("signalbox_functions_wal_bytes", "Size of the write-ahead log of functions.db.")
        failedCommits = metrics.counter(
            "signalbox_functions_commits_failed_total", "Failed commits to functions.db; nothing of them was acknowledged.")
        for state in RunState.allCases { if state.isOpen { _ = open(state.name) } else { _ = finished(state.name) } }
        _ = finished("retried")
    }

    /// Initializes the gauges from the database.
    func begin(with file: FunctionDB) throws {
        for (state, count) in try file.countsByState() where state.isOpen { open(state.name).set(Double(count)) }
    }

    func add(_ tally: RunTally) {
        for (state, count) in tally.states where state.isOpen { open(state.name).add(Double(count)) }
        for (state, count) in tally.entered where !state.isOpen || state == .retrying {
            finished(state == .retrying ? "retried" : state.name).add(count)
        }
        logLines.add(tally.lines)
        for (outcome, count) in tally.schedules { schedules(outcome.rawValue).add(count) }
    }

    /// Returns the number of runs in an open state.
    package func count(_ state: RunState) -> Int { Int(open(state.name).value) }
}

/// The outcome of a time of a schedule.
enum ScheduleOutcome: String, CaseIterable {
    case onTime = "on_time"
    /// A run more than a minute late.
    case late
    /// No run of its own.
    case skipped
    /// No place for a run among the unfinished ones at first. It counts again as `late` or `skipped`.
    case waited
}

/// An attempt of a run that has ended.
struct EndedAttempt {
    var function: Int64
    var milliseconds: Int64
    var hasFailed: Bool
}

/// The metrics of one or more changes.
struct RunTally {
    /// The number of runs that entered each state.
    var entered: [RunState: Int] = [:]
    /// The change in the number of runs in each state.
    var states: [RunState: Int] = [:]
    var lines = 0
    var schedules: [ScheduleOutcome: Int] = [:]
    var attempts: [EndedAttempt] = []

    mutating func add(_ other: RunTally) {
        entered.merge(other.entered, uniquingKeysWith: +)
        states.merge(other.states, uniquingKeysWith: +)
        lines += other.lines
        schedules.merge(other.schedules, uniquingKeysWith: +)
        attempts += other.attempts
    }
}
