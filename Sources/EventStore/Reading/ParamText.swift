// SPDX-License-Identifier: Apache-2.0

/// Finds a parameter in stored JSON.
///
/// The text was validated when it was received, so this only locates the value.
///
/// Example, of `{"item":"tea","price":3.50,"tags":["a"]}`:
///
///     value(of: "item")       tea
///     value(of: "price")      3.50
///     removing(["price"])     {"item":"tea","tags":["a"]}
package enum ParamText {
    /// Returns a string's text, or another value as it is written; nil if it is missing or null.
    package static func value(of name: String, in json: [UInt8]) -> [UInt8]? {
        var cursor = Cursor(json)
        return cursor.find(name.utf8).flatMap { Cursor.text(json[$0]) }
    }

    /// Returns a string's text; nil for other values.
    static func string(of name: String, in json: [UInt8]) -> [UInt8]? {
        var cursor = Cursor(json)
        guard let value = cursor.find(name.utf8), json[value].first == UInt8(ascii: "\"") else { return nil }
        return Cursor.text(json[value])
    }

    /// Returns the objects in a list of objects, such as `items`.
    ///
    ///     objects(of: "items") of {"items":[{"id":1},2,{"id":3}]}     {"id":1}, {"id":3}
    package static func objects(of name: String, in json: [UInt8]) -> [[UInt8]] {
        var cursor = Cursor(json)
        guard let list = cursor.find(name.utf8), json[list].first == UInt8(ascii: "[") else { return [] }
        return cursor.elements(of: list).filter { json[$0].first == UInt8(ascii: "{") }.map { Array(json[$0]) }
    }

    /// Returns the object without some members.
    static func removing(_ names: Set<String>, from json: [UInt8]) -> [UInt8] {
        var cursor = Cursor(json)
        var kept: [Range<Int>] = []
        var isWhole = true
        cursor.begin()
        while let member = cursor.member() {
            if names.contains(where: { Cursor.text(json[member.key], equals: $0.utf8) }) {
                isWhole = false
            } else {
                kept.append(member.key.lowerBound - 1..<member.value.upperBound)
            }
        }
        return isWhole ? json : [UInt8(ascii: "{")] + kept.map { json[$0] }.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    /// Returns the text of one JSON value; nil for null.
    package static func plain(_ json: [UInt8]) -> [UInt8]? {
        Cursor.text(json[...])
    }

    private struct Cursor {
        private let json: [UInt8]
        private var at = 0

        init(_ json: [UInt8]) {
            self.json = json
        }

        /// Returns the range of a member's value.
        mutating func find(_ name: String.UTF8View) -> Range<Int>? {
            begin()
            while let member = member() {
                if Cursor.text(json[member.key], equals: name) { return member.value }
            }
            return nil
        }

        /// Moves behind the opening brace.
        mutating func begin() {
            skip { $0 != UInt8(ascii: "{") }
            at += 1
        }

        /// Returns the next member; nil after the last.
        mutating func member() -> (key: Range<Int>, value: Range<Int>)? {
            skip { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "}") }
            guard at < json.count, json[at] == UInt8(ascii: "\"") else { return nil }
            let key = string()
            skip { $0 != UInt8(ascii: ":") }
            at += 1
            skip(while: Cursor.isBlank)
            return (key, value())
        }

        /// Returns the ranges of a list's elements.
        mutating func elements(of list: Range<Int>) -> [Range<Int>] {
            var elements: [Range<Int>] = []
            at = list.lowerBound + 1
            while true {
                skip { $0 == UInt8(ascii: ",") || Cursor.isBlank($0) }
                let element = value()
                guard !element.isEmpty, element.upperBound < list.upperBound else { return elements }
                elements.append(element)
            }
        }

        /// Returns the range of a string without its quotes, and moves behind it.
        private mutating func string() -> Range<Int> {
            let start = at + 1
            at = start
            while at < json.count, json[at] != UInt8(ascii: "\"") { at += json[at] == UInt8(ascii: "\\") ? 2 : 1 }
            let end = min(at, json.count)
            at += 1
            return start..<max(start, end)
        }

        /// Returns the range of a value, of a string with its quotes, and moves behind it.
        private mutating func value() -> Range<Int> {
            let start = min(at, json.count)
            var depth = 0
            while at < json.count {
                switch json[at] {
                case UInt8(ascii: "\""):
                    _ = string()
                    if depth == 0 { return start..<min(at, json.count) }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return start..<at }
                    depth -= 1
                    if depth == 0 {
                        at += 1
                        return start..<at
                    }
                case UInt8(ascii: ","): if depth == 0 { return start..<at }
                default: break
                }
                at += 1
            }
            return start..<min(at, json.count)
        }

        private mutating func skip(while isSkipped: (UInt8) -> Bool) {
            while at < json.count, isSkipped(json[at]) { at += 1 }
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

        static func text(_ key: ArraySlice<UInt8>, equals name: String.UTF8View) -> Bool {
            if key.count == name.count { return key.elementsEqual(name) }
            return key.contains(UInt8(ascii: "\\")) && unescaped(key).elementsEqual(name)
        }

        static func text(_ value: ArraySlice<UInt8>) -> [UInt8]? {
            if value.first == UInt8(ascii: "\"") {
                let inner = value.dropFirst().dropLast()
                return inner.contains(UInt8(ascii: "\\")) ? unescaped(inner) : Array(inner)
            }
            var trimmed = value
            while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
            return trimmed.elementsEqual("null".utf8) ? nil : Array(trimmed)
        }

        private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
            var out: [UInt8] = []
            var rest = text
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
                    out.append(byte)
                    continue
                }
                switch kind {
                case UInt8(ascii: "b"): out.append(0x08)
                case UInt8(ascii: "f"): out.append(0x0c)
                case UInt8(ascii: "n"): out.append(0x0a)
                case UInt8(ascii: "r"): out.append(0x0d)
                case UInt8(ascii: "t"): out.append(0x09)
                case UInt8(ascii: "u"): appendScalar(&rest, to: &out)
                default: out.append(kind)
                }
            }
            return out
        }

        private static func appendScalar(_ rest: inout ArraySlice<UInt8>, to out: inout [UInt8]) {
            var units = [fourDigits(&rest)]
            if (0xd800..<0xdc00).contains(units[0]), rest.starts(with: Array("\\u".utf8)) {
                rest.removeFirst(2)
                units.append(fourDigits(&rest))
            }
            out.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        }

        private static func fourDigits(_ rest: inout ArraySlice<UInt8>) -> UInt16 {
            defer { rest = rest.dropFirst(4) }
            return UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xfffd
        }
    }
}
