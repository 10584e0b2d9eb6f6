// SPDX-License-Identifier: Apache-2.0

package import Platform
import SQLite

/// A revision of an app's security rules.
package struct RuleRevision: Sendable, Equatable {
    package let number: Int64
    package let source: String
    package let at: Timestamp
    /// Nil for a revision that an earlier version of the daemon stored.
    package let author: RuleAuthor?
}

/// The caller that set a revision of rules, as the audit log names it.
package struct RuleAuthor: Sendable, Equatable {
    package let role: Role
    /// The ID of the API key; 0 for the operator.
    package let key: Int64

    package init(_ role: Role, key: Int64) {
        (self.role, self.key) = (role, key)
    }

    /// The operator of this machine.
    package static let `operator` = RuleAuthor(.operator, key: 0)
}

/// The table `rules` of a store whose requests security rules decide about. Every revision is kept, and the newest applies.
extension TypedDatabase {
    package func lastRuleRevision(of app: AppID) throws -> Int64? {
        try statement("SELECT max(revision) FROM rules WHERE app = ?").first(.integer(app.rawValue)) { $0.optionalInteger(0) } ?? nil
    }

    /// Returns revisions, newest first.
    package func ruleRevisions(of app: AppID, before number: Int64 = .max, limit: Int) throws -> [RuleRevision] {
        try statement("SELECT revision, source, at, role, key FROM rules WHERE app = ? AND revision < ? ORDER BY revision DESC LIMIT ?").all(
            .integer(app.rawValue), .integer(number), .integer(Int64(limit))
        ) { row in
            let author = row.optionalText(3).flatMap { Role(rawValue: $0) }.map { RuleAuthor($0, key: row.optionalInteger(4) ?? 0) }
            return RuleRevision(
                number: row.integer(0), source: row.text(1), at: Timestamp(milliseconds: row.integer(2)), author: author)
        }
    }

    package func addRules(_ source: String, app: AppID, by author: RuleAuthor, at now: Timestamp) throws -> RuleRevision {
        let revision = RuleRevision(number: (try lastRuleRevision(of: app) ?? 0) + 1, source: source, at: now, author: author)
        try statement("INSERT INTO rules (app, revision, source, at, role, key) VALUES (?, ?, ?, ?, ?, ?)").run(
            .integer(app.rawValue), .integer(revision.number), .text(source), .integer(now.milliseconds), .text(author.role.rawValue),
            .integer(author.key))
        return revision
    }
}
