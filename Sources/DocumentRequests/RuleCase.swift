// SPDX-License-Identifier: Apache-2.0

package import Rules
package import SignalboxDocumentModel

/// A test case of security rules: a request, the documents around it, and the expected decision.
package struct RuleCase {
    /// The result that a case gives for reads of rules, by `get` or another function.
    package struct Mock {
        /// The functions of one kind: those that read before the commit, or those that read after it.
        let isAfter: Bool
        /// Nil for any document.
        let path: DocumentPath?
        /// Nil if there is no document.
        let fields: DocumentFields?
    }

    package let name: String
    package let expectsAllow: Bool
    package let request: RuleRequest
    package let path: DocumentPath
    /// The conditions of a query; nil unless the case has one.
    package let query: DocumentQuery?
    package var existing: DocumentFields?
    package var written: DocumentFields?
    package var mocks: [Mock] = []
    package var documents: [DocumentPath: DocumentFields] = [:]

    package func decide(_ rules: Ruleset) -> RuleDecision {
        if let query { return rules.decide(query, as: request.auth, at: request.time, read: read) }
        var request = request
        if path.isDocument { request.existing = existing.map { .document(RuleDocument(path, $0)) } }
        if path.isDocument { request.written = written.map { .document(RuleDocument(path, $0)) } }
        return rules.decide(request, read: read)
    }

    private func read(_ wanted: DocumentPath, after: Bool) -> DocumentFields? {
        let mocks = mocks.filter { $0.isAfter == after }
        if let mock = mocks.first(where: { $0.path == wanted }) ?? mocks.first(where: { $0.path == nil }) { return mock.fields }
        guard wanted == path else { return documents[wanted] }
        let isWrite = request.method != .get && request.method != .list
        return after && isWrite ? written : existing ?? documents[wanted]
    }
}
