// SPDX-License-Identifier: Apache-2.0

package import Database
package import Platform
package import Rules
import Synchronization

/// A revision of an app's storage rules.
package struct FileRuleset: Sendable {
    package let revision: Int64
    /// Nil if a later version of the daemon wrote them.
    package let rules: Ruleset?
    /// Whether they look at the MD5 of files, which is computed for uploads then.
    let readsMD5: Bool
    /// Whether they read documents, and decide where those are read.
    package let readsDocuments: Bool

    fileprivate init(_ revision: Int64, _ source: String) {
        self.revision = revision
        rules = try? Ruleset(source, for: .files)
        readsMD5 = rules?.readsMD5 ?? false
        readsDocuments = rules?.readsDocuments ?? false
    }
}

/// The compiled rules of apps. Reading rules takes up to milliseconds, so the newest revisions are kept.
final class FileRuleCache: Sendable {
    private static let most = 256

    private let known = Mutex<[AppID: FileRuleset]>([:])

    /// Returns the rules of an app in a version of the database; nil without any.
    func rules(of app: AppID, in file: FileDB) throws -> FileRuleset? {
        guard let revision = try file.lastRuleRevision(of: app) else { return nil }
        if let known = known.withLock({ $0[app] }), known.revision == revision { return known }
        guard let source = try file.ruleRevisions(of: app, limit: 1).first?.source else { return nil }
        let rules = FileRuleset(revision, source)
        known.withLock { known in
            if known.count >= FileRuleCache.most { known.removeAll() }
            known[app] = rules
        }
        return rules
    }
}

extension FileStore {
    /// Makes rules those of an app. Throws `RuleFault` if they cannot be read.
    package func setRules(_ source: String, app: AppID, by author: RuleAuthor) async throws -> RuleRevision {
        _ = try Ruleset(new: source, for: .files)
        let now = clock.now()
        return try await change(app, bytes: source.utf8.count) { try $0.file.addRules(source, app: app, by: author, at: now) }
    }

    /// Returns revisions of an app's rules, newest first.
    package func rules(of app: AppID, before number: Int64 = .max, limit: Int) async throws -> [RuleRevision] {
        try await read { try $0.ruleRevisions(of: app, before: number, limit: limit) }
    }

    /// Returns the rules that apply to an app; nil without any.
    package func newestRules(of app: AppID) async throws -> FileRuleset? {
        try await lookUp { [ruleCache] in try ruleCache.rules(of: app, in: $0) }
    }

    /// Counts a decision about a request.
    package func note(_ decision: RuleDecision, _ method: RuleMethodName, isSignedIn: Bool, app: AppID, revision: Int64) {
        decisions.note(decision, method, isSignedIn: isSignedIn, app, revision: revision, at: clock.now())
    }

    /// Returns the places of the statements of an app's newest rules and their decisions; nil without rules.
    package func ruleFigures(of app: AppID) async throws -> (statements: [RulePlace], figures: FileDecisionFigures)? {
        guard let newest = try await newestRules(of: app) else { return nil }
        return (newest.rules?.statementPlaces ?? [], decisions.figures(of: app, revision: newest.revision, now: clock.now()))
    }
}
