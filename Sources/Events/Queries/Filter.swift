// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A condition on an event: `context.platform=ios|android`, `params.n>=3`, `user.tier!=free`.
package struct Filter: Sendable, Equatable {
    package enum Comparison: String, CaseIterable, Sendable {
        case notEqual = "!="
        case atLeast = ">="
        case atMost = "<="
        case equal = "="
        case greater = ">"
        case less = "<"
        case contains = "~"
    }

    package let path: FieldPath
    package let comparison: Comparison
    /// The values to compare with. One of them must match; for `!=` none may be equal.
    package let values: [String]
    private let operands: [Operand]
    /// Whether a field's text is read as a number: only if a value is one, and the field can hold one.
    private let readsNumbers: Bool

    private struct Operand: Sendable, Equatable {
        var text: [UInt8]
        var number: DecimalNumber?
    }

    package static let limit = 20
    static let valuesLimit = 100

    package init(path: FieldPath, comparison: Comparison, values: [String]) {
        self.path = path
        self.comparison = comparison
        self.values = values
        let comparesNumbers = comparison.comparesNumbers(of: path)
        var texts = values.map { Array($0.utf8) }
        if case .cohorts = path { texts = [Filter.member] }
        operands = texts.map { Operand(text: $0, number: comparesNumbers ? DecimalNumber($0.span) : nil) }
        readsNumbers = operands.contains { $0.number != nil }
    }

    /// Reads `FIELD OPERATOR VALUE|VALUE`. The operator is the first one in the text, so later operator characters belong to the values.
    /// In a value `\|` is a bar and `\\` a backslash; before any other character a backslash is itself.
    ///
    ///     params.n>=3              →  field `params.n`, operator `>=`, values ["3"]
    ///     params.rule=a>b|c        →  field `params.rule`, operator `=`, values ["a>b", "c"]
    ///     params.unit=a\|b|C:\d  →  field `params.unit`, operator `=`, values ["a|b", "C:\d"]
    package init(_ text: String, parameter: String = "filter") throws(Refusal) {
        let bytes = text.utf8
        guard bytes.count <= 10_000, let start = bytes.firstIndex(where: Filter.beginsComparison),
            let comparison = Comparison.allCases.first(where: { bytes[start...].starts(with: $0.rawValue.utf8) })
        else {
            throw .field(parameter, "bad_filter", "must be a field, one of = != > >= < <= ~, and a value, such as context.platform=ios|android")
        }
        let values = Filter.values(in: bytes[start...].dropFirst(comparison.rawValue.utf8.count))
        guard values.count <= Filter.valuesLimit else {
            throw .field(parameter, "too_many", "may have at most \(Filter.valuesLimit) values")
        }
        let path = try Filter.path(String(decoding: bytes[..<start], as: UTF8.self), comparison, values, parameter)
        guard !path.isOfItems else { throw .field(parameter, "items", "cannot be a condition on items, because an event may have several") }
        self.init(path: path, comparison: comparison, values: values)
    }

    /// The value of a condition on cohorts for their members; others have none.
    package static let member = Array("1".utf8)

    /// Whether it is a condition on a person instead of the event.
    package var isOfPersons: Bool {
        if case .user = path { true } else { isOfCohorts }
    }

    package var isOfCohorts: Bool {
        if case .cohorts = path { true } else { false }
    }

    /// Reads the field. `cohort` is followed by `=` or `!=` and names:
    ///
    ///     cohort=buyers|testers    →  the cohorts `buyers` and `testers`, without their definitions
    private static func path(
        _ text: String, _ comparison: Comparison, _ names: [String], _ parameter: String
    ) throws(Refusal) -> FieldPath {
        guard text == "cohort" else { return try FieldPath(text, parameter: parameter) }
        guard comparison == .equal || comparison == .notEqual, names.count <= Cohort.limit, names.allSatisfy(Cohort.isName) else {
            throw .field(parameter, "bad_cohort", "must be cohort= or cohort!= and up to \(Cohort.limit) names of cohorts")
        }
        return .cohorts(names.map { NamedCohort($0, nil) })
    }

    private static func beginsComparison(_ byte: UInt8) -> Bool { "=!<>~".utf8.contains(byte) }

    /// Splits `a|b` and removes escapes.
    private static func values(in text: Substring.UTF8View) -> [String] {
        let (bar, backslash) = (UInt8(ascii: "|"), UInt8(ascii: "\\"))
        var values: [String] = []
        var value: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == backslash, let next = rest.first, next == bar || next == backslash {
                value.append(next)
                rest.removeFirst()
            } else if byte == bar {
                values.append(String(decoding: value, as: UTF8.self))
                value.removeAll(keepingCapacity: true)
            } else {
                value.append(byte)
            }
        }
        return values + [String(decoding: value, as: UTF8.self)]
    }

    package static func all(_ texts: [String], parameter: String) throws(Refusal) -> [Filter] {
        guard texts.count <= limit else { throw .field(parameter, "too_many", "may be given at most \(limit) times") }
        var filters: [Filter] = []
        for text in texts { filters.append(try Filter(text, parameter: parameter)) }
        return filters
    }

    /// Returns whether the condition holds for a field's text. A missing field only matches `!=`.
    package func holds(_ value: [UInt8]?) -> Bool {
        guard let value else { return comparison == .notEqual }
        let number = readsNumbers ? DecimalNumber(value.span) : nil
        return switch comparison {
        case .equal: operands.contains { Filter.areEqual(value, number, $0) }
        case .notEqual: !operands.contains { Filter.areEqual(value, number, $0) }
        case .contains: operands.contains { value.holds($0.text) }
        case .greater: operands.contains { Filter.isLess($0.text, $0.number, value, number) }
        case .atLeast: operands.contains { !Filter.isLess(value, number, $0.text, $0.number) }
        case .less: operands.contains { Filter.isLess(value, number, $0.text, $0.number) }
        case .atMost: operands.contains { !Filter.isLess($0.text, $0.number, value, number) }
        }
    }

    /// Returns the decimal number of a text for figures over numbers. It rejects other forms that C accepts, such as hexadecimal; whole
    /// numbers take a fast path.
    static func number(_ text: [UInt8]) -> Double? {
        if (1...15).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Double(text.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) })
        }
        guard !text.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }), let number = Double(String(decoding: text, as: UTF8.self)) else {
            return nil
        }
        return number.isFinite ? number : nil
    }

    private static func areEqual(_ text: [UInt8], _ number: DecimalNumber?, _ operand: Operand) -> Bool {
        guard let number, let other = operand.number else { return text == operand.text }
        return number == other
    }

    /// Compares two numbers by value, and any other two texts by their bytes, which is the order of their Unicode scalars.
    private static func isLess(_ text: [UInt8], _ number: DecimalNumber?, _ otherText: [UInt8], _ otherNumber: DecimalNumber?) -> Bool {
        guard let number, let otherNumber else { return text.lexicographicallyPrecedes(otherText) }
        return number < otherNumber
    }
}

extension Filter.Comparison {
    /// Whether numbers compare by value. Names and context fields are equal as texts only: version 1.1 is not 1.10.
    fileprivate func comparesNumbers(of path: FieldPath) -> Bool {
        switch (self, path) {
        case (.contains, _), (.equal, .name), (.notEqual, .name), (.equal, .context), (.notEqual, .context): false
        default: true
        }
    }
}

extension [UInt8] {
    fileprivate func holds(_ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard count >= part.count else { return false }
        return (0...count - part.count).contains { self[$0] == first && self[$0..<$0 + part.count].elementsEqual(part) }
    }
}
