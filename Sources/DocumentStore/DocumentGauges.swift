// SPDX-License-Identifier: Apache-2.0

package import Platform
import Rules
import Synchronization

/// The metrics of the document store.
package final class DocumentGauges: Sendable {
    package let failedCommits: Counter
    package let walBytes: Gauge
    let logBytes: Gauge
    let streams: Gauge
    let examined: Counter
    let expired: Counter
    let commitTime: Histogram
    let rejected: Counter
    let slowQueries: Counter
    let indexBuilds: Counter
    let indexesBuilding: Gauge
    private let applied: Counter
    private let refused: Counter
    private let allowed: Counter
    private let denied: Counter
    private let exceeded: MetricFamily<Counter>
    private let troubles = Mutex(Troubles())

    /// The errors that keep the store from writing.
    package struct Troubles: Sendable {
        /// The error of the last commit; nil once a synced commit has changed something, and a full disk has room.
        package var commit: Refusal?
        /// The error of the last checkpoint.
        package var checkpoint: Refusal?
    }

    /// The time from which a query is counted as slow.
    static let slowQuery = Duration.seconds(1)

    /// The result of a write.
    enum Write {
        case applied, refused
    }

    init(_ metrics: Metrics) {
        let writes = metrics.counters("signalbox_documents_writes_total", "Writes of documents by result.", labels: ["result"])
        (applied, refused) = (writes("applied"), writes("refused"))
        examined = metrics.counter("signalbox_documents_examined_total", "Documents that queries examined.")
        expired = metrics.counter("signalbox_documents_expired_total", "Documents that were deleted because their time was over.")
        slowQueries = metrics.counter(
            "signalbox_documents_queries_slow_total", "Queries that took a second or more, and reads that were stopped as too expensive.")
        commitTime = metrics.histogram(
            "signalbox_documents_commit_duration_seconds", "Duration of a commit of documents, disk included.", bounds: Histogram.seconds)
        rejected = metrics.counter(
            "signalbox_documents_queue_refused_total", "Requests rejected with 429 because too many changes of documents waited.")
        indexBuilds = metrics.counter("signalbox_documents_index_builds_total", "Indexes that were built to the end.")
        indexesBuilding = metrics.gauge("signalbox_documents_indexes_building", "Indexes that do not have the entries of all documents yet.")
        streams = metrics.gauge("signalbox_documents_streams", "Open streams that listen to documents.")
        logBytes = metrics.gauge("signalbox_documents_log_bytes", "Size of the change log of documents.")
        walBytes = metrics.gauge("signalbox_documents_wal_bytes", "Size of the write-ahead log of documents.db.")
        failedCommits = metrics.counter(
            "signalbox_documents_commits_failed_total", "Failed commits to documents.db; nothing of them was acknowledged.")
        let decisions = metrics.counters("signalbox_documents_rule_decisions_total", "Decisions of security rules by result.", labels: ["result"])
        (allowed, denied) = (decisions("allowed"), decisions("denied"))
        exceeded = metrics.counters(
            "signalbox_documents_rule_limits_total", "Denials because security rules exceeded a limit, by limit.", labels: ["limit"])
    }

    package var storageTroubles: Troubles { troubles.withLock { $0 } }

    func update(_ body: (inout Troubles) -> Void) { troubles.withLock { body(&$0) } }

    func count(_ decision: RuleDecision) {
        (decision.isAllowed ? allowed : denied).add(1)
        if !decision.isAllowed, let limit = decision.limit { exceeded(limit.rawValue).add() }
    }

    func count(_ result: Write, _ number: Int = 1) {
        if number == 0 { return }
        switch result {
        case .applied: applied.add(number)
        case .refused: refused.add(number)
        }
    }
}
