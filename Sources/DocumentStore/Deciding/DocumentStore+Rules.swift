// SPDX-License-Identifier: Apache-2.0

package import Database
package import Platform
package import Rules
package import SignalboxDocumentModel

/// A request whose decision is explained.
package enum ExplainedRequest: Sendable {
    case get(DocumentPath)
    case query(DocumentQuery)
    case write(DocumentWrite)
}

extension DocumentStore {
    /// Makes rules those of an app. Throws `RuleFault` if they cannot be read.
    package func setRules(_ source: String, app: AppID, by author: RuleAuthor) async throws -> RuleRevision {
        _ = try Ruleset(new: source)
        let now = clock.now()
        return try await change(app, bytes: source.utf8.count) { context in
            context.ruledApps.insert(app)
            let revision = try context.file.addRules(source, app: app, by: author, at: now)
            context.committed.append(.init(stamp: try context.nextStamp().microseconds, app: app, changes: [], changesRules: true))
            return revision
        }
    }

    /// Returns revisions of an app's rules, newest first.
    package func rules(of app: AppID, before number: Int64 = .max, limit: Int) async throws -> [RuleRevision] {
        try await readers.read { session in try session.withDocuments { try $0.ruleRevisions(of: app, before: number, limit: limit) } }
    }

    /// Returns the places of all statements of the newest rules, with the decisions since the daemon started; nil without rules.
    package func ruleFigures(of app: AppID) async throws -> (statements: [RulePlace], figures: RuleFigures)? {
        let now = clock.now()
        return try await read(app, at: nil) { [ruleCache] view in
            guard let rules = try ruleCache.rules(of: app, in: view.file) else { return nil }
            return (rules.rules?.statementPlaces ?? [], ruleCache.tally.figures(of: app, revision: rules.revision, now: now))
        }
    }

    /// Lets candidate rules decide beside those of an app, without effect, until a time or the end of the daemon. They replace an earlier
    /// candidate. Throws `RuleFault` if they cannot be read; returns nil if too many apps have candidates.
    package func beginShadow(_ source: String, app: AppID, for span: Timestamp.Span) throws(RuleFault) -> RuleShadowFigures? {
        let (rules, now) = (try Ruleset(new: source), clock.now())
        let isBegun = ruleCache.shadows.begin(rules, bytes: source.utf8.count, app: app, at: now, until: now + span)
        return isBegun ? ruleCache.shadows.figures(of: app, at: now) : nil
    }

    /// Returns the requests on which an app's rules and their candidate decided differently; nil without a candidate.
    package func shadow(of app: AppID) -> RuleShadowFigures? { ruleCache.shadows.figures(of: app, at: clock.now()) }

    /// Ends the candidate of an app and forgets its figures. Returns them; nil without a candidate.
    package func endShadow(of app: AppID) -> RuleShadowFigures? { ruleCache.shadows.end(app, at: clock.now()) }

    /// Decides about a request of another store, whose rules may read the newest documents.
    package func decide(_ request: RuleRequest, by rules: Ruleset, app: AppID) async throws -> RuleDecision {
        guard rules.readsDocuments else { return rules.decide(request) { _, _ in nil } }
        return try await read(app, at: nil) { view in
            var failure: (any Error)?
            let decision = rules.decide(request) { path, _ in
                do { return try view.document(path)?.fields } catch {
                    failure = error
                    return nil
                }
            }
            if let failure { throw failure }
            return decision
        }
    }

    /// Decides about a request for a file by rules that read the newest documents.
    ///
    /// - Parameter file: Reads the file before. It is called once, when rules look at it.
    package func decide(
        _ request: RuleRequest, by rules: Ruleset, app: AppID, file: @escaping @Sendable (ReadSession) throws -> RuleFile?
    ) async throws -> RuleDecision {
        let (bodies, now) = (bodies, clock.now())
        return try await readSession { session in
            try session.withDocuments { documents in
                let view = try DocumentView(documents, app: app, bodies, at: nil, now: now)
                var failure: (any Error)?
                func reading<T>(_ body: () throws -> T?) -> T? {
                    do { return try body() } catch {
                        failure = failure ?? error
                        return nil
                    }
                }
                let decision = rules.decide(
                    request, file: { reading { try file(session) } }, read: { path, _ in reading { try view.document(path)?.fields } })
                if let failure { throw failure }
                return decision
            }
        }
    }

    /// Decides about a request by the newest documents, with the value of each expression. Nothing is changed or counted.
    ///
    /// - Parameter rules: Other rules than those of the app.
    package func explain(_ request: ExplainedRequest, app: AppID, as principal: RulePrincipal, by rules: Ruleset? = nil) async throws -> RuleDecision
    {
        try await read(app, at: nil) { [ruleCache] view in
            let applied = try rules.map { ruleCache.proving($0, app) } ?? ruleCache.rules(of: app, in: view.file)?.rules
            let reads = CommitReads(view.bodies, view.encoded)
            let decisions = RuleDecisions(applied, principal, RuleSpending(), explains: true, reads.document)
            do {
                switch request {
                case .get(let path): try decisions.checkGet(path, at: view.time) { try decisions.document(path)?.fields }
                case .query(let query): try decisions.check(query, at: view.time)
                case .write(let write):
                    let alone = DocumentWrite(write.path, write.change, transforms: write.transforms)
                    let prepared = try Preparation([alone], at: view.time, reads).prepared
                    for effect in prepared.effects { try decisions.check(effect, in: prepared) }
                }
            } catch is DeniedByRules {}
            return decisions.last
        }
    }
}
