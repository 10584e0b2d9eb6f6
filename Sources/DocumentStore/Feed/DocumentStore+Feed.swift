// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SignalboxDocumentModel

extension DocumentStore {
    /// A text that differs after a backup was restored, as the log may then lack what a client has read.
    package var history: String { String(listening.epoch.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }, radix: 16) }

    private static let pageBytes = 8 << 20

    /// Returns changes of an app's documents behind a position; from the oldest that the log has without one.
    ///
    /// Throws `ReadFault.tooOld` if the log begins later, by age or after an erasure, and for a position that the log has not come to.
    package func changes(after place: ChangePlace?, in scope: ChangeScope, app: AppID, limit: Int) async throws -> ChangePage {
        try await read(app, at: nil) { [bounds] view in
            let start = try view.file.logStart(of: app)
            if let place, place.stamp < start || place.stamp > max(start, view.stamp.microseconds) { throw ReadFault.tooOld }
            let behind = place ?? ChangePlace(stamp: start, n: .max)
            var reading = FeedReading(view, scope, behind: behind, erased: start, searching: bounds.changesSearched)
            return try reading.page(limit: limit, bytes: Self.pageBytes)
        }
    }

    /// Returns changes of an app's documents behind a position, or behind the nearest one that the log has. Changes that an erasure removed, or
    /// whose results it did, are left out, and all others stay. `removedThrough` tells that the log begins later.
    ///
    ///     log from 12 to 40    behind 20: as asked   behind 5: behind 12   behind 50: behind 40, as a restored log may be shorter
    package func changes(near place: ChangePlace, app: AppID, limit: Int) async throws -> ChangePage {
        try await read(app, at: nil) { [bounds] view in
            let start = try view.file.mark(.logStart)
            let (first, last) = (ChangePlace(stamp: start, n: .max), ChangePlace(stamp: max(start, view.stamp.microseconds), n: .max))
            let nearest = place.stamp < first.stamp ? first : place.stamp > last.stamp ? last : place
            let erased = try view.file.logStart(of: app)
            var reading = FeedReading(view, .all, behind: nearest, erased: erased, searching: bounds.changesSearched)
            var page = try reading.page(limit: limit, bytes: Self.pageBytes)
            page.removedThrough = place.stamp < start ? start : nil
            return page
        }
    }

    /// Returns the position behind all changes so far.
    package func lastChange() async throws -> ChangePlace {
        try await readers.read { session in
            try session.withDocuments { ChangePlace(stamp: try $0.mark(.stamp), n: .max) }
        }
    }
}
