// SPDX-License-Identifier: Apache-2.0

/// A JSON value that keeps whether a number is an integer. `JSONSerialization` takes `1.0` for one.
indirect enum JSONNode: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case text(String)
    case array([JSONNode])
    /// The members in the order of the text.
    case object([Member])

    struct Member: Equatable, Sendable {
        let name: String
        let value: JSONNode
    }

    subscript(name: String) -> JSONNode? {
        if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var elements: [JSONNode]? { if case .array(let nodes) = self { nodes } else { nil } }
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// Parses a text; nil if it is not JSON, or nested more than 64 deep.
    init?(_ bytes: some Sequence<UInt8>) {
        var parser = JSONNodeParser(bytes: Array(bytes))
        guard let node = parser.document() else { return nil }
        self = node
    }
}

/// A parser with one pass over the bytes.
private struct JSONNodeParser {
    private static let maximumDepth = 64

    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() -> JSONNode? {
        guard let node = value(depth: 0) else { return nil }
        skipSpace()
        return place == bytes.count ? node : nil
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func take(_ word: StaticString, _ node: JSONNode) -> JSONNode? {
        let text = word.description.utf8
        guard bytes.count - place >= text.count, bytes[place..<place + text.count].elementsEqual(text) else { return nil }
        place += text.count
        return node
    }

    private mutating func value(depth: Int) -> JSONNode? {
        skipSpace()
        guard depth <= JSONNodeParser.maximumDepth, let first = next else { return nil }
        switch first {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map(JSONNode.text)
        case UInt8(ascii: "t"): return take("true", .bool(true))
        case UInt8(ascii: "f"): return take("false", .bool(false))
        case UInt8(ascii: "n"): return take("null", .null)
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSONNode? {
        place += 1
        var members: [JSONNode.Member] = []
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\""), let name = string(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
            members.append(JSONNode.Member(name: name, value: value))
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONNode? {
        place += 1
        var nodes: [JSONNode] = []
        if take(UInt8(ascii: "]")) { return .array(nodes) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            nodes.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .array(nodes) : nil
    }

    /// Reads a number. One without fraction and exponent that 64 bits hold is an integer.
    private mutating func number() -> JSONNode? {
        let start = place
        var isInteger = true
        while let byte = next {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): isInteger = false
            default:
                return JSONNodeParser.number(bytes[start..<place], isInteger)
            }
            place += 1
        }
        return JSONNodeParser.number(bytes[start..<place], isInteger)
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isInteger: Bool) -> JSONNode? {
        let text = String(decoding: bytes, as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        return Double(text).map(JSONNode.double)
    }

    private mutating func string() -> String? {
        place += 1
        let start = place
        while let byte = next, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") { return escapedString(from: start) }
            place += 1
        }
        guard next != nil else { return nil }
        defer { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func escapedString(from start: Int) -> String? {
        var text = Array(bytes[start..<place])
        while let byte = next {
            place += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let scalar = escape() else { return nil }
                text += Array(String(scalar).utf8)
            } else {
                text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = next else { return nil }
        place += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "u"): return unicodeEscape()
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        default: return nil
        }
    }

    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard let high = hexUnit() else { return nil }
        guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
        guard next == UInt8(ascii: "\\"), place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "u") else { return nil }
        place += 2
        guard let low = hexUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func hexUnit() -> UInt32? {
        guard bytes.count - place >= 4 else { return nil }
        defer { place += 4 }
        return UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    }
}
