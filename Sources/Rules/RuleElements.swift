// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The elements of a list or set, found by their hash: a document's list may have 100,000 elements.
struct RuleElements {
    private let elements: Set<Element>
    private let equality: RuleValue.Equality

    init(_ values: [RuleValue], _ equality: RuleValue.Equality) {
        elements = Set(values.map { Element(value: $0, equality: equality) })
        self.equality = equality
    }

    func contains(_ value: RuleValue) -> Bool { elements.contains(Element(value: value, equality: equality)) }

    /// The values without those that are equal to an earlier one, as a set has them.
    static func distinct(_ values: [RuleValue]) -> [RuleValue] {
        var known: Set<Element> = []
        return values.filter { known.insert(Element(value: $0, equality: .loose)).inserted }
    }

    private struct Element: Hashable {
        let value: RuleValue
        let equality: RuleValue.Equality

        static func == (a: Element, b: Element) -> Bool { a.value.isEqual(b.value, a.equality, inner: a.equality) }

        func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
    }
}

extension RuleValue {
    /// Feeds what equal values have in common. An integer and the same float have one hash.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .null, .unknown, .difference: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let number): hasher.combine(Double(number))
        case .float(let number): hasher.combine(number)
        case .text(let text): hasher.combine(ExactName(text))
        case .bytes(let bytes): hasher.combine(bytes)
        case .path(let segments): for segment in segments { hasher.combine(ExactName(segment)) }
        case .timestamp(let span), .duration(let span): hasher.combine(span)
        case .place(let place): hasher.combine(place)
        case .vector(let numbers): hasher.combine(numbers)
        case .list(let values): for value in values { value.hash(into: &hasher) }
        case .set(let values): hasher.combine(values.count)
        case .map(let map):
            for key in map.keys {
                hasher.combine(key)
                map[key]?.hash(into: &hasher)
            }
        }
    }

    /// The elements that an operation may visit, and 16 bytes each of texts. A map of a document counts once until `deeply` is set.
    func weight(deeply: Bool = false) -> Int {
        switch self {
        case .text(let text): 1 + text.utf8.count / 16
        case .bytes(let bytes): 1 + bytes.count / 16
        case .path(let segments): 1 + segments.count
        case .list(let values), .set(let values): values.reduce(1) { $0 + $1.weight(deeply: deeply) }
        case .vector(let numbers): 1 + numbers.count / 2
        case .map(let map): map.weight(deeply: deeply)
        case .difference(let new, let old): deeply ? new.weight(deeply: true) + old.weight(deeply: true) : 1
        case .null, .bool, .integer, .float, .timestamp, .duration, .place, .unknown: 1
        }
    }
}

extension RuleMap {
    func weight(deeply: Bool) -> Int {
        switch self {
        case .stored(let fields): deeply ? 1 + fields.size / 16 : 1
        case .made(let values): deeply ? values.reduce(1) { $0 + 1 + $1.value.weight(deeply: true) } : 1 + values.count
        }
    }
}
