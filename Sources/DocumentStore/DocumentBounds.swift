// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The limits of the document store.
package struct DocumentBounds: Sendable {
    /// The time for which changes are kept.
    package var logKept = Timestamp.Span.hours(24)
    /// The bytes of changes beyond which the oldest are removed.
    package var logBytes: Int64 = 1 << 30
    /// The time for which the answer to a client's last batch is kept.
    package var clientsKept = Timestamp.Span.days(180)
    package var queue = 8_192
    package var queueBytes = 64 << 20
    /// The bytes of documents that one result may have.
    package var resultBytes = 32 << 20
    /// The bytes of results and events that streams have not sent, of all apps.
    package var unsentBytes = 128 << 20
    /// The time for which a page of changes is completed from later changes.
    var changesSearched = Duration.seconds(1)
    /// The rows that one transaction removes, so that writes do not wait for long.
    var removedAtOnce = 500

    package init() {}

    /// The age of the oldest state that can be read.
    package static let pastKept = Timestamp.Span.hours(1)
    /// The most IDs below one path that a list of them has.
    package static let idsAtOnce = 100_000
    /// The fewest documents of a partition of a query.
    static let partition = 128
    /// The most writes of a commit.
    package static let writes = 5_000
    /// The most entries of a document in all indexes.
    package static let entries = 40_000
    /// The most indexes of an app.
    package static let indexes = 200
    /// The most documents and queries that a commit depends on.
    package static let conditions = 5_000
}
