// SPDX-License-Identifier: Apache-2.0

import Files
package import Platform
import Synchronization

/// The metrics of the file store.
package final class FileGauges: Sendable {
    /// Why a request was refused.
    private enum Refused: String, CaseIterable {
        case quota, condition, disk, checksum, uploads, size, rules, missing, other
    }

    let bytes: Gauge
    let files: Gauge
    let uploads: Gauge
    let leaving: Gauge
    package let uploadedBytes: Counter
    let syncSeconds: Histogram
    package let failedCommits: Counter
    package let walBytes: Gauge
    private let refused: MetricFamily<Counter>
    private let sent = Atomic<Int>(0)

    init(_ metrics: Metrics) {
        bytes = metrics.gauge("signalbox_files_bytes", "Bytes of stored files.")
        files = metrics.gauge("signalbox_files_stored", "Stored files.")
        uploads = metrics.gauge("signalbox_files_uploads_open", "Open resumable uploads.")
        leaving = metrics.gauge("signalbox_files_leaving", "Replaced and deleted files that are still on the disk.")
        uploadedBytes = metrics.counter("signalbox_files_upload_bytes_total", "Bytes received of uploads.")
        refused = metrics.counters("signalbox_files_refused_total", "Requests about files refused by reason.", labels: ["reason"])
        syncSeconds = metrics.histogram(
            "signalbox_files_sync_seconds", "Seconds until the bytes of an upload were on the disk.", bounds: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10])
        walBytes = metrics.gauge("signalbox_files_wal_bytes", "Size of the write-ahead log of files.db.")
        failedCommits = metrics.counter("signalbox_files_commits_failed_total", "Failed commits to files.db; nothing of them was acknowledged.")
        for reason in Refused.allCases { _ = refused(reason.rawValue) }
    }

    /// Counts a refused request about files.
    package func count(_ code: Refusal.Code) {
        let reason: Refused =
            switch code {
            case .quotaExceeded: .quota
            case .preconditionFailed: .condition
            case .storageFull: .disk
            case .checksumMismatch: .checksum
            case .limitReached: .uploads
            case .tooLarge: .size
            case .permissionDenied: .rules
            case .notFound: .missing
            default: .other
            }
        refused(reason.rawValue).add(1)
    }

    /// The bytes sent of files that lie in the database. The server counts those of files on the disk.
    package var sentSmallBytes: Int { sent.load(ordering: .relaxed) }

    package func countSent(_ bytes: Int) { sent.wrappingAdd(bytes, ordering: .relaxed) }
}
