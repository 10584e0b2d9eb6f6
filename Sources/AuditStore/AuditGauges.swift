// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The metrics of the audit log.
package final class AuditGauges: Sendable {
    package let failedCommits: Counter
    package let walBytes: Gauge
    let denied: Counter
    private let entries: MetricFamily<Counter>

    init(_ metrics: Metrics) {
        entries = metrics.counters("signalbox_audit_entries_total", "Audited actions that began.", labels: ["action"])
        denied = metrics.counter("signalbox_audit_denied_total", "Requests of keys whose role does not allow them.")
        walBytes = metrics.gauge("signalbox_audit_wal_bytes", "Size of the write-ahead log of audit.db.")
        failedCommits = metrics.counter("signalbox_audit_commits_failed_total", "Failed commits to audit.db; their actions were rejected.")
        for action in AuditAction.allCases where action != .roleDenied { _ = entries(action.rawValue) }
    }

    func began(_ action: AuditAction) { entries(action.rawValue).add() }
}
