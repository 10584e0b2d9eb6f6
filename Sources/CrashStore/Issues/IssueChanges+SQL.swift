// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Database
package import Platform
import SQLite

/// A change to an issue's state by a user.
package enum IssueChange: Sendable {
    case open
    /// Fixed in a release. Nil means after the newest release and build in which the issue has occurred.
    case close(release: Release?)
    case mute(IssueStanding.Muting)
}

/// A change to issues by a user: of the state, the assignee, or both.
package struct IssueUpdate: Sendable {
    package var state: IssueChange?
    /// The new assignee; `.some(nil)` for nobody.
    package var assignee: String??

    package init(state: IssueChange? = nil, assignee: String?? = nil) {
        (self.state, self.assignee) = (state, assignee)
    }
}

extension CrashStore {
    package func change(_ id: String, app: AppID, to change: IssueChange) async throws {
        try await update(id, app: app, to: IssueUpdate(state: change))
    }

    /// Returns the ID of the changed issue, to which a former ID leads.
    @discardableResult
    package func update(_ id: String, app: AppID, to update: IssueUpdate) async throws -> String {
        try await change { context in
            let issue = try context.file.issue(named: id, app: app)
            try context.update(issue, to: update)
            return issue.publicID
        }
    }

    /// Changes several issues in one transaction. Returns the ID of the changed issue for each ID, in the same order; nil if there is none.
    package func update(_ ids: [String], app: AppID, to update: IssueUpdate) async throws -> [String?] {
        try await change { context in
            let issues = try ids.map { try context.file.knownIssue(named: $0, app: app) }
            // Two IDs may lead to one issue that was merged.
            var changed: Set<Int64> = []
            for issue in issues.compactMap(\.self) where changed.insert(issue.id).inserted { try context.update(issue, to: update) }
            return issues.map { $0?.publicID }
        }
    }

    package func note(_ text: String, by author: String?, on id: String, app: AppID) async throws {
        try await change { context in
            let issue = try context.file.issue(named: id, app: app)
            try context.file.statement("INSERT INTO notes (issue, time, author, text) VALUES (?, ?, ?, ?)")
                .run(.integer(issue.id), .integer(context.now.milliseconds), .text(author), .text(text))
            try context.change(issue: issue.id) { $0.notes += 1 }
        }
    }
}

extension CrashFileContext {
    fileprivate func update(_ issue: IssueRow, to update: IssueUpdate) throws {
        if let state = update.state { try change(issue, to: state) }
        if let assignee = update.assignee { try change(issue: issue.id) { $0.assignee = assignee } }
    }

    fileprivate func change(_ issue: IssueRow, to change: IssueChange) throws {
        switch change {
        case .open:
            try self.change(issue: issue.id) { $0.standing.open(at: now) }
            try note(.opened, of: issue.id, detail: nil)
        case .close(let named):
            let closing = try named.map { .inRelease(try dated($0, app: issue.app)) } ?? file.closingNow(issue)
            try self.change(issue: issue.id) { $0.standing.close(closing, at: now) }
            try note(.closed, of: issue.id, detail: closing.release?.name)
        case .mute(let muting):
            try self.change(issue: issue.id) { $0.standing.mute(muting, at: now) }
            try note(.muted, of: issue.id, detail: nil)
        }
    }

    /// Adds the first appearance of a release. A release that no report has named yet counts as newer than all that have appeared until
    /// now.
    private func dated(_ release: Release, app: Int64) throws -> Release {
        var release = release
        release.firstSeen = try file.firstSeen(of: release, app: app) ?? now + Timestamp.Span(milliseconds: 1)
        return release
    }
}

extension IssueStanding.Closing {
    fileprivate var release: Release? {
        switch self {
        case .everywhere: nil
        case .inRelease(let release), .afterRelease(let release): release
        }
    }
}

extension CrashDB {
    fileprivate func firstSeen(of release: Release, app: Int64) throws -> Timestamp? {
        let word = try number(of: CrashWord(app: app, kind: .release, text: release.name)).flatMap { try self.word($0) }
        return word.map { Timestamp(milliseconds: $0.first) }
    }

    /// Returns the fix for a user who names no release: after the newest release that is affected and its newest build, or everywhere if
    /// reports name none.
    fileprivate func closingNow(_ issue: IssueRow) throws -> IssueStanding.Closing {
        let met = try statement(
            """
            SELECT w.text, w.first, w.id FROM (SELECT DISTINCT d.release FROM groupings g JOIN issue_days d ON d.grouping = g.id WHERE g.issue = ?) r
            JOIN words w ON w.id = r.release
            """
        ).all(.integer(issue.id)) { (release: Release($0.text(0), firstSeen: Timestamp(milliseconds: $0.integer(1))), word: $0.integer(2)) }
        guard let newest = met.max(by: { ReleaseOrder.isOlder($0.release, than: $1.release) }) else { return .everywhere }
        var release = newest.release
        release.build = try newestBuild(of: newest.word, issue: issue.id)
        return .afterRelease(release)
    }
}
