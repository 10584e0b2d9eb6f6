// SPDX-License-Identifier: Apache-2.0

import Platform
import Rules
import SignalboxDocumentModel
import Synchronization

/// The newest rules of an app.
struct AppRules: Sendable {
    let app: AppID
    let revision: Int64
    /// Nil if a later version of the daemon wrote them.
    let rules: Ruleset?
}

/// The compiled rules of apps. Reading rules takes up to milliseconds, so the newest revisions are kept.
final class RuleCache: Sendable {
    private static let most = 256

    let tally = RuleTally()
    let shadows = RuleShadows()
    private let known = Mutex<[AppID: AppRules]>([:])
    private let gauges: DocumentGauges
    private let isStrict: @Sendable (AppID) -> Bool

    /// - Parameter isStrict: Whether the rules of an app prove queries strictly.
    init(_ gauges: DocumentGauges, isStrict: @escaping @Sendable (AppID) -> Bool) {
        (self.gauges, self.isStrict) = (gauges, isStrict)
    }

    /// Returns the rules of an app in a version of the database; nil without any.
    func rules(of app: AppID, in file: DocumentDB) throws -> AppRules? {
        let rules = try newestRules(of: app, in: file)
        guard let rules, isStrict(app) else { return rules }
        return AppRules(app: app, revision: rules.revision, rules: rules.rules.map { proving($0, app) })
    }

    private func newestRules(of app: AppID, in file: DocumentDB) throws -> AppRules? {
        guard let revision = try file.lastRuleRevision(of: app) else { return nil }
        if let known = known.withLock({ $0[app] }), known.revision == revision { return known }
        guard let source = try file.ruleRevisions(of: app, limit: 1).first?.source else { return nil }
        let rules = AppRules(app: app, revision: revision, rules: try? Ruleset(source))
        known.withLock { known in
            if known.count >= RuleCache.most { known.removeAll() }
            known[app] = rules
        }
        return rules
    }

    /// Returns rules that prove queries as those of the app.
    func proving(_ rules: Ruleset, _ app: AppID) -> Ruleset { rules.proving(strictly: isStrict(app)) }

    /// Forgets all rules. After a failed transaction, as the number of its revision is given once more.
    func clear() { known.withLock { $0 = [:] } }

    /// Returns what rules of a version of the database decide for a principal. The decisions are counted.
    func decisions(
        of app: AppID, in file: DocumentDB, as principal: RulePrincipal, _ spending: RuleSpending = RuleSpending(), at now: Timestamp,
        isCounted: Bool = true,
        _ stored: @escaping (DocumentPath) throws -> StoredDocument?
    ) throws -> RuleDecisions {
        let rules = try self.rules(of: app, in: file)
        return RuleDecisions(
            rules?.rules, principal, spending, candidate: isCounted ? candidate(of: app, beside: rules, principal, at: now) : nil,
            note: { [tally, gauges] decision, request in
                guard isCounted else { return }
                gauges.countDecision(isAllowed: decision.isAllowed)
                guard let rules else { return }
                tally.note(decision, request, isSignedIn: principal.isSignedIn, app, revision: rules.revision, at: now)
            }, stored)
    }

    /// The candidate that decides beside the rules of an app; nil if no app has one.
    private func candidate(of app: AppID, beside rules: AppRules?, _ principal: RulePrincipal, at now: Timestamp) -> CandidateRules? {
        if shadows.isEmpty { return nil }
        let revision = rules?.revision ?? 0
        return CandidateRules(
            next: { [self] in shadows.candidate(of: app, revision: revision, at: now).map { proving($0, app) } },
            note: { [shadows] made, decision, request, reads in
                shadows.note(
                    made, instead: decision, request, isSignedIn: principal.isSignedIn, reads: reads, app, revision: revision, at: now)
            })
    }
}
