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
    /// The values to compare with. For `=` one of them must match; for `!=` none may.
    package let values: [String]
    private let texts: [[UInt8]]
    private let numbers: [Double]

    package static let limit = 20
    static let valuesLimit = 100

    package init(path: FieldPath, comparison: Comparison, values: [String], parameter: String = "filter") throws(Refusal) {
        self.path = path
        self.comparison = comparison
        self.values = values
        if case .cohorts = path {
            texts = [Filter.member]
        } else {
            texts = values.map { Array($0.utf8) }
        }
        switch comparison {
        case .equal, .notEqual, .contains: numbers = []
        case .greater, .atLeast, .less, .atMost:
            numbers = texts.compactMap(Filter.number)
            guard numbers.count == values.count else {
                throw .field(parameter, "not_a_number", "compares numbers: \(path.text)\(comparison.rawValue) must be followed by a number")
            }
        }
    }

    /// Reads `FIELD OPERATOR VALUE|VALUE`. The operator is the first one in the text, so later operator characters belong to the values.
    ///
    ///     params.n>=3              →  field `params.n`, operator `>=`, values ["3"]
    ///     params.rule=a>b|c        →  field `params.rule`, operator `=`, values ["a>b", "c"]
    package init(_ text: String, parameter: String = "filter") throws(Refusal) {
        let bytes = text.utf8
        guard bytes.count <= 10_000, let start = bytes.firstIndex(where: Filter.beginsComparison),
            let comparison = Comparison.allCases.first(where: { bytes[start...].starts(with: $0.rawValue.utf8) })
        else {
            throw .field(parameter, "bad_filter", "must be a field, one of = != > >= < <= ~, and a value, such as context.platform=ios|android")
        }
        let values = bytes[start...].dropFirst(comparison.rawValue.utf8.count).split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        guard values.count <= Filter.valuesLimit else {
            throw .field(parameter, "too_many", "may have at most \(Filter.valuesLimit) values")
        }
        let path = try Filter.path(String(decoding: bytes[..<start], as: UTF8.self), comparison, values, parameter)
        guard !path.isOfItems else { throw .field(parameter, "items", "cannot be a condition on items, because an event may have several") }
        try self.init(path: path, comparison: comparison, values: values.map { String(decoding: $0, as: UTF8.self) }, parameter: parameter)
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
        _ text: String, _ comparison: Comparison, _ values: [Substring.UTF8View], _ parameter: String
    ) throws(Refusal) -> FieldPath {
        guard text == "cohort" else { return try FieldPath(text, parameter: parameter) }
        let names = values.map { String(decoding: $0, as: UTF8.self) }
        guard comparison == .equal || comparison == .notEqual, names.count <= Cohort.limit, names.allSatisfy(Cohort.isName) else {
            throw .field(parameter, "bad_cohort", "must be cohort= or cohort!= and up to \(Cohort.limit) names of cohorts")
        }
        return .cohorts(names.map { NamedCohort($0, nil) })
    }

    private static func beginsComparison(_ byte: UInt8) -> Bool { "=!<>~".utf8.contains(byte) }

    package static func all(_ texts: [String], parameter: String) throws(Refusal) -> [Filter] {
        guard texts.count <= limit else { throw .field(parameter, "too_many", "may be given at most \(limit) times") }
        var filters: [Filter] = []
        for text in texts { filters.append(try Filter(text, parameter: parameter)) }
        return filters
    }

    /// Returns whether the condition holds for a field's text. A missing field only matches `!=`.
    package func holds(_ value: [UInt8]?) -> Bool {
        guard let value else { return comparison == .notEqual }
        switch comparison {
        case .equal: return texts.contains(value)
        case .notEqual: return !texts.contains(value)
        case .contains: return texts.contains { value.holds($0) }
        case .greater, .atLeast, .less, .atMost:
            guard let number = Filter.number(value) else { return false }
            return numbers.contains { compare(number, $0) }
        }
    }

    /// Returns the decimal number of a text. It rejects other forms that C accepts, such as hexadecimal; whole numbers take a fast path.
    static func number(_ text: [UInt8]) -> Double? {
        if (1...15).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Double(text.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) })
        }
        guard !text.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }), let number = Double(String(decoding: text, as: UTF8.self)) else {
            return nil
        }
        return number.isFinite ? number : nil
    }

    private func compare(_ number: Double, _ limit: Double) -> Bool {
        switch comparison {
        case .greater: number > limit
        case .atLeast: number >= limit
        case .less: number < limit
        case .atMost: number <= limit
        case .equal, .notEqual, .contains: false
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
