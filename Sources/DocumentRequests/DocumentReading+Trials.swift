// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import JSON
package import Platform
import Rules

extension DocumentReading {
    /// Reads `{"get": "users/ana"}`, `{"query": {…}}` or `{"write": {"set": "users/ana", …}}`.
    package func explained() throws(Refusal) -> ExplainedRequest {
        let kinds = ["get", "query", "write"].filter { self[$0] != nil }
        guard let kind = kinds.first, let index = self[kind] else { throw missing("get", "is required, or query, or write") }
        if kinds.count > 1 { throw refuse(kinds[1], "cannot be beside \(kind): a request must have one of get, query and write") }
        if kind == "get", let path = try path("get", isDocument: true) { return .get(path) }
        let reading = try DocumentReading(tape, at: index, named: kind)
        if kind == "write" { return .write(try reading.write()) }
        try reading.allowQuery()
        return .query(try reading.query())
    }

    /// Reads the user: `{"uid": "ana", "token": {"admin": true}}`; null or nothing for a request without one.
    package func principal(_ member: String = "as") throws(Refusal) -> RulePrincipal {
        guard let index = self[member], tape[index].kind != .null else { return RulePrincipal(uid: nil) }
        let user = try DocumentReading(tape, at: index, named: member)
        try user.allow("uid", "token")
        guard let uid = try user.text("uid") else { throw user.missing("uid") }
        guard let place = user["token"] else { return RulePrincipal(uid: uid) }
        guard case .map(let claims) = RuleValue(claim: place, of: tape) else { throw user.refuse("token", "must be an object of claims") }
        return RulePrincipal(uid: uid, token: claims)
    }
}
