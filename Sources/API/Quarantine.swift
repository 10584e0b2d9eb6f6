// SPDX-License-Identifier: Apache-2.0

package import Events

/// A page of quarantined records with the counts by reason.
package struct QuarantineResponse: Codable, Sendable {
    package struct Count: Codable, Sendable {
        package var code: String
        /// Records that are stored and can be replayed.
        package var kept: Int
        /// Records beyond the limits of rows and bytes.
        package var onlyCounted: Int

        package init(code: String, kept: Int, onlyCounted: Int) {
            self.code = code
            self.kept = kept
            self.onlyCounted = onlyCounted
        }
    }

    package var items: [QuarantinedResponse]
    package var next: String?
    package var counts: [Count]

    package init(items: [QuarantinedResponse], next: String? = nil, counts: [Count]) {
        self.items = items
        self.next = next
        self.counts = counts
    }
}

/// A quarantined record. A code may come from an older version, so it is text here.
package struct QuarantinedResponse: Codable, Sendable {
    package var seq: Int64
    package var receivedAt: Moment
    package var timestamp: Moment?
    package var id: String?
    package var code: String
    /// Firebase's number of the reason.
    package var number: Int?
    package var field: String
    package var message: String
    package var source: String
    package var envelope: Embedded<[String: AnyText]>
    package var raw: String

    package init(
        seq: Int64, receivedAt: Moment, timestamp: Moment? = nil, id: String? = nil, code: String, number: Int? = nil, field: String, message: String,
        source: String, envelope: Embedded<[String: AnyText]>, raw: String
    ) {
        self.seq = seq
        self.receivedAt = receivedAt
        self.timestamp = timestamp
        self.id = id
        self.code = code
        self.number = number
        self.field = field
        self.message = message
        self.source = source
        self.envelope = envelope
        self.raw = raw
    }
}

/// The result of replaying a page of the quarantine.
package struct ReplayResponse: Codable, Sendable {
    package var accepted: Int
    package var duplicates: Int
    /// Records that are still rejected.
    package var quarantined: Int
    package var next: String?

    package init(accepted: Int, duplicates: Int, quarantined: Int, next: String? = nil) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.quarantined = quarantined
        self.next = next
    }
}
