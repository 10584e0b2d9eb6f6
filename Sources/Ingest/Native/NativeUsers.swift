// SPDX-License-Identifier: Apache-2.0

package import Events
package import JSON
package import Platform

/// Decodes user updates of the native API.
package struct NativeUsers: Sendable {
    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Decodes `{"users": […]}`. It throws only for errors of the request as a whole.
    package func decode(
        _ body: consuming [UInt8], app: App, rules: RuleSet? = nil, proof: UserProof = .open, received: Timestamp, hash: KeyedHash
    ) throws(Refusal) -> UserSubmission {
        let body = body
        return try parser.withReader { json throws(Refusal) in
            let tape: JSONTape
            do throws(JSONError) {
                tape = try json.parse(body)
            } catch {
                throw Refusal(error)
            }
            let envelope = try UsersEnvelope(tape)
            let count = tape[envelope.users].children
            guard count <= FixedLimits.usersPerRequest else { throw .tooMany("users", limit: FixedLimits.usersPerRequest) }
            var reader = UserReader(
                app: app, rules: rules ?? .firebase(.sdk, app.settings), received: received, sentAt: envelope.sentAt, hash: hash,
                proof: proof, source: SourceText(tape: tape))
            reader.readElements(of: envelope.users, count)
            return UserSubmission(
                app: app.id, received: received, body: body, updates: reader.updates, quarantined: reader.log.quarantined(in: reader.source),
                corrections: reader.log.corrections(in: reader.source))
        }
    }
}

/// The object that contains the entries.
private struct UsersEnvelope {
    private(set) var users = 0
    private(set) var sentAt: Timestamp?

    init(_ tape: JSONTape) throws(Refusal) {
        guard tape[0].kind == .object else { throw .unexpectedShape("an object with an array \"users\"") }
        let source = SourceText(tape: tape)
        var at = 1
        while at < tape[0].next {
            let value = tape[at].next
            switch tape.text(tape[at]) {
            case "users":
                guard users == 0, tape[value].kind == .array else { throw .unexpectedShape("an object with one array \"users\"") }
                users = value
            case "sent_at": sentAt = Timestamp(value, in: source)
            default: break
            }
            at = tape[value].next
        }
        if users == 0 { throw .unexpectedShape("an object with an array \"users\"") }
    }
}
