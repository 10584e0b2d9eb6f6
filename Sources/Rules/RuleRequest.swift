// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A document as rules see it.
package struct RuleDocument: Sendable {
    package let path: [String]
    package let data: RuleMap

    /// A document with its path within the app.
    package init(_ path: DocumentPath, _ fields: DocumentFields) {
        self.init(RuleValue.databasePath + path.segments.map(\.text.text), fields)
    }

    init(_ path: [String], _ fields: DocumentFields) {
        self.path = path
        data = .stored(fields)
    }

    private static let names: [ExactName] = ["data", "id", "__name__"]

    var value: RuleValue { .map(RuleMap(RuleDocument.names) { self[$0] }) }

    /// A member of the document's value.
    subscript(name: ExactName) -> RuleValue? {
        switch name {
        case "data": .map(data)
        case "id": .text(path.last ?? "")
        case "__name__": .path(path)
        default: nil
        }
    }
}

/// A request that rules decide about.
package struct RuleRequest: Sendable {
    package let method: RuleMethodName
    let service: RuleService
    package let path: [String]
    /// `request.auth`: null, or `uid` and `token`.
    package let auth: RuleValue
    package let time: DocumentTime
    /// The document or file before; nil if there is none.
    package var existing: RuleResource?
    /// The document that a write would leave, with its transforms applied, or the file.
    package var written: RuleResource?
    package var query: RuleMap = .made([:])
    /// The facts that a query states about all documents it finds; nil unless the request is one.
    var facts: RuleMap?

    package init(_ method: RuleMethodName, _ path: DocumentPath, auth: RuleValue, time: DocumentTime) {
        self.init(method, service: .documents, path: RuleValue.databasePath + path.segments.map(\.text.text), auth: auth, time: time)
    }

    init(_ method: RuleMethodName, service: RuleService, path: [String], auth: RuleValue, time: DocumentTime) {
        (self.method, self.service, self.path, self.auth, self.time) = (method, service, path, auth, time)
    }

    /// A query. The ID of the documents that it finds is unknown, and so are the collection if it names none, and what is above a collection of
    /// every depth.
    package init(_ query: DocumentQuery, auth: RuleValue, time: DocumentTime) {
        (method, service, self.auth, self.time) = (.list, .documents, auth, time)
        let above = query.parent.map { $0.segments.map(\.text.text) } ?? []
        path =
            RuleValue.databasePath + above + (query.everyDepth ? [RuleRequest.anyDepth] : []) + [
                query.collection?.text.text ?? RuleRequest.anyID, RuleRequest.anyID,
            ]
        let orders = query.orders.map { (ExactName($0.field.description), RuleValue.text($0.descending ? "DESC" : "ASC")) }
        self.query = .made([
            "offset": .integer(Int64(query.offset)), "limit": query.limit.map { .integer(Int64($0)) } ?? .null,
            "orderBy": .map(.made(Dictionary(orders, uniquingKeysWith: { first, _ in first }))),
        ])
    }

    /// Stands for the ID of any document or collection: no real ID has a slash.
    static let anyID = "/"
    /// Stands for documents or files of any depth. Only `=**` matches it.
    package static let anyDepth = "//"

    /// The names of the collections in the path, with `*` for IDs and `**` for any depth.
    ///
    ///     users/ana/orders/o1   →   users/*/orders        orders of every depth   →   **/orders
    package var collections: String {
        var (names, isID) = ([String](), false)
        for segment in path.dropFirst(RuleValue.databasePath.count).dropLast() {
            let isAnyDepth = segment == RuleRequest.anyDepth
            names.append(isAnyDepth ? "**" : isID || segment == RuleRequest.anyID ? "*" : segment)
            isID = !isAnyDepth && !isID
        }
        return names.joined(separator: "/")
    }

    private static let names: [ExactName] = ["auth", "method", "path", "time", "query", "resource"]

    var value: RuleValue { .map(RuleMap(RuleRequest.names) { self[$0] }) }

    /// The path of the document, or of the collection that a query searches. It is unknown for several collections or folders.
    private var pathValue: RuleValue {
        if path.last == RuleRequest.anyDepth { return .unknown([]) }
        guard method == .list, service == .documents else { return .path(path) }
        let collection = path.dropLast()
        return collection.contains { $0 == RuleRequest.anyID || $0 == RuleRequest.anyDepth } ? .unknown([]) : .path(Array(collection))
    }

    /// A member of the request's value.
    subscript(name: ExactName) -> RuleValue? {
        switch name {
        case "auth": auth
        case "method": .text(method.rawValue)
        case "path": pathValue
        case "time": .timestamp(RuleSpan(time))
        case "query": method == .list ? .map(query) : nil
        case "resource": written?.value
        default: nil
        }
    }
}

extension RuleRequest {
    /// Whether it is for a file whose bytes are still to come.
    var awaitsFile: Bool { if case .file(let file)? = written { file.isAwaited } else { false } }

    /// Makes the checksums of the file that it would write unknown.
    package mutating func awaitFile() {
        guard case .file(var file)? = written else { return }
        file.isAwaited = true
        written = .file(file)
    }
}

/// The decision of rules, with its reasons.
package struct RuleDecision: Sendable {
    /// The place of the statement that allows the request; nil if none does.
    package var allowedBy: RulePlace?
    /// The places of statements that were evaluated and do not allow the request.
    package var refusedBy: [RulePlace] = []
    /// Statements that were evaluated and failed, with their errors.
    package var faults: [RuleFault] = []
    /// The limit that the decision, or the request with it, exceeded; nil for none.
    package var limit: RuleLimit?
    /// Whether a statement may allow the request once the checksums of the file are known.
    package var isUndecided = false
    /// Whether rules looked at `resource`. If not, the decision is the same for any document or file, and for none.
    package var looksAtExisting = false
    /// Whether rules looked at `request.resource`.
    package var looksAtWritten = false
    /// The values of all expressions in the order in which they were known, if they were asked for.
    package var steps: [RuleStep] = []
    /// The expressions that were evaluated, and their work (`RuleBudget`).
    package var expressions = 0
    package var work = 0

    /// A decision before any statement is looked at: nothing is allowed.
    package init() {}

    package var isAllowed: Bool { allowedBy != nil }

    /// The decision without the permission, because the request exceeds a limit.
    package func denied(by limit: RuleLimit) -> RuleDecision {
        guard let place = allowedBy else { return self }
        var decision = self
        (decision.allowedBy, decision.limit) = (nil, limit)
        decision.refusedBy.append(place)
        decision.faults.append(RuleFault(place: place, message: "The operations of the request exceed the limit `\(limit.rawValue)`."))
        return decision
    }
}

/// A limit of `RuleBudget`, as operators see it.
package enum RuleLimit: String, Sendable, CaseIterable {
    case expressions, calls, reads, work
    case expressionsOfBatch = "expressions_of_batch"
    case readsOfBatch = "reads_of_batch"
    case workOfBatch = "work_of_batch"
}

/// Limits of one decision. They are Firestore's.
package enum RuleBudget {
    package static let expressions = 1_000
    package static let calls = 20
    package static let reads = 10
    /// Of all decisions about a request with several operations.
    package static let (expressionsOfBatch, readsOfBatch) = (20_000, 20)
    /// Elements that are visited, and 16 bytes each of texts. This limit is ours: a document may have 100,000 elements.
    package static let work = 1_000_000
    package static let workOfBatch = 4_000_000
}

extension Ruleset {
    /// Decides about a request. `read` returns a document's fields before the commit, or those after it.
    ///
    /// - Parameters:
    ///   - explains: Whether the decision has the values of expressions.
    ///   - existing: The fields of the document before, in place of those in the request. It is called once rules look at them.
    package func decide(
        _ request: RuleRequest, explains: Bool = false, existing: (() -> DocumentFields?)? = nil,
        read: @escaping (DocumentPath, _ after: Bool) -> DocumentFields?
    ) -> RuleDecision {
        let existing = existing.map { read in { read().map { RuleResource.document(RuleDocument(request.path, $0)) } } }
        var evaluation = RuleEvaluation(rules: self, request: request, existing: existing, read: read)
        if explains { evaluation.steps = [] }
        return made(request, &evaluation)
    }

    /// Decides about a request for a file.
    ///
    /// - Parameters:
    ///   - file: The file before. It is called once, when rules look at it.
    ///   - read: As above; for rules that read no documents it may be left out.
    package func decide(
        _ request: RuleRequest, file: () -> RuleFile?, read: @escaping (DocumentPath, _ after: Bool) -> DocumentFields? = { _, _ in nil }
    ) -> RuleDecision {
        withoutActuallyEscaping(file) { file in
            var evaluation = RuleEvaluation(rules: self, request: request, existing: { file().map { RuleResource.file($0) } }, read: read)
            return made(request, &evaluation)
        }
    }

    private func made(_ request: RuleRequest, _ evaluation: inout RuleEvaluation) -> RuleDecision {
        var decision = decide(request, &evaluation)
        decision.steps = evaluation.steps ?? []
        (decision.expressions, decision.work) = (evaluation.expressions, evaluation.work)
        (decision.looksAtExisting, decision.looksAtWritten) = (evaluation.looksAtExisting, evaluation.looksAtWritten)
        return decision
    }

    private func decide(_ request: RuleRequest, _ evaluation: inout RuleEvaluation) -> RuleDecision {
        var decision = RuleDecision()
        for candidate in candidates(request.method, request.path) {
            guard let condition = candidate.allow.condition else {
                (decision.allowedBy, decision.isUndecided) = (candidate.allow.place, false)
                return decision
            }
            evaluation.captures = candidate.captures
            switch Result(catching: { () throws(RuleEvaluation.Failure) in try evaluation.value(condition) }) {
            case .success(.bool(true)):
                (decision.allowedBy, decision.isUndecided) = (candidate.allow.place, false)
                return decision
            case .success: decision.refusedBy.append(candidate.allow.place)
            case .failure(let failure):
                decision.refusedBy.append(candidate.allow.place)
                decision.faults.append(RuleFault(place: failure.place, message: failure.message))
                decision.isUndecided = decision.isUndecided || failure.isUndecided
                if let limit = failure.limit {
                    (decision.limit, decision.isUndecided) = (limit, false)
                    return decision
                }
            }
        }
        return decision
    }
}
