// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The sessions of the apps that queries are run for.
///
/// An index is made of files by the first query. Later ones add the news of the writer:
///
///     first query of 30 days          reads 31 files                    index: 31 files
///     the next                        takes the news                    index: 31 files, some rows corrected
///     an erasure, lost news,          the index is dropped; the next query reads the files again
///     a removed file, a new timeout
///
/// An app whose index alone would exceed the limit of all indexes is counted from stored parts.
final class SessionCache: Sendable {
    private let open: OpenSessions
    private let removals: ErasureCount
    private let apps: AppIndexes<SessionMemory>

    init(_ open: OpenSessions, _ removals: ErasureCount, limit: Int) {
        (self.open, self.removals) = (open, removals)
        apps = AppIndexes(limit: limit, empty: SessionMemory()) { open.stopRecording($0) }
    }

    /// The bytes of all indexes.
    var bytes: Int { apps.bytes }

    /// Counts the sessions of a scan; nil if the files have events that are in no part yet, or if the sessions do not fit into memory.
    func fold<Sums: SessionSums>(_ context: QueryContext, _ scan: SessionScan, into start: Sums) throws -> (sums: Sums, values: ValueTable)? {
        if apps.limit == 0 { return nil }
        return try apps.use(context.app) { memory -> ((Sums, ValueTable)?, bytes: Int) in
            let isFilled = try memory.fill(context, scan, open, removals, limit: apps.limit)
            if !isFilled { open.stopRecording(context.app) }
            guard isFilled, let index = memory.index else { return (nil, 0) }
            var (sums, pass) = (start, SessionPass(index, scan) { try context.subjectOwners(scan) })
            let values = try pass.count(into: &sums)
            return ((sums, values), index.bytes)
        }
    }

    /// Drops the indexes of apps that were not used for some time.
    func forgetUnused(for time: Duration) { apps.forgetUnused(for: time) }
}
