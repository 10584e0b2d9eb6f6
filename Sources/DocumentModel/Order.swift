// SPDX-License-Identifier: Apache-2.0

/// The result of a comparison.
package enum Ordering: Int, Sendable {
    case before = -1
    case same = 0
    case after = 1

    init<T: Comparable>(_ a: T, _ b: T) {
        self = a < b ? .before : b < a ? .after : .same
    }

    package var reversed: Ordering { Ordering(rawValue: -rawValue) ?? .same }
}

extension DocumentValue {
    /// The rank of a type in the order of all values.
    package var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .integer, .double: 2
        case .time: 3
        case .text: 4
        case .bytes: 5
        case .reference: 6
        case .place: 7
        case .array: 8
        case .vector: 9
        case .map: 10
        }
    }

    package var isNaN: Bool { if case .double(let value) = self { value.isNaN } else { false } }

    /// Compares two values in Firestore's order, which is total: NaN is before all numbers and equals itself.
    ///
    ///     null < false < true < NaN < -1 < 0 = -0.0 < 1 = 1.0 < times < texts < bytes < references < places < arrays < vectors < maps
    package func order(_ other: DocumentValue) -> Ordering {
        switch (self, other) {
        case (.bool(let a), .bool(let b)): Ordering(a ? 1 : 0, b ? 1 : 0)
        case (.integer(let a), .integer(let b)): Ordering(a, b)
        case (.double(let a), .double(let b)): NumberOrder.order(a, b)
        case (.integer(let a), .double(let b)): NumberOrder.order(a, b)
        case (.double(let a), .integer(let b)): NumberOrder.order(b, a).reversed
        case (.time(let a), .time(let b)): Ordering(a, b)
        case (.text(let a), .text(let b)): Ordering(a, b)
        case (.bytes(let a), .bytes(let b)): a.elementsEqual(b) ? .same : a.lexicographicallyPrecedes(b) ? .before : .after
        case (.reference(let a), .reference(let b)): a.order(b)
        case (.place(let a), .place(let b)): a.order(b)
        case (.array(let a), .array(let b)): DocumentValue.order(a, b) { $0.order($1) }
        case (.vector(let a), .vector(let b)): a.count == b.count ? DocumentValue.order(a, b, by: NumberOrder.order) : Ordering(a.count, b.count)
        case (.map(let a), .map(let b)): a.order(b)
        default: Ordering(rank, other.rank)
        }
    }

    /// Compares element by element, then by length.
    static func order<T>(_ a: [T], _ b: [T], by compare: (T, T) -> Ordering) -> Ordering {
        for (x, y) in zip(a, b) {
            let ordering = compare(x, y)
            if ordering != .same { return ordering }
        }
        return Ordering(a.count, b.count)
    }
}

/// Integers and doubles in one order, compared exactly: 2^53 + 1 is after the double 2^53.
enum NumberOrder {
    private static let integers = -0x1p63..<0x1p63

    static func order(_ a: Double, _ b: Double) -> Ordering {
        switch (a.isNaN, b.isNaN) {
        case (true, true): .same
        case (true, false): .before
        case (false, true): .after
        case (false, false): Ordering(a, b)
        }
    }

    static func order(_ a: Int64, _ b: Double) -> Ordering {
        if b.isNaN { return .after }
        guard integers.contains(b) else { return b < 0 ? .after : .before }
        let whole = b.rounded(.down)
        let ordering = Ordering(a, Int64(whole))
        return ordering == .same && whole < b ? .before : ordering
    }
}

extension DocumentReference {
    func order(_ other: DocumentReference) -> Ordering {
        database == other.database ? Ordering(path, other.path) : Ordering(database, other.database)
    }
}

extension GeoPoint {
    func order(_ other: GeoPoint) -> Ordering {
        let ordering = Ordering(latitude, other.latitude)
        return ordering == .same ? Ordering(longitude, other.longitude) : ordering
    }
}

extension DocumentFields {
    /// Compares pair by pair in the order of names, first the name, then the value, then by number.
    func order(_ other: DocumentFields) -> Ordering {
        DocumentValue.order(all, other.all) { a, b in
            a.name == b.name ? a.value.order(b.value) : Ordering(a.name, b.name)
        }
    }
}
