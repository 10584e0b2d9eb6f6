// SPDX-License-Identifier: Apache-2.0

import Crashes
package import Platform
import SQLite

/// The metrics of one or more changes.
struct CrashTally {
    var taken: [CrashKind: Int] = [:]
    var duplicates = 0
    var blocked = 0
    var evicted = 0
    var evictedDumps = 0
    var symbolicated = 0
    var transitions: [IssueTransitionKind: Int] = [:]
    var attachments: [AttachmentOutcome: Int] = [:]

    mutating func add(_ other: CrashTally) {
        taken.merge(other.taken, uniquingKeysWith: +)
        duplicates += other.duplicates
        blocked += other.blocked
        evicted += other.evicted
        evictedDumps += other.evictedDumps
        symbolicated += other.symbolicated
        transitions.merge(other.transitions, uniquingKeysWith: +)
        attachments.merge(other.attachments, uniquingKeysWith: +)
    }
}

/// The metrics of the crash store, readable from any thread.
package final class CrashGauges: Sendable {
    package let duplicates: Counter
    package let blocked: Counter
    package let evicted: Counter
    package let evictedDumps: Counter
    package let symbolicated: Counter
    package let failedCommits: Counter
    package let walBytes: Gauge
    private let taken: MetricFamily<Counter>
    private let transitions: MetricFamily<Counter>
    private let attachments: MetricFamily<Counter>

    init(_ metrics: Metrics) {
        taken = metrics.counters("signalbox_crashes_accepted_total", "Crash reports stored and grouped.", labels: ["kind"])
        duplicates = metrics.counter("signalbox_crashes_duplicate_total", "Crash reports whose ID is already stored.")
        blocked = metrics.counter("signalbox_crashes_blocked_total", "Crash reports of blocked users, dropped.")
        evicted = metrics.counter(
            "signalbox_crash_documents_evicted_total", "Crash report documents evicted by a quota; the crashes stay counted.")
        evictedDumps = metrics.counter(
            "signalbox_minidumps_evicted_total", "Minidumps removed by the quota of their app; the crashes stay.")
        symbolicated = metrics.counter("signalbox_crashes_symbolicated_total", "Crash reports symbolicated with symbol files.")
        transitions = metrics.counters(
            "signalbox_issues_total", "Issues that appeared, regressed or were unmuted.", labels: ["turn"])
        attachments = metrics.counters(
            "signalbox_crash_attachments_total",
            "Attachments of crash reports: stored, duplicate, or lost because too large, over a limit of the report, without its report, or evicted.",
            labels: ["outcome"])
        walBytes = metrics.gauge("signalbox_crashes_wal_bytes", "Size of the write-ahead log of crashes.db.")
        failedCommits = metrics.counter(
            "signalbox_crashes_commits_failed_total", "Failed commits to crashes.db; nothing of them was acknowledged.")
        for kind in CrashKind.allCases { _ = taken(kind.name) }
        for outcome in AttachmentOutcome.allCases { _ = attachments(outcome.rawValue) }
        for kind in IssueTransitionKind.allCases where kind.causesAlert { _ = transitions(kind.name) }
    }

    func add(_ tally: CrashTally) {
        for (kind, count) in tally.taken { taken(kind.name).add(count) }
        for (kind, count) in tally.transitions { transitions(kind.name).add(count) }
        for (outcome, count) in tally.attachments { attachments(outcome.rawValue).add(count) }
        duplicates.add(tally.duplicates)
        blocked.add(tally.blocked)
        evicted.add(tally.evicted)
        evictedDumps.add(tally.evictedDumps)
        symbolicated.add(tally.symbolicated)
    }
}
