// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The limits of the function store.
package struct FunctionBounds: Sendable {
    /// The functions of an app.
    package var functions = 500
    /// The unfinished runs of an app. Above it tasks are rejected, and triggers wait.
    package var waitingRuns = 1_000_000
    /// The time for which finished runs, dead ones included, are kept.
    package var runsKept = Timestamp.Span.days(7)
    /// The time for which the lines of logs are kept.
    package var logsKept = Timestamp.Span.days(7)
    /// The size of an app's logs, above which the oldest lines are removed.
    package var logBytes = 256 << 20
    package var queue = 8_192
    package var queueBytes = 64 << 20
    /// The rows that one transaction removes, so that writes do not wait for long.
    var removedAtOnce = 500

    /// The size of the data of a run.
    package static let bodyBytes = 256 << 10
    /// The size of a line of a log.
    package static let lineBytes = 4 << 10
    /// The time for which a function accepts the ID of a task once.
    package static let taskIDsKept = Timestamp.Span.hours(24)
    /// The longest time between the creation of a task and its run.
    package static let longestDelay = Timestamp.Span.days(30)
    /// The depth of runs that cause runs.
    package static let depth = 8

    package init() {}

    package static let settings: [Setting<FunctionBounds>] = [
        Setting("max_functions", .count(1...10_000, "functions"), \.functions, "Functions of an app"),
        Setting(
            "waiting_runs", .count(1...100_000_000, "runs"), \.waitingRuns,
            "Unfinished runs of an app, above which tasks are rejected and triggers wait"),
        Setting("run_hours", .hours(1...8_760), \.runsKept, "Hours for which finished runs and dead letters are kept"),
        Setting("log_hours", .hours(1...8_760), \.logsKept, "Hours for which lines of logs are kept"),
        Setting("log_size", .size(1 << 20...1 << 40), \.logBytes, "Size limit of an app's logs; the oldest lines are removed"),
        Setting("queue", .count(1...1_000_000, "changes"), \.queue, "Changes queued for writing above which requests are rejected"),
    ]
}
