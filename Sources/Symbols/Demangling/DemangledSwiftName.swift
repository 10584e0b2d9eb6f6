// SPDX-License-Identifier: Apache-2.0

/// A demangled Swift name in short form, without modules, types and generics.
///
///     Shop.Cart.checkout(items: Swift.Array<Shop.Item>, _: Swift.Int) async throws -> Swift.Bool  →  Cart.checkout(items:_:)
package struct DemangledSwiftName {
    private let text: [UInt8]
    private var place = 0

    /// Returns the short form, or the name itself if its form is unknown.
    package static func short(_ name: String) -> String {
        var reader = DemangledSwiftName(text: Array(name.utf8))
        return reader.words().map { $0.joined(separator: " ") } ?? name
    }

    /// Returns all words except those that describe types; nil for unbalanced brackets.
    private mutating func words() -> [String]? {
        var words: [String] = []
        while place < text.count {
            guard let word = word() else { return nil }
            switch word {
            case "": break
            case "async", "throws", "throws(_:)", "rethrows": break
            // A type follows; it ends at its closing bracket.
            case "->", ":": guard skipType(toTheEnd: words.contains("conformance")) else { return nil }
            default: words.append(word)
            }
            place += 1
        }
        return words.isEmpty ? nil : words
    }

    /// Reads a word up to a space, without the module before its first dot.
    private mutating func word() -> String? {
        var parts: [[UInt8]] = [[]]
        while place < text.count, text[place] != 0x20 {
            switch text[place] {
            case 0x2e where parts.last?.isEmpty == false:
                parts.append([])
                place += 1
            case 0x28:
                guard let inside = group() else { return nil }
                readGroup(inside, into: &parts)
            case 0x3c where parts.last?.last.map(DemangledSwiftName.isLetter) == true:
                guard group() != nil else { return nil }
            default:
                parts[parts.count - 1].append(text[place])
                place += 1
            }
        }
        return String(decoding: Array(parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: [0x2e])), as: UTF8.self)
    }

    private mutating func readGroup(_ inside: Range<Int>, into parts: inout [[UInt8]]) {
        if parts.last?.isEmpty == false {
            parts[parts.count - 1] += [0x28] + labels(inside) + [0x29]
        } else if text[inside].starts(with: "extension in ".utf8) {
            if place < text.count, text[place] == 0x3a { place += 1 }
        } else if let end = firstRange(of: " in _", in: inside) {
            // A private name with the discriminator of its file.
            parts[parts.count - 1] = Array(text[inside.lowerBound..<end])
        }
    }

    private func firstRange(of needle: String, in range: Range<Int>) -> Int? {
        let needle = Array(needle.utf8)
        return range.first { text[$0..<range.upperBound].starts(with: needle) }
    }

    // MARK: Brackets

    /// Returns the argument labels of a function's parentheses: `items:_:`.
    private func labels(_ inside: Range<Int>) -> [UInt8] {
        guard !inside.isEmpty else { return [] }
        var labels: [UInt8] = []
        var (depth, start, label) = (0, inside.lowerBound, [0x5f] as [UInt8])
        for index in inside {
            depth += nesting(index)
            guard depth == 0 else { continue }
            if text[index] == 0x3a && label == [0x5f] { label = Array(text[start..<index].drop { $0 == 0x20 }) }
            guard text[index] == 0x2c else { continue }
            labels += label + [0x3a]
            (start, label) = (index + 1, [0x5f])
        }
        return labels + label + [0x3a]
    }

    /// Skips to the matching bracket. Returns the range between.
    private mutating func group() -> Range<Int>? {
        let start = place + 1
        var depth = 0
        while place < text.count {
            depth += nesting(place)
            place += 1
            if depth == 0 { return start..<place - 1 }
        }
        return nil
    }

    /// Skips to the space before the word `in`, or to the end. Returns false for an unbalanced closing bracket.
    private mutating func skipType(toTheEnd: Bool) -> Bool {
        var depth = 0
        while place < text.count {
            if depth == 0 && !toTheEnd && text[place...].starts(with: " in ".utf8) { return true }
            depth += nesting(place)
            if depth < 0 { return false }
            place += 1
        }
        return depth == 0
    }

    /// Returns the change of depth of a byte. The `>` of an arrow changes nothing.
    private func nesting(_ index: Int) -> Int {
        switch text[index] {
        case 0x28, 0x3c, 0x5b: 1
        case 0x3e: index > 0 && text[index - 1] == 0x2d ? 0 : -1
        case 0x29, 0x5d: -1
        default: 0
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == 0x5f || byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }
}
