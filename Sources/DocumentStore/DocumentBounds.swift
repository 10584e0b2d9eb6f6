// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The limits of the document store.
package struct DocumentBounds: Sendable {
    /// The time for which changes are kept.
    package var logKept = Timestamp.Span.hours(24)
    /// The bytes of changes beyond which the oldest are removed.
    package var logBytes: Int64 = 1 << 30
    /// The documents that one query of a user, or of a client with an ingest key alone, may examine.
    package var examinedByUser = 50_000
    package var queue = 8_192
    package var queueBytes = 64 << 20
    /// The bytes of documents that one result may have.
    package var resultBytes = 32 << 20
    /// The bytes of results and events that streams have not sent, of all apps.
    package var unsentBytes = 128 << 20
    /// The time for which a client may receive nothing while other streams wait for these bytes.
    package var unsentPatience = Duration.seconds(2)
    /// The time for which a page of changes is completed from later changes.
    var changesSearched = Duration.seconds(1)
    /// The rows that one transaction removes, so that writes do not wait for long.
    var removedAtOnce = 500

    package init() {}

    package static let settings: [Setting<DocumentBounds>] = [
        Setting(
            "max_examined", .count(1_000...100_000_000, "documents"), \.examinedByUser,
            "Documents that one query of a user may examine; above that it is rejected. Queries of servers have no such limit"),
        Setting("log_hours", .hours(2...720), \.logKept, "Hours for which changes are kept, so that listeners and replicas go on after a break"),
        Setting("log_size", .size(1 << 20...1 << 40), \.logBytes, "Size of the change log above which the oldest changes are removed"),
        Setting("queue", .count(1...1_000_000, "changes"), \.queue, "Changes queued for writing above which requests are rejected"),
    ]

    /// The documents that a query may examine; nil for any number.
    package func examined(by principal: RulePrincipal?) -> Int? { principal == nil ? nil : examinedByUser }

    /// The time for which the answer to a client's last batch is kept.
    static let clientsKept = Timestamp.Span.days(180)
    /// The time for which a batch without writes is kept at least, so that an earlier request with its number is not applied.
    static let emptyBatchKept = Timestamp.Span.hours(1)
    /// The clients of an app whose batches all had no writes. For one more the oldest are forgotten, this number of them at once.
    static let (clientsWithoutWrites, clientsForgottenAtOnce) = (10_000, 100)
    /// The age of the oldest state that can be read.
    package static let pastKept = Timestamp.Span.hours(1)
    /// The most IDs below one path that a list of them has.
    package static let idsAtOnce = 100_000
    /// The fewest documents of a partition of a query.
    static let partition = 128
    /// The most writes of a commit.
    package static let writes = 5_000
    /// The bytes of documents that the writes of a request under rules may read and make, each write counted.
    package static let bytesUnderRules = 64 << 20
    /// The most entries of a document in all indexes.
    package static let entries = 40_000
    /// The most indexes of an app.
    package static let indexes = 200
    /// The most documents and queries that a commit depends on.
    package static let conditions = 5_000
}
