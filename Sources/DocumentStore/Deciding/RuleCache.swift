// SPDX-License-Identifier: Apache-2.0

import Database
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
    private let reads = RuleReads()
    private let gauges: DocumentGauges
    private let isStrict: @Sendable (AppID) -> Bool

    /// - Parameter isStrict: Whether the rules of an app prove queries strictly.
    init(_ gauges: DocumentGauges, isStrict: @escaping @Sendable (AppID) -> Bool) {
        (self.gauges, self.isStrict) = (gauges, isStrict)
    }

    /// Returns the rules of an app in a version of the database; nil without any.
    func rules(of app: AppID, in file: DocumentDB) throws -> AppRules? {
        proving(try newestRules(of: app, in: file), app)
    }

    /// Returns rules that prove queries as the app's setting is now.
    private func proving(_ rules: AppRules?, _ app: AppID) -> AppRules? {
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

    /// Forgets the rules that a failed transaction set, as the number of their revision is given once more.
    func forget(_ apps: Set<AppID>) {
        known.withLock { known in
            for app in apps { known[app] = nil }
        }
    }

    /// Returns what rules of a committed version of the database decide for a principal. The decisions are counted.
    ///
    /// - Parameters:
    ///   - stamp: That of the version.
    ///   - stored: Reads a document of the version.
    func decisions(
        of app: AppID, in file: DocumentDB, committedAt stamp: DocumentTime, as principal: RulePrincipal, at now: Timestamp, isCounted: Bool = true,
        _ stored: @escaping (DocumentPath) throws -> StoredDocument?
    ) throws -> RuleDecisions {
        let rules = proving(try reads.rules(of: app, at: stamp) { try newestRules(of: app, in: file) }, app)
        return decisions(by: rules, of: app, as: principal, RuleSpending(), at: now, isCounted: isCounted) { [reads] path in
            try reads.document(path, of: app, at: stamp) { try stored(path) }
        }
    }

    /// Returns what the rules decide for a principal within a transaction. The decisions are counted.
    func decisions(
        of app: AppID, in file: DocumentDB, as principal: RulePrincipal, _ spending: RuleSpending = RuleSpending(), at now: Timestamp,
        isCounted: Bool = true, _ stored: @escaping (DocumentPath) throws -> StoredDocument?
    ) throws -> RuleDecisions {
        decisions(by: try rules(of: app, in: file), of: app, as: principal, spending, at: now, isCounted: isCounted, stored)
    }

    private func decisions(
        by rules: AppRules?, of app: AppID, as principal: RulePrincipal, _ spending: RuleSpending, at now: Timestamp, isCounted: Bool,
        _ stored: @escaping (DocumentPath) throws -> StoredDocument?
    ) -> RuleDecisions {
        RuleDecisions(
            rules?.rules, principal, spending, candidate: isCounted ? candidate(of: app, beside: rules, principal, at: now) : nil,
            note: { [tally, gauges] decision, request in
                guard isCounted else { return }
                gauges.count(decision)
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
