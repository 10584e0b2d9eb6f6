// SPDX-License-Identifier: Apache-2.0

extension Ruleset {
    /// Warnings in the order of the text: statements that permit anyone to write, or to read, without a condition, names that do not
    /// exist, whose evaluation is an error, and conditions that queries do not prove.
    ///
    ///     allow read, write;   allow write: if true;   allow get: if request.auth.uid == userID;
    package var warnings: [RuleFault] {
        let statements = matches.flatMap(\.everyAllow)
        let open = statements.filter(isUnconditional)
        let openness = open.map { allow in
            let methods = RuleMethodName.allCases.filter(allow.methods.contains).map(\.rawValue).joined(separator: ", ")
            return RuleFault(place: allow.place, message: "Everyone is allowed \(methods).")
        }
        return (openness + unresolved + queryWarnings(statements)).sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
    }

    /// The number of `allow` statements.
    package var statements: Int { matches.flatMap(\.everyAllow).count }

    /// The places of all `allow` statements, in the order of the text.
    package var statementPlaces: [RulePlace] { matches.flatMap(\.everyAllow).map(\.place).sorted { ($0.line, $0.column) < ($1.line, $1.column) } }

    private func isUnconditional(_ allow: AllowStatement) -> Bool {
        guard let condition = allow.condition else { return true }
        if case .literal(.bool(true)) = nodes[condition.index] { return true }
        return false
    }
}

extension MatchBlock {
    fileprivate var everyAllow: [AllowStatement] { allows + inner.flatMap(\.everyAllow) }
}
