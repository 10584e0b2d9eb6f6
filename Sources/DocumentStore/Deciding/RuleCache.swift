// SPDX-License-Identifier: Apache-2.0

import Platform
import Rules
import Synchronization

/// The compiled rules of apps. Reading rules takes up to milliseconds, so the newest revisions are kept.
final class RuleCache: Sendable {
    private static let most = 256

    private let known = Mutex<[AppID: (revision: Int64, rules: Ruleset?)]>([:])

    /// Returns the rules of an app in a version of the database; nil without any, or if a later version of the daemon wrote them.
    func rules(of app: AppID, in file: DocumentDB) throws -> Ruleset? {
        guard let revision = try file.lastRuleRevision(of: app) else { return nil }
        if let known = known.withLock({ $0[app] }), known.revision == revision { return known.rules }
        guard let source = try file.ruleRevisions(of: app, limit: 1).first?.source else { return nil }
        let rules = try? Ruleset(source)
        known.withLock { known in
            if known.count >= RuleCache.most { known.removeAll() }
            known[app] = (revision, rules)
        }
        return rules
    }

    /// Forgets all rules. After a failed transaction, as the number of its revision is given once more.
    func clear() { known.withLock { $0 = [:] } }
}
