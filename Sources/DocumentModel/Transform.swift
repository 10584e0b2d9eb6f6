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
        case .union(let values): .array(FieldTransform.union(old, values))
        case .remove(let values): .array(FieldTransform.difference(old, values))
        }
    }

    /// The value that the caller gets: the new one of numbers and times, null of arrays.
    package func result(_ new: DocumentValue) -> DocumentValue {
        switch self {
        case .union, .remove: .null
        default: new
        }
    }

    private static func elements(_ value: DocumentValue?) -> [DocumentValue] {
        if case .array(let values)? = value { values } else { [] }
    }

    private static func union(_ old: DocumentValue?, _ values: [DocumentValue]) -> [DocumentValue] {
        var all = elements(old)
        var known = ValueSet(all)
        for value in values where known.insert(value) { all.append(value) }
        return all
    }

    private static func difference(_ old: DocumentValue?, _ values: [DocumentValue]) -> [DocumentValue] {
        let removed = ValueSet(values)
        return elements(old).filter { !removed.contains($0) }
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

/// Values without those that are the same in the order of values. Each is found by its ordered key.
private struct ValueSet {
    private var byKey: [[UInt8]: [DocumentValue]] = [:]

    init(_ values: [DocumentValue]) {
        for value in values { insert(value) }
    }

    func contains(_ value: DocumentValue) -> Bool { byKey[ValueSet.key(value)]?.contains { $0.isSame(value) } ?? false }

    /// Returns false if the set has the value already.
    @discardableResult
    mutating func insert(_ value: DocumentValue) -> Bool {
        let key = ValueSet.key(value)
        if byKey[key]?.contains(where: { $0.isSame(value) }) ?? false { return false }
        byKey[key, default: []].append(value)
        return true
    }

    private static func key(_ value: DocumentValue) -> [UInt8] {
        var key = OrderedKey()
        key.append(value)
        return key.bytes
    }
}

extension DocumentTime {
    var wholeMilliseconds: DocumentTime {
        var rest = microseconds % 1_000
        if rest < 0 { rest += 1_000 }
        return DocumentTime(microseconds: microseconds - rest) ?? self
    }
}
