// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

extension RuleEvaluation {
    func negative(_ value: RuleValue) throws(Failure) -> RuleValue {
        switch value {
        case .integer(let number) where number != .min: return .integer(-number)
        case .float(let number): return .float(-number)
        default: throw failure("This has no negative.")
        }
    }

    mutating func binary(_ operation: BinaryOperator, _ a: RuleValue, _ b: RuleValue) throws(Failure) -> RuleValue {
        try chargeComparison(operation, a, b)
        try requireKnown(operation, a, b)
        if let proof = KnownCondition.decide(operation, a, b, isStrict: rules.isStrict) {
            guard proof else { throw unknown("The query does not say that this is so.") }
            return .bool(true)
        }
        switch operation {
        case .equal: return .bool(a.isEqual(b))
        case .unequal: return .bool(!a.isEqual(b))
        case .isIn: return .bool(try contains(b, a))
        case .less: return .bool(try order(a, b) == .before)
        case .atMost: return .bool([.before, .same].contains(try order(a, b)))
        case .greater: return .bool(try order(a, b) == .after)
        case .atLeast: return .bool([.after, .same].contains(try order(a, b)))
        case .add, .subtract, .multiply, .divide, .remainder: return try arithmetic(operation, a, b)
        }
    }

    /// Charges a comparison before it visits the elements of its operands.
    private mutating func chargeComparison(_ operation: BinaryOperator, _ a: RuleValue, _ b: RuleValue) throws(Failure) {
        switch (a, b) {
        case (.map, .map), (.list, .list), (.set, .set): try chargeVisit(a)
        case (_, .list), (_, .set): break
        default: return
        }
        try chargeVisit(b)
    }

    private func contains(_ container: RuleValue, _ value: RuleValue) throws(Failure) -> Bool {
        switch (container, value) {
        case (.list(let values), _): return values.contains { $0.isEqual(value, .strict, inner: .strict) }
        case (.set(let values), _): return values.contains { $0.isEqual(value, .loose, inner: .loose) }
        case (.map(let map), .text(let key)): return map[ExactName(key)] != nil
        default: throw failure("`in` needs a list, a set, or a map and a string.")
        }
    }

    /// Compares values that have an order: numbers, strings, bytes, times and durations, each with its own type.
    private func order(_ a: RuleValue, _ b: RuleValue) throws(Failure) -> Ordering? {
        switch (a, b) {
        case (.timestamp(let a), .timestamp(let b)), (.duration(let a), .duration(let b)): return a < b ? .before : b < a ? .after : .same
        case (.text(let a), .text(let b)): return RuleEvaluation.order(a, b)
        case (.float(let a), .float(let b)): return RuleEvaluation.order(a, b)
        case (.integer(let a), .float(let b)): return RuleEvaluation.order(Double(a), b)
        case (.float(let a), .integer(let b)): return RuleEvaluation.order(a, Double(b))
        default:
            guard let x = a.comparable, let y = b.comparable, x.rank == y.rank else { throw failure("These values have no common order.") }
            return x.order(y)
        }
    }

    /// Compares numbers; nil for NaN, with which no comparison holds.
    ///
    /// Documents have NaN before all numbers, which rules must not: `quota >= math.sqrt(-1)` would be true.
    private static func order(_ a: Double, _ b: Double) -> Ordering? { a < b ? .before : a > b ? .after : a == b ? .same : nil }

    /// Compares texts by their UTF-16 units, as the emulator does; documents are ordered by UTF-8.
    private static func order(_ a: String, _ b: String) -> Ordering {
        a.utf16.lexicographicallyPrecedes(b.utf16) ? .before : b.utf16.lexicographicallyPrecedes(a.utf16) ? .after : .same
    }

    private func arithmetic(_ operation: BinaryOperator, _ a: RuleValue, _ b: RuleValue) throws(Failure) -> RuleValue {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): return .integer(try integer(operation, a, b))
        case (.float(let a), .float(let b)): return .float(try float(operation, a, b))
        case (.integer(let a), .float(let b)): return .float(try float(operation, Double(a), b))
        case (.float(let a), .integer(let b)): return .float(try float(operation, a, Double(b)))
        case (.text(let a), .text(let b)) where operation == .add:
            try reserve((a.utf8.count + b.utf8.count) / 16)
            return .text(a + b)
        case (.timestamp(let time), .duration(let span)) where operation == .add || operation == .subtract:
            guard let shifted = try sum(time, operation, span).asTime else { throw failure("The time is out of range.") }
            return .timestamp(shifted)
        case (.duration(let span), .timestamp(let time)) where operation == .add:
            guard let shifted = try sum(time, operation, span).asTime else { throw failure("The time is out of range.") }
            return .timestamp(shifted)
        case (.duration(let a), .duration(let b)) where operation == .add || operation == .subtract: return .duration(try sum(a, operation, b))
        case (.timestamp(let a), .timestamp(let b)) where operation == .subtract: return .duration(try sum(a, operation, b))
        default: throw failure("`\(operation.rawValue)` does not work on these values.")
        }
    }

    private func integer(_ operation: BinaryOperator, _ a: Int64, _ b: Int64) throws(Failure) -> Int64 {
        let (result, overflow) =
            switch operation {
            case .add: a.addingReportingOverflow(b)
            case .subtract: a.subtractingReportingOverflow(b)
            case .multiply: a.multipliedReportingOverflow(by: b)
            case .divide: a.dividedReportingOverflow(by: b)
            default: a.remainderReportingOverflow(dividingBy: b)
            }
        if overflow { throw failure("The result is not a number of 64 bits.") }
        return result
    }

    private func float(_ operation: BinaryOperator, _ a: Double, _ b: Double) throws(Failure) -> Double {
        switch operation {
        case .add: return a + b
        case .subtract: return a - b
        case .multiply: return a * b
        case .divide: return a / b
        default: return a.truncatingRemainder(dividingBy: b)
        }
    }

    private func sum(_ a: RuleSpan, _ operation: BinaryOperator, _ b: RuleSpan) throws(Failure) -> RuleSpan {
        guard let other = operation == .add ? b : b.negative, let sum = a.plus(other) else { throw failure("The duration is too long.") }
        return sum
    }
}

extension RuleValue {
    /// The value in the order of documents; nil if rules do not compare values of its type.
    var comparable: DocumentValue? {
        switch self {
        case .integer(let number): .integer(number)
        case .float(let number): .double(number)
        case .text(let text): .text(ExactName(text))
        case .bytes(let bytes): .bytes(bytes)
        case .null, .bool, .timestamp, .duration, .list, .vector, .map, .path, .place, .set, .difference, .unknown: nil
        }
    }
}
