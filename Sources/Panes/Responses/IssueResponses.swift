// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Events
import Platform

// Responses about issues, crashes and missing symbols, as far as panes show them.

package struct IssueResponse: Decodable, Sendable {
    package var id: String
    package var title: String
    package var culprit: String?
    package var kind: String
    package var state: String
    package var signals: [String]
    package var count: Int
    package var users: Int
    package var firstSeen: Moment
    package var lastSeen: Moment
    package var firstRelease: String?
    package var lastRelease: String?
    package var groupedBy: String
    package var closedIn: String?
    package var closedAfter: String?
    package var mutedUntil: Moment?
    package var mutedCount: Int?
    /// Seconds.
    package var mutedWithin: Int?
    /// This and the following fields: only for a single issue.
    package var series: [Day]?
    package var releases: [Share]?
    package var osVersions: [Share]?
    package var devices: [Share]?
    package var variants: [Variant]?
    package var notes: [Note]?
    package var history: [Change]?

    package struct Day: Decodable, Sendable {
        var t: Moment
        var value: Int
    }

    package struct Share: Decodable, Sendable {
        /// Nil for crashes without a value.
        var value: String?
        var count: Int
    }

    package struct Variant: Decodable, Sendable {
        var id: String
        var title: String
        var culprit: String?
        var groupedBy: String
        var count: Int
        var lastSeen: Moment
    }

    package struct Note: Decodable, Sendable {
        var at: Moment
        var author: String?
        var text: String
    }

    package struct Change: Decodable, Sendable {
        var at: Moment
        var what: String
        /// A release or an issue.
        var detail: String?
    }

    package func isIn(_ state: IssueState) -> Bool { self.state == state.name }
}

struct CrashResponse: Decodable, Sendable {
    var id: String
    var kind: String
    var timestamp: Moment
    var receivedAt: Moment
    var release: String?
    var platform: String?
    var osVersion: String?
    var deviceModel: String?
    var variant: String
    var late: Bool
    var kept: Bool
    var symbols: String
    /// This and the next field: only for a single crash.
    var report: CrashReportResponse?
    var before: [EventResponse]?

    /// An event of the same session.
    struct EventResponse: Decodable, Sendable {
        var name: String
        var timestamp: Moment
        var params: [String: AnyText]?
    }
}

struct MissingSymbolsResponse: Decodable, Sendable {
    var debugId: String
    var name: String?
    var architecture: String?
    var crashes: Int
    var firstSeen: Moment
    var lastSeen: Moment
}
