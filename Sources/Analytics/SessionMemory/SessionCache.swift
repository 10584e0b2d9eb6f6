// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform
import Synchronization

/// The sessions of the apps that queries are run for.
///
/// An index is made of files by the first query. Later ones add the news of the writer:
///
///     first query of 30 days          reads 31 files                    index: 31 files
///     the next                        takes the news                    index: 31 files, some rows corrected
///     an erasure, lost news,          the index is dropped; the next query reads the files again
///     a removed file, a new timeout
///
/// Indexes share a limit of bytes. The one that was used longest ago is dropped first. An app whose index alone would exceed the limit is
/// counted from stored parts.
final class SessionCache: Sendable {
    /// The index of one app. Its queries take turns.
    private final class AppIndex: Sendable {
        let state = Mutex(SessionMemory())
    }

    private struct Use: Sendable {
        var index: AppIndex
        var last: ContinuousClock.Instant
        var bytes = 0
    }

    private let limit: Int
    private let open: OpenSessions
    private let removals: ErasureCount
    private let apps = Mutex<[AppID: Use]>([:])

    init(_ open: OpenSessions, _ removals: ErasureCount, limit: Int) {
        (self.open, self.removals, self.limit) = (open, removals, limit)
    }

    /// The bytes of all indexes.
    var bytes: Int { apps.withLock { $0.values.reduce(0) { $0 + $1.bytes } } }

    /// Counts the sessions of a scan; nil if the files have events that are in no part yet, or if the sessions do not fit into memory.
    func fold<Sums: SessionSums>(_ context: QueryContext, _ scan: SessionScan, into start: Sums) throws -> (sums: Sums, values: ValueTable)? {
        if limit == 0 { return nil }
        let app = apps.withLock { apps -> AppIndex in
            let use = apps[context.app] ?? Use(index: AppIndex(), last: .now)
            apps[context.app] = Use(index: use.index, last: .now, bytes: use.bytes)
            return use.index
        }
        let (found, bytes) = try app.state.withLock { state -> ((Sums, ValueTable)?, Int) in
            let isFilled = try state.fill(context, scan, open, removals, limit: limit)
            if !isFilled { open.stopRecording(context.app) }
            guard isFilled, let index = state.index else { return (nil, 0) }
            var (sums, pass) = (start, SessionPass(index, scan) { try context.subjectOwners(scan) })
            let values = try pass.count(into: &sums)
            return ((sums, values), index.bytes)
        }
        settle(context.app, app, bytes)
        return found
    }

    /// Drops the indexes of apps that were not used for some time.
    func forgetUnused(for time: Duration) {
        let unused = apps.withLock { apps in
            let unused = apps.filter { $0.value.last + time < .now }.map(\.key)
            for app in unused { apps[app] = nil }
            return unused
        }
        for app in unused { open.stopRecording(app) }
    }

    /// Records the size of an index and drops others until all are within the limit.
    private func settle(_ app: AppID, _ index: AppIndex, _ bytes: Int) {
        let oldest = apps.withLock { apps -> [AppID] in
            if apps[app]?.index === index { apps[app]?.bytes = bytes }
            var sum = apps.values.reduce(0) { $0 + $1.bytes }
            var dropped: [AppID] = []
            for (other, use) in apps.sorted(by: { $0.value.last < $1.value.last }) where sum > limit && other != app {
                sum -= use.bytes
                dropped.append(other)
            }
            for other in dropped { apps[other] = nil }
            return dropped
        }
        for other in oldest { open.stopRecording(other) }
    }
}
