// SPDX-License-Identifier: Apache-2.0

import Events
package import Platform
import Synchronization

/// The metrics and state of the write side, readable from any thread.
package final class EventGauges: Sendable {
    package let accepted: Counter
    package let duplicates: Counter
    package let quarantined: Counter
    /// Purchases of clients that trusted ones replaced.
    package let withdrawn: Counter
    package let commits: Counter
    package let failedCommits: Counter
    /// Requests rejected because the queue was full.
    package let rejected: Counter
    package let commitTime: Histogram
    package let walBytes: Gauge
    private let filterBytes: Gauge
    private let sessionParts: Gauge
    private let state = Mutex(State())

    package struct State: Sendable {
        /// The last number of the last commit.
        package var lastSeq: Int64 = 0
        package var rate = RateMeter()
        /// The error of the last commit; nil once a commit has succeeded.
        package var trouble: Refusal?
        /// The error of a checkpoint or fold after the last commit; nil once all have succeeded.
        package var upkeepTrouble: Refusal?
    }

    init(_ metrics: Metrics) {
        accepted = metrics.counter("signalbox_events_accepted_total", "Events stored.")
        duplicates = metrics.counter("signalbox_events_duplicate_total", "Events whose ID or transaction ID is already stored.")
        quarantined = metrics.counter("signalbox_events_quarantined_total", "Events quarantined with a reason.")
        withdrawn = metrics.counter("signalbox_purchases_withdrawn_total", "Purchases of clients that trusted purchases replaced.")
        commits = metrics.counter("signalbox_commits_total", "Commits of events.")
        failedCommits = metrics.counter("signalbox_commits_failed_total", "Failed commits of events; every request in them was answered with 503.")
        rejected = metrics.counter("signalbox_queue_refused_total", "Requests rejected with 429 because the write queue was full.")
        commitTime = metrics.histogram(
            "signalbox_commit_duration_seconds", "Duration of a commit of events, disk included.", bounds: Histogram.seconds)
        walBytes = metrics.gauge("signalbox_wal_bytes", "Size of the write-ahead logs of events.")
        sessionParts = metrics.gauge("signalbox_session_parts", "Parts of sessions in memory that are not stored yet.")
        filterBytes = metrics.gauge("signalbox_id_filter_bytes", "Memory of the filters of the dedupe index.")
    }

    /// Notes what the writer holds in memory.
    func holds(_ keys: DedupeHistory, sessionParts parts: Int) {
        filterBytes.set(Double(keys.ids.filterBytes + keys.transactions.filterBytes))
        sessionParts.set(Double(parts))
    }

    package var now: State { state.withLock { $0 } }

    func update(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
    }

    /// Counts the events of a committed transaction.
    func committed(_ outcomes: [EventJob.Outcome], in time: Duration, at now: Timestamp) {
        var stored = 0
        for case .events(let outcome) in outcomes {
            stored += outcome.accepted
            accepted.add(outcome.accepted)
            duplicates.add(outcome.duplicates)
            quarantined.add(outcome.quarantined)
        }
        commits.add()
        commitTime.observe(time)
        let second = now.milliseconds.flooredQuotient(by: 1_000)
        update { $0.rate.add(stored, at: second) }
    }
}
