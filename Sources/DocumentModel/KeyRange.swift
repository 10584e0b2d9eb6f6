// SPDX-License-Identifier: Apache-2.0

/// A place among keys: before or behind all keys that begin with some bytes.
struct KeyBound: Hashable {
    var prefix: [UInt8]
    var isBehind: Bool

    /// The first bytes that are not before the place; nil if there are none.
    var bytes: [UInt8]? { isBehind ? KeyBound.successor(prefix) : prefix }

    /// The place in keys whose bytes are inverted.
    var inverted: KeyBound { KeyBound(prefix: prefix.map { ~$0 }, isBehind: !isBehind) }

    func behind(_ head: [UInt8]) -> KeyBound { KeyBound(prefix: head + prefix, isBehind: isBehind) }

    /// The first bytes behind all that begin with a prefix.
    private static func successor(_ prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        return prefix[..<last] + [prefix[last] + 1]
    }
}

/// Keys between two places.
struct KeyRange: Hashable {
    var lower: KeyBound
    var upper: KeyBound

    static func of(_ prefix: [UInt8]) -> KeyRange {
        KeyRange(lower: KeyBound(prefix: prefix, isBehind: false), upper: KeyBound(prefix: prefix, isBehind: true))
    }

    var inverted: KeyRange { KeyRange(lower: upper.inverted, upper: lower.inverted) }

    func behind(_ head: [UInt8]) -> KeyRange { KeyRange(lower: lower.behind(head), upper: upper.behind(head)) }

    mutating func raise(to bound: KeyBound) {
        if KeyRange.isBefore(lower, bound) { lower = bound }
    }

    mutating func cut(at bound: KeyBound) {
        if KeyRange.isBefore(bound, upper) { upper = bound }
    }

    private static func isBefore(_ a: KeyBound, _ b: KeyBound) -> Bool {
        guard let x = a.bytes else { return false }
        guard let y = b.bytes else { return true }
        return x.lexicographicallyPrecedes(y)
    }
}

extension KeyRange {
    /// The keys of a field's values for which a condition may hold; nil if it says nothing about the order.
    ///
    ///     > 5          behind 5, before the end of the numbers
    ///     != "a"       behind null
    init?(_ condition: Filter) {
        switch condition {
        case .compare(_, let comparison, let operand):
            self.init(comparison, operand)
        case .unary(_, .isNotNull), .unary(_, .isNotNaN):
            self = .notNull
        case .unary, .and, .or:
            return nil
        }
    }

    private init?(_ comparison: Comparison, _ operand: DocumentValue) {
        var key = OrderedKey()
        key.append(operand)
        let type = KeyRange.of(Array(key.bytes.prefix(1)))
        switch comparison {
        // Values with the same cut key may be on either side.
        case .greater: self.init(lower: KeyBound(prefix: key.bytes, isBehind: !key.isCut), upper: type.upper)
        case .atLeast: self.init(lower: KeyBound(prefix: key.bytes, isBehind: false), upper: type.upper)
        case .less: self.init(lower: type.lower, upper: KeyBound(prefix: key.bytes, isBehind: key.isCut))
        case .atMost: self.init(lower: type.lower, upper: KeyBound(prefix: key.bytes, isBehind: true))
        case .unequal, .notIn: self = .notNull
        case .equal, .isIn, .contains, .containsAny: return nil
        }
    }

    /// The keys behind null, to the end of all values.
    private static var notNull: KeyRange {
        var null = OrderedKey()
        null.append(.null)
        return KeyRange(lower: KeyBound(prefix: null.bytes, isBehind: true), upper: KeyRange.of([]).upper)
    }
}
