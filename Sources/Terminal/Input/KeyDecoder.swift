// SPDX-License-Identifier: Apache-2.0

/// Decodes keys from the bytes of a terminal, in chunks of any size.
package struct KeyDecoder: Sendable {
    private var pending: [UInt8] = []
    private var paste: [UInt8]?
    /// The byte limits of a paste and of a sequence.
    private static let mostPasted = 64 << 10
    private static let longestSequence = 64

    package init() {}

    /// Whether a sequence has begun that may be a lone Escape key. Call `flush` if no byte follows within a moment.
    package var isWaiting: Bool { !pending.isEmpty && paste == nil }

    package mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let key = next(isLast: false) { keys.append(contentsOf: key) }
        return keys
    }

    /// Ends the sequence that has begun, since nothing follows.
    package mutating func flush() -> [Key] {
        var keys: [Key] = []
        while let key = next(isLast: true) { keys.append(contentsOf: key) }
        pending = []
        return keys
    }

    /// Returns the next key, or none for unknown bytes; `nil` if more bytes are required.
    private mutating func next(isLast: Bool) -> [Key]? {
        if paste != nil { return nextOfPaste() }
        guard let first = pending.first else { return nil }
        if first == 0x1b { return nextOfSequence(isLast) }
        if first < 0x80 { return drop(1, KeyDecoder.key(of: first)) }
        return nextOfUTF8(first, isLast)
    }

    private mutating func drop(_ count: Int, _ key: Key?) -> [Key] {
        pending.removeFirst(count)
        return key.map { [$0] } ?? []
    }

    private static func key(of byte: UInt8) -> Key? {
        switch byte {
        case 0x09: .tab
        case 0x0d, 0x0a: .enter
        case 0x7f, 0x08: .backspace
        case 0x01...0x1a: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x20...0x7e: .character(Character(Unicode.Scalar(byte)))
        default: nil
        }
    }

    private mutating func nextOfUTF8(_ first: UInt8, _ isLast: Bool) -> [Key]? {
        let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1
        guard length > 1 else { return drop(1, nil) }
        guard pending.count >= length else { return isLast ? drop(pending.count, nil) : nil }
        let text = String(validating: pending[..<length], as: UTF8.self)
        return drop(text == nil ? 1 : length, text?.first.map { .character($0) })
    }
}

// MARK: - Sequences

extension KeyDecoder {
    private mutating func nextOfSequence(_ isLast: Bool) -> [Key]? {
        guard pending.count > 1 else { return isLast ? drop(1, .escape) : nil }
        switch pending[1] {
        case UInt8(ascii: "["): return nextOfControlSequence(isLast)
        case UInt8(ascii: "O"):
            guard pending.count > 2 else { return isLast ? drop(2, .alt("O")) : nil }
            return drop(3, KeyDecoder.key(ofLetter: pending[2], modifier: 1))
        case 0x1b: return drop(1, .escape)
        case 0x20...0x7e: return drop(2, .alt(Character(Unicode.Scalar(pending[1]))))
        default: return drop(1, .escape)
        }
    }

    private mutating func nextOfControlSequence(_ isLast: Bool) -> [Key]? {
        guard let end = pending[2...].firstIndex(where: { (0x40...0x7e).contains($0) }) else {
            if isLast || pending.count > KeyDecoder.longestSequence { return drop(pending.count, nil) }
            return nil
        }
        let parameters = String(decoding: pending[2..<end], as: UTF8.self)
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 1 }
        let final = pending[end]
        pending.removeFirst(end + 1)
        if parameters.hasPrefix("<") { return KeyDecoder.mouse(parameters.dropFirst(), final).map { [.mouse($0)] } ?? [] }
        if final == UInt8(ascii: "~"), numbers.first == 200 {
            paste = []
            return []
        }
        let key =
            final == UInt8(ascii: "~")
            ? KeyDecoder.key(ofNumber: numbers.first ?? 0) : KeyDecoder.key(ofLetter: final, modifier: numbers.count > 1 ? numbers[1] : 1)
        return key.map { [$0] } ?? []
    }

    private static func mouse(_ report: Substring, _ final: UInt8) -> Mouse? {
        switch final {
        case UInt8(ascii: "M"): Mouse(report, isRelease: false)
        case UInt8(ascii: "m"): Mouse(report, isRelease: true)
        default: nil
        }
    }

    private static func key(ofLetter letter: UInt8, modifier: Int) -> Key? {
        switch Character(Unicode.Scalar(letter)) {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "F": .end
        case "H": .home
        case "Z": .backTab
        case "M" where modifier == 1: .enter
        case "P": .function(1)
        case "Q": .function(2)
        case "R": .function(3)
        case "S": .function(4)
        default: nil
        }
    }

    private static func key(ofNumber number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }
}

// MARK: - Paste

extension KeyDecoder {
    private static let pasteEnd: [UInt8] = [0x1b, 0x5b, 0x32, 0x30, 0x31, 0x7e]

    private mutating func nextOfPaste() -> [Key]? {
        let end = KeyDecoder.pasteEnd
        guard let start = pending.indices.first(where: { pending[$0...].starts(with: end) }) else {
            // A possible beginning of the end marker is checked again with the next bytes.
            keep(pending.prefix(max(0, pending.count - end.count + 1)))
            pending.removeFirst(max(0, pending.count - end.count + 1))
            return nil
        }
        keep(pending[..<start])
        pending.removeFirst(start + end.count)
        defer { paste = nil }
        return [.paste(String(decoding: paste ?? [], as: UTF8.self))]
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = KeyDecoder.mostPasted - (paste?.count ?? 0)
        paste?.append(contentsOf: bytes.prefix(room))
    }
}
