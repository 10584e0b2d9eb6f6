// SPDX-License-Identifier: Apache-2.0

import Foundation
import Rules
import SignalboxDocumentModel
import Testing

/// Random rules decide about random requests as Google's emulator did.
@Suite struct RecordedRuleTests {
    private typealias Recorded = RecordedAnswers

    private static let now = OrderTests.time(1_795_678_000_000_000)

    @Test func `gets and writes are decided as the emulator decided`() throws {
        var counts = (allowed: 0, denied: 0)
        var documents: [String: DocumentFields] = [:]
        for program in try Recorded.lines("rules.ndjson") + Recorded.lines("matches.ndjson") + Self.chosen("rule-cases.ndjson") {
            guard program["bad"] == nil else {
                #expect(throws: RuleFault.self, "\(program)") { try Ruleset(Recorded.text(program["text"])) }
                continue
            }
            let rules = try Ruleset(Recorded.text(program["text"]))
            // Chosen rules have the documents of those before them.
            if program["docs"] != nil { documents = try Recorded.object(program["docs"]).mapValues(Recorded.fields) }
            for recorded in Recorded.list(program["reqs"]) {
                let request = try Self.request(recorded, documents, program)
                let decision = rules.decide(request) { path, after in
                    let isWritten = after && request.method != .get && path.description == Recorded.text(recorded["p"])
                    return isWritten ? Self.after(request) : documents[path.description]
                }
                let isAllowed = Recorded.flag(recorded["ok"])
                #expect(decision.isAllowed == isAllowed, "\(Recorded.text(program["text"])) \(recorded) \(decision.faults)")
                if isAllowed { counts.allowed += 1 } else { counts.denied += 1 }
            }
        }
        #expect(counts.allowed > 400 && counts.denied > 400)
    }

    /// Ours allows more where one condition is sure to imply another, and less where the emulator takes `!(x in list)` for proved.
    @Test func `a query is allowed if the emulator allowed it`() throws {
        var (equal, different, strictAlone) = (0, 0, 0)
        for program in try Recorded.lines("lists.ndjson") {
            let rules = try Ruleset(Recorded.text(program["text"]))
            for recorded in Recorded.list(program["reqs"]) {
                let query = try RecordedQuery.read(Recorded.object(recorded["q"]))
                guard (try? query.validate()) != nil else { continue }
                let decision = rules.decide(query, as: try Self.auth(recorded, program), at: Self.now) { _, _ in nil }
                if decision.isAllowed == Recorded.flag(recorded["ok"]) { equal += 1 } else { different += 1 }
                let strict = rules.proving(strictly: true).decide(query, as: try Self.auth(recorded, program), at: Self.now) { _, _ in nil }
                #expect(decision.isAllowed || !strict.isAllowed, "\(recorded)")
                if strict.isAllowed, !Recorded.flag(recorded["ok"]), !Self.findsNothing(query) { strictAlone += 1 }
            }
        }
        // Other recordings have the differences that the README of Rules lists, but hardly any.
        if Recorded.recordings == nil { #expect(strictAlone == 0) } else { #expect(strictAlone * 300 < equal) }
        #expect(equal > 400)
        // Other recordings have other differences, but not many.
        if Recorded.recordings == nil { #expect(different == Self.knownDifferences) } else { #expect(different * 30 < equal) }
    }

    private static let knownDifferences = 10

    /// Decisions that `Tests/Conformance/documents/rule_cases.py` recorded; none beside recordings of random programs.
    private static func chosen(_ name: String) throws -> [Recorded.Object] { Recorded.recordings == nil ? try Recorded.lines(name) : [] }

    @Test func `chosen queries are decided as the emulator decided`() throws {
        for program in try Self.chosen("list-cases.ndjson") {
            let rules = try Ruleset(Recorded.text(program["text"]))
            let one = OrderTests.fields([("a", .integer(1)), ("open", .bool(true))])
            for recorded in Recorded.list(program["reqs"]) {
                let query = try RecordedQuery.read(Recorded.object(recorded["q"]))
                let decision = rules.decide(query, as: try Self.auth(recorded, program), at: Self.now) { path, _ in
                    path.description == "r/one" ? one : nil
                }
                #expect(decision.isAllowed == Recorded.flag(recorded["ok"]), "\(Recorded.text(program["text"])) \(recorded) \(decision.faults)")
            }
        }
    }

    /// Whether a query can find nothing, as no document equals null. Ours takes that for a proof, the emulator does not.
    private static func findsNothing(_ query: DocumentQuery) -> Bool {
        guard let disjunctions = query.filter?.disjunctions else { return false }
        return disjunctions.allSatisfy { $0.contains { if case .compare(_, .equal, .null) = $0 { true } else { false } } }
    }

    private static func request(_ recorded: Recorded.Object, _ documents: [String: DocumentFields], _ program: Recorded.Object) throws -> RuleRequest
    {
        let (kind, name) = (Recorded.text(recorded["k"]), Recorded.text(recorded["p"]))
        let path = try #require(DocumentPath(name))
        let method = kind.hasPrefix("get") ? .get : try #require(RuleMethodName(rawValue: kind))
        var request = RuleRequest(method, path, auth: try auth(recorded, program), time: now)
        request.existing = documents[name].map { .document(RuleDocument(path, $0)) }
        if method == .create || method == .update { request.written = .document(RuleDocument(path, try Recorded.fields(recorded["w"]))) }
        return request
    }

    private static func after(_ request: RuleRequest) -> DocumentFields? {
        if case .document(let document)? = request.written, case .stored(let fields) = document.data { fields } else { nil }
    }

    private static func auth(_ recorded: Recorded.Object, _ program: Recorded.Object) throws -> RuleValue {
        let auth = Recorded.object(recorded["auth"])
        guard let user = auth["uid"] as? String else { return .null }
        var claims = Recorded.object(program["claims"]).merging(Recorded.object(auth["claims"])) { $1 }
        (claims["user_id"], claims["sub"]) = (user, user)
        return .map(.made(["uid": .text(user), "token": value(claims)]))
    }

    private static func value(_ any: Any) -> RuleValue {
        switch any {
        case let text as String: .text(text)
        case let list as [Any]: .list(list.map(value))
        case let map as Recorded.Object: .map(.made(Dictionary(uniqueKeysWithValues: map.map { (ExactName($0.key), value($0.value)) })))
        case let number as NSNumber where String(cString: number.objCType) == "c": .bool(number.boolValue)
        case let number as NSNumber: .integer(number.int64Value)
        default: .null
        }
    }
}
