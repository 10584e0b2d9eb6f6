// SPDX-License-Identifier: Apache-2.0

package import Platform
import SQLite

/// A revision of an app's security rules.
package struct RuleRevision: Sendable, Equatable {
    package let number: Int64
    package let source: String
    package let at: Timestamp
}

/// The table `rules` of a store whose requests security rules decide about. Every revision is kept, and the newest applies.
extension TypedDatabase {
    package func lastRuleRevision(of app: AppID) throws -> Int64? {
        try statement("SELECT max(revision) FROM rules WHERE app = ?").first(.integer(app.rawValue)) { $0.optionalInteger(0) } ?? nil
    }

    /// Returns revisions, newest first.
    package func ruleRevisions(of app: AppID, before number: Int64 = .max, limit: Int) throws -> [RuleRevision] {
        try statement("SELECT revision, source, at FROM rules WHERE app = ? AND revision < ? ORDER BY revision DESC LIMIT ?").all(
            .integer(app.rawValue), .integer(number), .integer(Int64(limit))
        ) { RuleRevision(number: $0.integer(0), source: $0.text(1), at: Timestamp(milliseconds: $0.integer(2))) }
    }

    package func addRules(_ source: String, app: AppID, at now: Timestamp) throws -> RuleRevision {
        let revision = RuleRevision(number: (try lastRuleRevision(of: app) ?? 0) + 1, source: source, at: now)
        try statement("INSERT INTO rules (app, revision, source, at) VALUES (?, ?, ?, ?)").run(
            .integer(app.rawValue), .integer(revision.number), .text(source), .integer(now.milliseconds))
        return revision
    }
}
