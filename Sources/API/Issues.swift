// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Events

/// A crash issue. Lists have the fields up to `notesCount`, one issue alone has all.
package struct IssueResponse: Codable, Sendable {
    package struct Day: Codable, Sendable {
        package var t: Moment
        package var value: Int

        package init(t: Moment, value: Int) {
            self.t = t
            self.value = value
        }
    }

    package struct Share: Codable, Sendable {
        /// Nil for crashes that name none.
        package var value: String?
        package var count: Int

        package init(value: String? = nil, count: Int) {
            self.value = value
            self.count = count
        }
    }

    /// A group of the issue: the crashes with one fingerprint.
    package struct Variant: Codable, Sendable {
        package var id: String
        package var title: String
        package var culprit: String?
        package var groupedBy: String
        package var count: Int
        package var firstSeen: Moment
        package var lastSeen: Moment

        package init(id: String, title: String, culprit: String? = nil, groupedBy: String, count: Int, firstSeen: Moment, lastSeen: Moment) {
            self.id = id
            self.title = title
            self.culprit = culprit
            self.groupedBy = groupedBy
            self.count = count
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
        }
    }

    package struct Note: Codable, Sendable {
        package var at: Moment
        package var author: String?
        package var text: String

        package init(at: Moment, author: String? = nil, text: String) {
            self.at = at
            self.author = author
            self.text = text
        }
    }

    package struct Change: Codable, Sendable {
        package enum Kind: String, PublicName {
            case appeared, regressed, unmuted, opened, closed, muted, merged, split, symbolicated, spreading
        }

        package var at: Moment
        package var what: Named<Kind>
        /// A release, or the ID of another issue.
        package var detail: String?

        package init(at: Moment, what: Kind, detail: String? = nil) {
            self.at = at
            self.what = .known(what)
            self.detail = detail
        }
    }

    package var id: String
    package var title: String
    package var culprit: String?
    package var kind: Named<CrashKind>
    package var state: Named<IssueState>
    package var signals: [Named<IssueSignal>]
    package var count: Int
    package var users: Int
    package var firstSeen: Moment
    package var lastSeen: Moment
    package var firstRelease: String?
    package var lastRelease: String?
    package var groupedBy: String
    package var closedIn: String?
    package var closedAfter: String?
    package var closedBuild: String?
    package var mutedUntil: Moment?
    package var mutedCount: Int?
    /// Seconds.
    package var mutedWithin: Int?
    package var notesCount: Int
    /// Missing if nobody is assigned.
    package var assignee: String?
    package var series: [Day]?
    package var releases: [Share]?
    package var osVersions: [Share]?
    package var devices: [Share]?
    package var variants: [Variant]?
    package var notes: [Note]?
    package var history: [Change]?
    /// The IDs of issues that were merged into this one.
    package var formerIds: [String]?

    package init(
        id: String, title: String, culprit: String? = nil, kind: CrashKind, state: IssueState, signals: [IssueSignal], count: Int, users: Int,
        firstSeen: Moment, lastSeen: Moment, firstRelease: String? = nil, lastRelease: String? = nil, groupedBy: String, closedIn: String? = nil,
        closedAfter: String? = nil, closedBuild: String? = nil, mutedUntil: Moment? = nil, mutedCount: Int? = nil, mutedWithin: Int? = nil,
        notesCount: Int, assignee: String? = nil, series: [Day]? = nil,
        releases: [Share]? = nil, osVersions: [Share]? = nil, devices: [Share]? = nil, variants: [Variant]? = nil, notes: [Note]? = nil,
        history: [Change]? = nil
    ) {
        self.id = id
        self.title = title
        self.culprit = culprit
        self.kind = .known(kind)
        self.state = .known(state)
        self.signals = signals.map { .known($0) }
        self.count = count
        self.users = users
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.firstRelease = firstRelease
        self.lastRelease = lastRelease
        self.groupedBy = groupedBy
        self.closedIn = closedIn
        self.closedAfter = closedAfter
        self.closedBuild = closedBuild
        self.mutedUntil = mutedUntil
        self.mutedCount = mutedCount
        self.mutedWithin = mutedWithin
        self.notesCount = notesCount
        self.assignee = assignee
        self.series = series
        self.releases = releases
        self.osVersions = osVersions
        self.devices = devices
        self.variants = variants
        self.notes = notes
        self.history = history
    }
}

/// An issue that the newest grouping rule divides, or divided.
package struct RegroupedIssueResponse: Codable, Sendable {
    package struct Part: Codable, Sendable {
        package var title: String
        package var culprit: String?
        /// The number of its stored reports.
        package var reports: Int
        /// The issue that has the part; nil for a new issue that does not exist yet.
        package var issue: String?
        /// Whether the part becomes an issue of its own.
        package var isNew: Bool

        package init(title: String, culprit: String? = nil, reports: Int, issue: String? = nil, isNew: Bool) {
            self.title = title
            self.culprit = culprit
            self.reports = reports
            self.issue = issue
            self.isNew = isNew
        }
    }

    package var id: String
    package var title: String
    /// The parts that leave the issue.
    package var parts: [Part]

    package init(id: String, title: String, parts: [Part]) {
        self.id = id
        self.title = title
        self.parts = parts
    }
}

/// The result of a change to several issues.
package struct IssueResultsResponse: Codable, Sendable {
    package struct Result: Codable, Sendable {
        package enum Outcome: String, PublicName {
            case changed, deleted
            /// Not deleted: the issue was merged into another.
            case merged
            case notFound = "not_found"
        }

        package var id: String
        package var result: Named<Outcome>

        package init(id: String, result: Outcome) {
            self.id = id
            self.result = .known(result)
        }
    }

    package var succeeded: Int
    package var failed: Int
    /// In the order of the request.
    package var results: [Result]

    package init(_ results: [Result]) {
        self.results = results
        failed = results.count { [.known(.notFound), .known(.merged)].contains($0.result) }
        succeeded = results.count - failed
    }
}
