// SPDX-License-Identifier: Apache-2.0

import Functions
import Platform
import Synchronization

/// The ages of the changes that triggers have not seen yet, by app and source, and the numbers of reads of the sources and of gaps.
final class TriggerLags: Sendable {
    /// The sources with a cursor.
    static let kinds: [FunctionTrigger.Kind] = [.event, .issue, .user, .document, .file]

    private struct Key: Hashable {
        var app: AppID
        var kind: FunctionTrigger.Kind
    }

    /// Without sources that have nothing unseen.
    private let ages = Mutex<[Key: Timestamp.Span]>([:])
    private let reads: MetricFamily<Counter>
    private let losses: MetricFamily<Counter>

    init(_ metrics: Metrics) {
        reads = metrics.counters("signalbox_function_source_reads_total", "Reads of changes for triggers.", labels: ["source"])
        losses = metrics.counters(
            "signalbox_function_source_gaps_total", "Gaps in what triggers read, because the source had removed changes before.", labels: ["source"])
        for kind in Self.kinds { (_, _) = (reads(kind.rawValue), losses(kind.rawValue)) }
        metrics.gauges("signalbox_function_cursor_lag_seconds", "Age of the changes that triggers have not seen yet.", labels: ["source"]) {
            [weak self] in
            Self.kinds.map { ([$0.rawValue], self?.seconds(of: $0) ?? 0) }
        }
    }

    func didRead(_ kind: FunctionTrigger.Kind) { reads(kind.rawValue).add() }

    func didLose(_ kind: FunctionTrigger.Kind) { losses(kind.rawValue).add() }

    func set(_ age: Timestamp.Span?, _ kind: FunctionTrigger.Kind, _ app: AppID) { ages.withLock { $0[Key(app: app, kind: kind)] = age } }

    /// Forgets sources that no trigger reads any more.
    func keep(_ isRead: (FunctionTrigger.Kind, AppID) -> Bool) { ages.withLock { ages in ages = ages.filter { isRead($0.key.kind, $0.key.app) } } }

    /// Returns the age in seconds for one app; 0 if all was seen.
    func seconds(of kind: FunctionTrigger.Kind, _ app: AppID) -> Double {
        ages.withLock { $0[Key(app: app, kind: kind)] }.map(Self.seconds) ?? 0
    }

    /// The age of the app that is furthest behind.
    private func seconds(of kind: FunctionTrigger.Kind) -> Double {
        ages.withLock { ages in ages.filter { $0.key.kind == kind }.values.map(Self.seconds).max() ?? 0 }
    }

    private static func seconds(_ age: Timestamp.Span) -> Double { max(0, Double(age.milliseconds) / 1_000) }
}
