// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Events

// The events of a tail, which the daemon writes by hand.

/// The names of the events, which determine the types of their data.
package enum TailEventName: String, Sendable {
    /// An `EventResponse`.
    case event
    /// A `TailQuarantineResponse`.
    case quarantine
    /// A `TailCrashResponse`.
    case crash
    /// A `TailGapResponse`.
    case gap
}

/// A quarantined record in a tail: the data of `event: quarantine`.
package struct TailQuarantineResponse: Codable, Sendable {
    package var seq: Int64
    package var receivedAt: Moment
    package var id: String?
    /// A code may come from an older version, so it is text here.
    package var reason: String
    package var field: String
    package var message: String
}

/// A crash in a tail: the data of `event: crash`.
package struct TailCrashResponse: Codable, Sendable {
    package var id: String
    package var issue: String
    package var kind: Named<CrashKind>
    package var title: String
    package var culprit: String?
    package var timestamp: Moment
    package var release: String?
    package var userId: String?
    package var installationId: String?
}

/// The records that a slow client of a tail missed: the data of `event: gap`.
package struct TailGapResponse: Codable, Sendable {
    /// Records that were passed over, up to the number `after`.
    package var missed: Int?
    package var after: Int64?
    package var missedCrashes: Int?
}
