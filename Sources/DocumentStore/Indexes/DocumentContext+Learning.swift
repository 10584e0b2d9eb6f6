// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

/// Indexes that queries taught, and their end.
extension DocumentContext {
    private static let learnedIndexes = 20
    /// The time after which an index is dropped that no query read.
    private static let unusedKept = Timestamp.Span.days(30)
    /// The time after which a further use is written.
    private static let usesWrittenAfter = Timestamp.Span.hours(1)

    /// Makes indexes that queries lack. Beyond the limit of an app nothing is made until one is dropped.
    func learn(_ shapes: [IndexShape], why reason: String, app: AppID) throws {
        let exemptions = try self.exemptions(of: app)
        for shape in shapes where !exemptions.contains(where: { $0.covers(shape) }) {
            let known = try file.indexes(of: app)
            if known.contains(where: { $0.shape == shape }) || known.count >= DocumentBounds.indexes { continue }
            if known.count(where: { $0.origin == .learned }) >= Self.learnedIndexes { return }
            try file.addIndex(shape, .learned, app: app, at: now, why: reason)
            indexesByApp[app] = nil
            hasIndexesToBuild = true
        }
    }

    /// Notes which indexes were used, and drops learned ones that were not for long.
    func keepUsed(_ used: [AppID: Set<IndexShape>], mayDrop: Bool) throws {
        for (app, shapes) in used {
            for index in try file.indexes(of: app) where shapes.contains(index.shape) && index.used < now - Self.usesWrittenAfter {
                try file.setUsed(index, at: now)
            }
        }
        guard mayDrop else { return }
        for app in try file.dropLearned(unusedSince: now - Self.unusedKept) { indexesByApp[app] = nil }
    }
}

extension DocumentDB {
    fileprivate func setUsed(_ index: StoredIndex, at time: Timestamp) throws {
        try statement("UPDATE indexes SET used = ? WHERE number = ?").run(integers: [time.milliseconds, index.number])
    }

    /// Drops learned indexes that were not used since a time. Returns their apps.
    fileprivate func dropLearned(unusedSince time: Timestamp) throws -> Set<AppID> {
        let apps = try statement("UPDATE indexes SET dropped = 1 WHERE origin = 'learned' AND NOT dropped AND used < ? RETURNING app").all(
            .integer(time.milliseconds)
        ) { AppID(rawValue: $0.integer(0)) }
        return Set(apps)
    }
}
