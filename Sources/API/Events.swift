// SPDX-License-Identifier: Apache-2.0

package import Events

/// A stored event: a line of `/v1/export`, the data of a tail's `event`, an item of a timeline. The daemon writes these by hand.
package struct EventResponse: Codable, Sendable {
    package enum Flag: String, PublicName {
        case late, clock, corrected, trusted, withdrawn
    }

    package var seq: Int64
    package var id: String
    package var name: String
    package var timestamp: Moment
    package var receivedAt: Moment
    package var userId: String?
    package var installationId: String?
    package var sessionId: String?
    package var context: [String: String]?
    package var params: [String: AnyText]?
    package var flags: [Named<Flag>]?
}

/// The response of the intake routes; written by hand in the module Ingest.
package struct IntakeResponse: Codable, Sendable {
    /// The outcome of an entry, by its index in the request. Of events, only those that were not simply accepted are listed.
    package struct Result: Codable, Sendable {
        package enum Outcome: String, Codable, Sendable {
            case accepted, corrected, duplicate, quarantined
        }

        package var index: Int
        package var id: String?
        package var result: Outcome
        package var code: Reason?
        /// Firebase's number of the reason.
        package var number: Int?
        package var field: String?
        package var message: String?
        /// The issue of a crash.
        package var issue: String?
    }

    package var accepted: Int
    package var duplicates: Int
    package var quarantined: Int
    package var results: [Result]
}

extension Reason: Codable {}
