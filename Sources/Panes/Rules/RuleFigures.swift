// SPDX-License-Identifier: Apache-2.0

import API
import Events

/// The decisions of an app's newest rules since the start of the daemon, for documents or for files.
struct RuleFigures {
    /// Denied requests of one kind.
    struct Denial {
        /// Method and what it was about: `list users/*/orders`.
        let what: String
        let count: Int
        let place: String
        let reason: String
        let isSignedIn: Bool
        let last: Moment

        static let noPlace = "none"

        init(what: String, line: Int?, column: Int?, failed: Bool, isSignedIn: Bool, count: Int, last: Moment) {
            (self.what, self.count, self.isSignedIn, self.last) = (what, count, isSignedIn, last)
            place = if let line, let column { "\(line):\(column)" } else { Denial.noPlace }
            reason = line == nil ? "no line" : failed ? "error" : "false"
        }
    }

    /// Nil without rules.
    let revision: Int?
    let since: Moment?
    /// The statements in the order of the file, then the denials without one.
    let lines: [RuleLine]
    let denials: [Denial]
    /// How rules are set, in a sentence.
    let howToSet: String

    private init(_ revision: Int?, _ since: Moment?, _ statements: [RuleStatementDecisions], _ denials: [Denial], howToSet: String) {
        (self.revision, self.since, self.denials, self.howToSet) = (revision, since, denials, howToSet)
        let denied = Dictionary(denials.map { ($0.place, $0.count) }, uniquingKeysWith: +)
        let lines = statements.map { RuleLine(place: "\($0.line):\($0.column)", allowed: $0.allowed, denied: denied["\($0.line):\($0.column)"] ?? 0) }
        self.lines = lines + (denied[Denial.noPlace].map { [RuleLine(place: Denial.noPlace, allowed: nil, denied: $0)] } ?? [])
    }

    init(_ found: DocumentDenialsResponse) {
        let denials = found.items.map {
            Denial(
                what: "\($0.method) \($0.collection)", line: $0.line, column: $0.column, failed: $0.failed, isSignedIn: $0.signedIn, count: $0.count,
                last: $0.last)
        }
        self.init(found.revision, found.since, found.statements, denials, howToSet: "Set them with `ingestd rules set`.")
    }

    init(_ found: FileDenialsResponse) {
        let denials = found.items.map {
            Denial(
                what: $0.method, line: $0.line, column: $0.column, failed: $0.failed, isSignedIn: $0.signedIn, count: $0.count, last: $0.last)
        }
        self.init(found.revision, found.since, found.statements, denials, howToSet: "Set them with `ingestd files set-rules`.")
    }
}
