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
        private let hash: Int

        init(value: RuleValue, equality: RuleValue.Equality) {
            (self.value, self.equality, hash) = (value, equality, value.hash)
        }

        static func == (a: Element, b: Element) -> Bool { a.value.isEqual(b.value, a.equality, inner: a.equality) }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }
}

extension RuleValue {
    fileprivate var hash: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    /// Feeds what equal values have in common: the type, and the count of what is within. An integer and the same float have one hash.
    ///
    ///     [{}, {}], [{}], {}   →   three hashes
    ///
    /// NaN equals nothing, itself included. With one hash for all of them, each insertion would visit every NaN before it.
    private func hash(into hasher: inout Hasher) {
        hasher.combine(typeNumber)
        switch self {
        case .null, .unknown, .difference: break
        case .bool(let value): hasher.combine(value)
        case .integer(let number): hasher.combine(Double(number))
        case .float(let number): hasher.combine(number.isNaN ? .random(in: 0..<1) : number)
        case .text(let text): hasher.combine(ExactName(text))
        case .bytes(let bytes): hasher.combine(bytes)
        case .path(let segments):
            hasher.combine(segments.count)
            for segment in segments { hasher.combine(ExactName(segment)) }
        case .timestamp(let span), .duration(let span): hasher.combine(span)
        case .place(let place): hasher.combine(place)
        case .vector(let numbers):
            hasher.combine(numbers.count)
            for number in numbers { RuleValue.float(number).hash(into: &hasher) }
        case .list(let values):
            hasher.combine(values.count)
            for value in values { value.hash(into: &hasher) }
        case .set(let values): hasher.combine(values.reduce(0) { $0 &+ $1.hash })
        case .map(let map):
            hasher.combine(map.count)
            for key in map.keys {
                hasher.combine(key)
                map[key]?.hash(into: &hasher)
            }
        }
    }

    /// One number for each type of values that may be equal.
    private var typeNumber: UInt8 {
        switch self {
        case .null: 0
        case .bool: 1
        case .integer, .float: 2
        case .text: 3
        case .bytes: 4
        case .list: 5
        case .vector: 6
        case .map: 7
        case .path: 8
        case .timestamp: 9
        case .duration: 10
        case .place: 11
        case .set: 12
        case .difference: 13
        case .unknown: 14
        }
    }

    /// The elements that an operation may visit, and 16 bytes each of texts. A map counts once and for its own members until `deeply` is set.
    ///
    /// The count ends beyond the work of a decision: a map that rules made may have another one under each of its names, many levels deep.
    func weight(deeply: Bool = false) -> Int {
        var weight = 0
        add(to: &weight, deeply: deeply)
        return weight
    }

    fileprivate func add(to weight: inout Int, deeply: Bool) {
        weight += 1
        switch self {
        case .text(let text): weight += text.utf8.count / 16
        case .bytes(let bytes): weight += bytes.count / 16
        case .path(let segments): for segment in segments { weight += 1 + segment.utf8.count / 16 }
        case .list(let values), .set(let values):
            for value in values where weight <= RuleBudget.work { value.add(to: &weight, deeply: deeply) }
        case .vector(let numbers): weight += numbers.count / 2
        case .map(let map): map.add(to: &weight, deeply: deeply)
        case .difference(let new, let old):
            guard deeply else { break }
            new.add(to: &weight, deeply: true)
            old.add(to: &weight, deeply: true)
        case .null, .bool, .integer, .float, .timestamp, .duration, .place, .unknown: break
        }
    }
}

extension RuleMap {
    fileprivate func add(to weight: inout Int, deeply: Bool) {
        switch self {
        case .stored(let fields): weight += deeply ? fields.size / 16 : 0
        case .made(let values), .known(let values):
            weight += values.count
            guard deeply else { break }
            for value in values.values where weight <= RuleBudget.work { value.add(to: &weight, deeply: true) }
        }
    }
}
