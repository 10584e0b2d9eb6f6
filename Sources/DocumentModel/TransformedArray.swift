// SPDX-License-Identifier: Apache-2.0

/// An array while transforms add and remove elements, each found by its ordered key. A write may have many transforms of one large array.
struct TransformedArray {
    /// The elements, nil where one was removed.
    private var places: [DocumentValue?] = []
    private var placesByKey: [[UInt8]: [Int]] = [:]

    /// - Parameter old: The value of the field. Anything but an array counts as an empty one.
    init(_ old: DocumentValue?) {
        guard case .array(let values)? = old else { return }
        for value in values { append(value, TransformedArray.key(value)) }
    }

    init(_ old: DocumentValue?, _ transform: FieldTransform) {
        self.init(old)
        apply(transform)
    }

    var elements: [DocumentValue] { places.compactMap(\.self) }

    /// Applies a union or a removal; others change nothing.
    mutating func apply(_ transform: FieldTransform) {
        switch transform {
        case .union(let values): for value in values { add(value) }
        case .remove(let values): for value in values { remove(value) }
        case .now, .increment, .maximum, .minimum: break
        }
    }

    private mutating func add(_ value: DocumentValue) {
        let key = TransformedArray.key(value)
        let isKnown = placesByKey[key]?.contains { places[$0]?.isSame(value) ?? false } ?? false
        if !isKnown { append(value, key) }
    }

    private mutating func append(_ value: DocumentValue, _ key: [UInt8]) {
        placesByKey[key, default: []].append(places.count)
        places.append(value)
    }

    private mutating func remove(_ value: DocumentValue) {
        let key = TransformedArray.key(value)
        guard let found = placesByKey.removeValue(forKey: key) else { return }
        var others: [Int] = []
        for place in found { if places[place]?.isSame(value) ?? true { places[place] = nil } else { others.append(place) } }
        if !others.isEmpty { placesByKey[key] = others }
    }

    private static func key(_ value: DocumentValue) -> [UInt8] {
        var key = OrderedKey()
        key.append(value)
        return key.bytes
    }
}
