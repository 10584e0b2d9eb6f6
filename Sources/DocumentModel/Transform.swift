// SPDX-License-Identifier: Apache-2.0

/// A change of a field that depends on its value.
package enum FieldTransform: Hashable, Sendable {
    /// The time of the commit, in milliseconds.
    case now
    case increment(DocumentValue)
    case maximum(DocumentValue)
    case minimum(DocumentValue)
    /// Appends the elements that an array does not have yet.
    case union([DocumentValue])
    case remove([DocumentValue])

    /// The value afterwards. Operands of `increment`, `maximum` and `minimum` are numbers.
    package func apply(to old: DocumentValue?, at commit: DocumentTime) -> DocumentValue {
        switch self {
        case .now: .time(commit.wholeMilliseconds)
        case .increment(let operand): FieldTransform.sum(old, operand)
        case .maximum(let operand): FieldTransform.chosen(old, operand) { $0 == .after }
        case .minimum(let operand): FieldTransform.chosen(old, operand) { $0 == .before }
        case .union, .remove: .array(TransformedArray(old, self).elements)
        }
    }

    /// The value that the caller gets: the new one of numbers and times, null of arrays.
    package func result(_ new: DocumentValue) -> DocumentValue {
        switch self {
        case .union, .remove: .null
        default: new
        }
    }

    /// Adds numbers. Integers stop at their limits; a value that is no number counts as missing.
    private static func sum(_ old: DocumentValue?, _ operand: DocumentValue) -> DocumentValue {
        switch (old, operand) {
        case (.integer(let a)?, .integer(let b)):
            let (sum, overflow) = a.addingReportingOverflow(b)
            return .integer(overflow ? (b < 0 ? .min : .max) : sum)
        case (.integer(let a)?, .double(let b)): return number(Double(a) + b)
        case (.double(let a)?, .integer(let b)): return number(a + Double(b))
        case (.double(let a)?, .double(let b)): return number(a + b)
        default: return operand
        }
    }

    /// A double with one form of NaN, so that equal documents have equal bytes.
    private static func number(_ value: Double) -> DocumentValue { .double(value.isNaN ? .nan : value) }

    /// Keeps the old number unless the operand is strictly beyond it, so that of equal numbers the old type stays. NaN is beyond all others.
    private static func chosen(_ old: DocumentValue?, _ operand: DocumentValue, if isBeyond: (Ordering) -> Bool) -> DocumentValue {
        guard let old, old.rank == operand.rank, !operand.isNaN else { return operand }
        return !old.isNaN && isBeyond(operand.order(old)) ? operand : old
    }
}

extension DocumentTime {
    var wholeMilliseconds: DocumentTime {
        var rest = microseconds % 1_000
        if rest < 0 { rest += 1_000 }
        return DocumentTime(microseconds: microseconds - rest) ?? self
    }
}
