// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Maps of which strict rules know some fields only: the document that a query finds.
///
/// A field that is known is there, as no condition finds a document without its field. Whatever depends on another field fails, so it neither
/// holds nor does its opposite.
extension RuleMap {
    /// The map and all maps in it that rules made, as maps that may have other fields. Those of an equality are whole.
    var partial: RuleMap {
        guard case .made(let values) = self else { return self }
        return .known(values.mapValues { if case .map(let inner) = $0 { .map(inner.partial) } else { $0 } })
    }

    /// The keys of the map, of which those of a partial map are known to be among them.
    var keyList: RuleValue {
        guard isPartial else { return .list(keys.map { .text($0.text) }) }
        return .unknown(keys.map { KnownCondition(comparison: .contains, operand: .text($0), isKey: true) })
    }

    var isPartial: Bool { if case .known = self { true } else { false } }
}

extension RuleValue {
    /// Whether it is a map of which some fields only are known, or has one.
    fileprivate var hasPartialMap: Bool {
        switch self {
        case .map(.known): true
        case .map(.made(let values)): values.values.contains(where: \.hasPartialMap)
        case .list(let values), .set(let values): values.contains(where: \.hasPartialMap)
        case .difference(let new, let old): RuleValue.map(new).hasPartialMap || RuleValue.map(old).hasPartialMap
        default: false
        }
    }
}

extension RuleEvaluation {
    private var otherFields: Failure { unknown("The query does not say which other fields there are.") }
    private var hasPartialMaps: Bool { request.facts?.isPartial == true }

    /// Throws if a comparison depends on fields that are unknown. A map is no text or number, whatever it has.
    mutating func requireKnown(_ operation: BinaryOperator, _ a: RuleValue, _ b: RuleValue) throws(Failure) {
        guard hasPartialMaps else { return }
        switch (operation, a, b) {
        case (.isIn, .text(let key), .map(let map)): if map.isPartial, map[ExactName(key)] == nil { throw otherFields }
        case (.isIn, _, _), (.equal, .map, .map), (.unequal, .map, .map), (_, .list, .list), (_, .set, .set): try requireWhole([a, b])
        default: break
        }
    }

    /// Throws if a method depends on fields that are unknown.
    mutating func requireKnown(_ method: RuleMethod, of value: RuleValue, _ arguments: [RuleValue]) throws(Failure) {
        guard hasPartialMaps else { return }
        switch (method, value, arguments.first) {
        case (.get, .map(let map), .text(let key)?): if map.isPartial, map[ExactName(key)] == nil { throw otherFields }
        case (.get, .map(let map), .list(let keys)?): try requireMember(map, keys[...])
        case (.size, .list, _), (.size, .set, _), (.concat, _, _), (.keys, .map, _): break
        default: try requireWhole([value] + arguments)
        }
    }

    private mutating func requireWhole(_ values: [RuleValue]) throws(Failure) {
        for value in values {
            try chargeVisit(value)
            if value.hasPartialMap { throw otherFields }
        }
    }

    private func requireMember(_ map: RuleMap, _ keys: ArraySlice<RuleValue>) throws(Failure) {
        guard case .text(let key)? = keys.first else { return }
        switch map[ExactName(key)] {
        case nil: if map.isPartial { throw otherFields }
        case .map(let inner)?: try requireMember(inner, keys.dropFirst())
        default: break
        }
    }
}
