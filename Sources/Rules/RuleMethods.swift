// SPDX-License-Identifier: Apache-2.0

import Patterns
import SignalboxDocumentModel

extension RuleEvaluation {
    mutating func method(_ method: RuleMethod, of value: RuleValue, _ arguments: [RuleValue]) throws(Failure) -> RuleValue {
        try charge(method, of: value, arguments)
        try requireKnown(method, of: value, arguments)
        let result: RuleValue? =
            switch value {
            case .text(let text): try textMethod(method, text, arguments)
            case .bytes(let bytes): try bytesMethod(method, bytes)
            case .list(let values): try listMethod(method, values, arguments)
            case .set(let values): setMethod(method, values, arguments)
            case .map(let map): mapMethod(method, map, arguments)
            case .difference(let new, let old): differenceMethod(method, new, old)
            case .timestamp(let time): timeMethod(method, time)
            case .duration(let span): durationMethod(method, span)
            case .place(let place): placeMethod(method, place, arguments)
            case .path(let segments): pathMethod(method, segments, arguments)
            case .unknown(let conditions): KnownCondition.decide(method, conditions, arguments, isStrict: rules.isStrict)
            case .null, .bool, .integer, .float, .vector: nil
            }
        if let result { return result }
        let message = "`\(method.rawValue)` does not work on this value and these arguments."
        if case .unknown = value { throw unknown(message) }
        throw failure(message)
    }

    /// Charges what a method visits, before it makes its value.
    private mutating func charge(_ method: RuleMethod, of value: RuleValue, _ arguments: [RuleValue]) throws(Failure) {
        switch value {
        case .map where method != .get, .difference: try chargeVisit(value)
        case .list, .set:
            guard RuleEvaluation.comparing.contains(method) else { break }
            try chargeVisit(value)
            for argument in arguments { try chargeVisit(argument) }
        default: break
        }
    }

    /// Methods of lists and sets that compare elements.
    private static let comparing: Set<RuleMethod> = [.toSet, .removeAll, .hasAll, .hasAny, .hasOnly, .difference, .intersection, .union]

    private mutating func textMethod(_ method: RuleMethod, _ text: String, _ arguments: [RuleValue]) throws(Failure) -> RuleValue? {
        switch (method, arguments.first) {
        case (.size, _): return .integer(Int64(text.utf16.count))
        case (.lower, _): return .text(String(decoding: text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self))
        case (.upper, _): return .text(String(decoding: text.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self))
        case (.trim, _): return .text(RuleEvaluation.trimmed(text))
        case (.toUtf8, _): return .bytes(Array(text.utf8))
        case (.matches, .text(let pattern)?): return .bool(try matches(text, regex(pattern)))
        case (.split, .text(let pattern)?): return .list(try split(text, at: regex(pattern)).map(RuleValue.text))
        case (.replace, .text(let pattern)?):
            guard case .text(let replacement) = arguments[1] else { return nil }
            return try replace(regex(pattern), in: text, with: replacement).map(RuleValue.text)
        default: return nil
        }
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let isSpace: (Unicode.Scalar) -> Bool = { $0.value <= 32 }
        guard let first = scalars.firstIndex(where: { !isSpace($0) }), let last = scalars.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(scalars[first...last])
    }

    private func bytesMethod(_ method: RuleMethod, _ bytes: [UInt8]) throws(Failure) -> RuleValue? {
        if method == .size { return .integer(Int64(bytes.count)) }
        try reserve(2 * bytes.count / 16)
        return switch method {
        case .toBase64: .text(RuleEncoding.base64(bytes))
        case .toHexString: .text(RuleEncoding.hex(bytes))
        default: nil
        }
    }

    private func listMethod(_ method: RuleMethod, _ values: [RuleValue], _ arguments: [RuleValue]) throws(Failure) -> RuleValue? {
        let others: [RuleValue]? = if case .list(let others)? = arguments.first { others } else { nil }
        switch method {
        case .size: return .integer(Int64(values.count))
        case .toSet: return .set(RuleElements.distinct(values))
        case .concat: return others.map { .list(values + $0) }
        case .removeAll: return others.map { RuleElements($0, .strict) }.map { others in .list(values.filter { !others.contains($0) }) }
        case .hasAll: return others.map { .bool($0.allSatisfy(RuleElements(values, .strict).contains)) }
        case .hasAny: return others.map { .bool($0.contains(where: RuleElements(values, .strict).contains)) }
        case .hasOnly: return others.map { .bool(values.allSatisfy(RuleElements($0, .strict).contains)) }
        case .join:
            guard case .text(let separator)? = arguments.first else { return nil }
            return try joined(values, separator).map(RuleValue.text)
        default: return nil
        }
    }

    /// Joins the texts of values; nil if one has none.
    private func joined(_ values: [RuleValue], _ separator: String) throws(Failure) -> String? {
        let texts = values.compactMap(\.asText)
        guard texts.count == values.count else { return nil }
        try reserve((texts.reduce(0) { $0 + $1.utf8.count } + separator.utf8.count * max(0, texts.count - 1)) / 16)
        return texts.joined(separator: separator)
    }

    private func setMethod(_ method: RuleMethod, _ values: [RuleValue], _ arguments: [RuleValue]) -> RuleValue? {
        if method == .size { return .integer(Int64(values.count)) }
        let others: [RuleValue]
        switch arguments.first {
        case .set(let set)?: others = set
        case .list(let list)? where method == .hasAll || method == .hasAny || method == .hasOnly: others = list
        default: return nil
        }
        return switch method {
        case .hasAll: .bool(others.allSatisfy(RuleElements(values, .loose).contains))
        case .hasAny: .bool(others.contains(where: RuleElements(values, .loose).contains))
        case .hasOnly: .bool(values.allSatisfy(RuleElements(others, .loose).contains))
        case .difference: .set(RuleEvaluation.elements(values, in: others, are: false))
        case .intersection: .set(RuleEvaluation.elements(values, in: others, are: true))
        case .union: .set(RuleElements.distinct(values + others))
        default: nil
        }
    }

    private static func elements(_ values: [RuleValue], in others: [RuleValue], are wanted: Bool) -> [RuleValue] {
        let others = RuleElements(others, .loose)
        return values.filter { others.contains($0) == wanted }
    }

    private func mapMethod(_ method: RuleMethod, _ map: RuleMap, _ arguments: [RuleValue]) -> RuleValue? {
        switch method {
        case .size: return .integer(Int64(map.count))
        case .keys: return map.keyList
        case .values: return .list(map.keys.compactMap { map[$0] })
        case .diff: if case .map(let other)? = arguments.first { return .difference(map, other) }
        case .get:
            switch arguments[0] {
            case .text(let key): return map[ExactName(key)] ?? arguments[1]
            case .list(let keys): return RuleEvaluation.member(.map(map), keys[...], arguments[1])
            default: return nil
            }
        default: break
        }
        return nil
    }

    /// Looks up a value through maps: `map.get(["a", "b"], 0)`.
    private static func member(_ value: RuleValue, _ keys: ArraySlice<RuleValue>, _ fallback: RuleValue) -> RuleValue? {
        guard let first = keys.first else { return value }
        guard case .text(let key) = first else { return nil }
        guard case .map(let map) = value, let inner = map[ExactName(key)] else { return fallback }
        return member(inner, keys.dropFirst(), fallback)
    }

    private func differenceMethod(_ method: RuleMethod, _ new: RuleMap, _ old: RuleMap) -> RuleValue? {
        let (added, removed) = (new.keys.filter { old[$0] == nil }, old.keys.filter { new[$0] == nil })
        let common = new.keys.filter { old[$0] != nil }
        let changed = common.filter { key in !(new[key].flatMap { a in old[key].map { a.isEqual($0, inner: .loose) } } ?? false) }
        let keys: [ExactName]
        switch method {
        case .addedKeys: keys = added
        case .removedKeys: keys = removed
        case .changedKeys: keys = changed
        case .affectedKeys: keys = added + removed + changed
        case .unchangedKeys:
            let changed = Set(changed)
            keys = common.filter { !changed.contains($0) }
        default: return nil
        }
        return .set(keys.map { .text($0.text) })
    }

    private func placeMethod(_ method: RuleMethod, _ place: GeoPoint, _ arguments: [RuleValue]) -> RuleValue? {
        switch (method, arguments.first) {
        case (.latitude, _): .float(place.latitude)
        case (.longitude, _): .float(place.longitude)
        case (.distance, .place(let other)?): .float(RuleEncoding.distance(place, other))
        default: nil
        }
    }

    /// Replaces `$(name)` in a path.
    private func pathMethod(_ method: RuleMethod, _ segments: [String], _ arguments: [RuleValue]) -> RuleValue? {
        guard method == .bind, case .map(let values)? = arguments.first else { return nil }
        return .path(
            segments.map { segment in
                guard segment.hasPrefix("{"), segment.hasSuffix("}"),
                    case .text(let text)? = values[ExactName(String(segment.dropFirst().dropLast()))]
                else { return segment }
                return text
            })
    }
}
