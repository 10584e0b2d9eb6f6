// SPDX-License-Identifier: Apache-2.0

extension UInt64 {
    /// The key as an SQL literal. SQLite's integers are signed.
    package var literal: String { String(Int64(bitPattern: self)) }
}

extension Set<UInt64> {
    /// The keys as the right side of `IN`, sorted, so equal sets give the same statement.
    package var list: String { "(\(sorted().map(\.literal).joined(separator: ", ")))" }
}

extension DefaultStringInterpolation {
    /// Writes a state as the number that rows store: `"state = \(sql: IssueState.muted)"` is `state = 3`.
    package mutating func appendInterpolation<Number: BinaryInteger>(sql state: some RawRepresentable<Number>) {
        appendLiteral(String(state.rawValue))
    }
}
