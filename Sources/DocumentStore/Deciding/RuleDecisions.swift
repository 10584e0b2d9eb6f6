// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
package import Rules
import SignalboxDocumentModel

/// A user of an app, or nobody (`request.auth == null`), to whom rules apply.
package struct RulePrincipal: Sendable {
    package let auth: RuleValue
    let isSignedIn: Bool
    /// A hash of the user, or of the address of a request without one. Clients have turns for long queries.
    private var client: Int
    /// Tells whether the client leaves while a read waits for its turn; nil if reads are made also then.
    private(set) var watch: ClientWatch?

    /// - Parameters:
    ///   - uid: The ID of the user; nil for a request without one.
    ///   - token: The claims of the user's ID token.
    package init(uid: String?, token: RuleMap = .made([:])) {
        isSignedIn = uid != nil
        client = uid.hashValue
        auth = uid.map { .map(.made(["uid": .text($0), "token": .map(token)])) } ?? .null
    }

    /// The principal of a request without a user, at an address.
    package func at(_ address: some Hashable) -> RulePrincipal {
        var principal = self
        if !isSignedIn { principal.client = address.hashValue }
        return principal
    }

    /// The principal of a request whose reads are not made if its client leaves before their turn.
    package func watched(_ watch: @escaping ClientWatch) -> RulePrincipal {
        var principal = self
        principal.watch = watch
        return principal
    }

    func caller(in app: AppID) -> QueryCaller { QueryCaller(app, client: client) }
}

/// Thrown if rules do not allow a request. It says nothing about what is there.
package struct DeniedByRules: Error, Equatable {}

/// The budget that the decisions about one request have used. A request with several operations has one budget for all of them.
final class RuleSpending {
    /// The documents that rules asked for.
    private(set) var documents: Set<DocumentPath> = []
    private var expressions = 0
    private var work = 0
    /// The bytes of documents that further writes may read and make. Negative once they were too many.
    private(set) var bytesLeft = DocumentBounds.bytesUnderRules
    /// The budget of candidate rules, which decide as if they were alone.
    private(set) lazy var ofCandidate: RuleSpending = RuleSpending()
    /// The budget of decisions without documents. Those that do not deny are made again with the documents, which spends the request's.
    private(set) lazy var ofUnread: RuleSpending = RuleSpending()

    init() {}

    func note(_ path: DocumentPath) { documents.insert(path) }

    func spend(bytes: Int) throws(CommitFault) {
        bytesLeft -= bytes
        if bytesLeft < 0 { throw .tooManyBytes }
    }

    /// Returns a decision; one that denies if the decisions so far are beyond the budget of a request.
    func add(_ decision: RuleDecision) -> RuleDecision {
        expressions += decision.expressions
        work += decision.work
        guard let exceeded else { return decision }
        return decision.denied(by: exceeded)
    }

    /// The limit that the decisions so far exceed; nil for none.
    var exceeded: RuleLimit? {
        if documents.count > RuleBudget.readsOfBatch { return .readsOfBatch }
        if expressions > RuleBudget.expressionsOfBatch { return .expressionsOfBatch }
        return work > RuleBudget.workOfBatch ? .workOfBatch : nil
    }
}

/// Candidate rules that decide beside those of an app, without effect.
struct CandidateRules {
    /// Returns the rules; nil if they do not decide on this request.
    let next: () -> Ruleset?
    /// Called with the candidate's decision, that of the app's rules, and the number of documents that only the candidate read.
    let note: (RuleDecision, _ instead: RuleDecision, RuleRequest, _ reads: Int) -> Void
}

/// Rules that decide about one request of a principal.
///
/// Documents that rules ask for are read once, from the version that the request sees.
final class RuleDecisions {
    private let rules: Ruleset?
    private let principal: RulePrincipal
    private let spending: RuleSpending
    private let explains: Bool
    private let candidate: CandidateRules?
    private let note: (RuleDecision, RuleRequest) -> Void
    private let stored: (DocumentPath) throws -> StoredDocument?
    private var known: [DocumentPath: StoredDocument?] = [:]
    /// The newest decision.
    private(set) var last = RuleDecision()

    /// - Parameter note: Called with each decision.
    init(
        _ rules: Ruleset?, _ principal: RulePrincipal, _ spending: RuleSpending, explains: Bool = false, candidate: CandidateRules? = nil,
        note: @escaping (RuleDecision, RuleRequest) -> Void = { _, _ in }, _ stored: @escaping (DocumentPath) throws -> StoredDocument?
    ) {
        (self.rules, self.principal, self.spending, self.stored) = (rules, principal, spending, stored)
        (self.explains, self.candidate, self.note) = (explains, candidate, note)
    }

    /// The documents that rules asked for. The decisions hold until one of them changes.
    var documents: Set<DocumentPath> { spending.documents }

    func document(_ path: DocumentPath) throws -> StoredDocument? {
        if let known = known[path] { return known }
        let document = try stored(path)
        known[path] = document
        return document
    }

    /// Whether a write of a document that is there is denied whatever the document contains. The document is not read.
    ///
    ///     if request.auth.uid == 'a'                    denied here
    ///     if resource.data.owner == request.auth.uid    left to `check`, which reads the document
    func deniesUnread(_ write: DocumentWrite, at time: DocumentTime) throws -> Bool {
        // A candidate decides about the same documents as the rules. Beyond the budget, documents are read.
        guard candidate == nil, self.spending.ofUnread.exceeded == nil else { return false }
        guard let rules else { return true }
        var request = RuleRequest(Self.method(of: write, isThere: true), write.path, auth: principal.auth, time: time)
        var isMade = true
        if case .set(let fields, let mask) = write.change {
            isMade = mask == nil && write.transforms.isEmpty
            request.written = .document(RuleDocument(write.path, fields))
        }
        var asksForLater = false
        let spending = RuleSpending()
        let made = try decide(by: rules, [:], spending) { [request] rules, read in
            rules.decide(request, existing: { nil }) { path, isAfter in
                asksForLater = asksForLater || isAfter
                return isAfter ? nil : read(path, false)
            }
        }
        for path in spending.documents { self.spending.ofUnread.note(path) }
        _ = self.spending.ofUnread.add(made)
        if made.isAllowed || made.looksAtExisting || asksForLater || made.looksAtWritten && !isMade { return false }
        for path in spending.documents { self.spending.note(path) }
        last = self.spending.add(made)
        note(last, request)
        return true
    }

    private static func method(of write: DocumentWrite, isThere: Bool) -> RuleMethodName {
        switch write.change {
        case .verify: .get
        case .delete: .delete
        case .set: isThere ? .update : .create
        }
    }

    /// Throws unless a write is allowed. Documents are those of the commit, before and after.
    func check(_ effect: PreparedCommit.Effect, in commit: PreparedCommit) throws {
        let method = Self.method(of: effect.write, isThere: effect.before != nil)
        var request = RuleRequest(method, effect.write.path, auth: principal.auth, time: commit.stamp)
        request.existing = effect.before.map { .document(RuleDocument($0.path, $0.fields)) }
        if case .set = effect.write.change { request.written = effect.after.map { .document(RuleDocument($0.path, $0.fields)) } }
        try decide(request, after: commit.after) { [request] rules, read in rules.decide(request, explains: self.explains, read: read) }
    }

    /// Throws unless a document may be read, whether it is there or not. It is not read before rules look at it, so that the time of a denial
    /// does not tell of it.
    func checkGet(_ path: DocumentPath, at time: DocumentTime, _ fields: @escaping () throws -> DocumentFields?) throws {
        let request = RuleRequest(.get, path, auth: principal.auth, time: time)
        try decide(request) { rules, read in
            var failure: (any Error)?
            let existing = { () -> DocumentFields? in
                do { return try fields() } catch {
                    failure = error
                    return nil
                }
            }
            let decision = rules.decide(request, explains: self.explains, existing: existing, read: read)
            if let failure { throw failure }
            return decision
        }
    }

    /// Throws unless the conditions of a query prove that all it may find is allowed.
    func check(_ query: DocumentQuery, at time: DocumentTime) throws {
        try decide(RuleRequest(query, auth: principal.auth, time: time)) { rules, read in
            rules.decide(query, as: self.principal.auth, at: time, explains: self.explains, read: read)
        }
    }

    private typealias Deciding = (Ruleset, @escaping (DocumentPath, Bool) -> DocumentFields?) throws -> RuleDecision

    /// Decides, and throws the error of the database if a document that rules ask for cannot be read.
    ///
    /// - Parameter after: The documents that a commit changes, as it leaves them.
    private func decide(_ request: RuleRequest, after: [DocumentPath: StoredDocument?] = [:], _ decision: Deciding) throws {
        var made = RuleDecision()
        if let rules {
            made = spending.add(try decide(by: rules, after, spending, decision))
            last = made
            note(made, request)
        }
        compare(made, request, after, decision)
        if !made.isAllowed { throw DeniedByRules() }
    }

    private func decide(by rules: Ruleset, _ after: [DocumentPath: StoredDocument?], _ spending: RuleSpending, _ decision: Deciding) throws
        -> RuleDecision
    {
        var failure: (any Error)?
        let made = try decision(rules) { path, isAfter in
            spending.note(path)
            if isAfter, let changed = after[path] { return changed?.fields }
            do { return try self.document(path)?.fields } catch {
                failure = failure ?? error
                return nil
            }
        }
        if let failure { throw failure }
        return made
    }

    /// Lets the candidate decide as well. An error of the database is that of its own reads and has no effect.
    private func compare(_ decided: RuleDecision, _ request: RuleRequest, _ after: [DocumentPath: StoredDocument?], _ decision: Deciding) {
        guard let candidate, let rules = candidate.next() else { return }
        let before = known.count
        guard let made = try? decide(by: rules, after, spending.ofCandidate, decision) else { return }
        candidate.note(spending.ofCandidate.add(made), decided, request, known.count - before)
    }
}
