// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Platform

// What is answered about issues, their crashes and missing symbols, as far as it is shown.

struct IssueResponse: Decodable, Sendable {
    var id: String
    var title: String
    var culprit: String?
    var kind: String
    var state: String
    var signals: [String]
    var count: Int
    var users: Int
    var firstSeen: Moment
    var lastSeen: Moment
    var firstRelease: String?
    var lastRelease: String?
    var groupedBy: String
    var closedIn: String?
    var closedAfter: String?
    var mutedUntil: Moment?
    var mutedCount: Int?
    /// Seconds.
    var mutedWithin: Int?
    /// Of one issue alone, as everything that follows.
    var series: [Day]?
    var releases: [Share]?
    var osVersions: [Share]?
    var devices: [Share]?
    var variants: [Variant]?
    var notes: [Note]?
    var history: [Change]?

    struct Day: Decodable, Sendable {
        var t: Moment
        var value: Int
    }

    struct Share: Decodable, Sendable {
        /// Nil for those that named none.
        var value: String?
        var count: Int
    }

    struct Variant: Decodable, Sendable {
        var id: String
        var title: String
        var culprit: String?
        var groupedBy: String
        var count: Int
        var lastSeen: Moment
    }

    struct Note: Decodable, Sendable {
        var at: Moment
        var author: String?
        var text: String
    }

    struct Change: Decodable, Sendable {
        var at: Moment
        var what: String
        /// A release, or another issue.
        var detail: String?
    }

    func isIn(_ state: IssueState) -> Bool { self.state == state.name }
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
    /// Of one crash alone, as what follows.
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
