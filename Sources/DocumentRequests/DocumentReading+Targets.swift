// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import JSON
package import Listening
package import Platform
package import SignalboxDocumentModel

/// A target as a request describes it.
package struct RequestedTarget: Sendable {
    package let number: Int
    package let target: ListenTarget
    package let judged: JudgedTarget
    package let selection: FieldSelection?
    /// The documents of the result that the client has, by version.
    package let known: [DocumentPath: Int64]?
}

extension DocumentReading {
    private static let knownDocuments = 10_000

    /// Reads `[{"target": 1, "query": {…}}, {"target": 2, "document": "users/u1"}]`.
    package func listenTargets(_ member: String, examining most: Int?) throws(Refusal) -> [RequestedTarget] {
        guard let places = try elements(member, atMost: DocumentListener.targetsAtOnce) else { throw missing(member) }
        var targets: [RequestedTarget] = []
        for (index, place) in places.enumerated() {
            let target = try DocumentReading(tape, at: place, named: self.place("\(member)[\(index)]")).listenTarget(examining: most)
            if targets.contains(where: { $0.number == target.number }) {
                throw refuse("\(member)[\(index)].target", "occurs twice", code: "repeated")
            }
            targets.append(target)
        }
        return targets
    }

    private func listenTarget(examining most: Int?) throws(Refusal) -> RequestedTarget {
        try allow("target", "query", "document", "known")
        guard let number = try number("target", 1...Int64(Int32.max)) else { throw missing("target") }
        let known = try knownVersions()
        if let path = try path("document", isDocument: true) {
            if self["query"] != nil { throw refuse("query", "cannot be beside document") }
            return RequestedTarget(number: Int(number), target: ListenTarget(path), judged: .document(path), selection: nil, known: known)
        }
        guard let index = self["query"] else { throw missing("query", "is required, or document") }
        let reading = try DocumentReading(tape, at: index, named: place("query"))
        try reading.allowQuery()
        let query = try reading.query()
        return RequestedTarget(
            number: Int(number), target: ListenTarget(query, examining: most), judged: .query(query),
            selection: query.select.map { FieldSelection($0) }, known: known)
    }

    /// Reads `{"users/u1": 1795428000000001}`.
    private func knownVersions() throws(Refusal) -> [DocumentPath: Int64]? {
        guard let index = self["known"] else { return nil }
        guard tape[index].isObject, tape[index].children <= Self.knownDocuments else {
            throw refuse("known", "must be an object of at most \(Self.knownDocuments) versions by path")
        }
        var known: [DocumentPath: Int64] = [:]
        var key = index + 1
        for _ in 0..<tape[index].children {
            let value = tape[key].next
            guard let text = tape.text(tape[key]), let path = DocumentPath(text), path.isDocument, let version = tape[value].integer else {
                throw refuse("known", "must be an object of versions by path, such as users/u1")
            }
            known[path] = version
            key = tape[value].next
        }
        return known
    }
}
