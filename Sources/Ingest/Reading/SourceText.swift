// SPDX-License-Identifier: Apache-2.0

import Events
import JSON

/// The bytes of a request while it is decoded: the tape over its body, and the arena for text that was unescaped or rewritten.
struct SourceText {
    var tape: JSONTape
    var arena: [UInt8] = []

    /// The outcome of reading an ID or another short text.
    enum Reading {
        case absent
        case text(ByteRange)
        case wrongType, tooLong, unprintable
    }

    /// Reads a string of at most `limit` characters without control characters. Null counts as missing.
    mutating func text(_ index: Int, limit: Int) -> Reading {
        let token = tape[index]
        guard token.kind == .string else { return token.kind == .null ? .absent : .wrongType }
        guard let range = plain(token) else { return .unprintable }
        return check(range, limit)
    }

    /// Reads a text that is not part of the body, such as a query parameter.
    mutating func text(appending text: String, limit: Int) -> Reading {
        let range = ByteRange(offset: arena.count, count: text.utf8.count, in: .arena)
        arena.append(contentsOf: text.utf8)
        return check(range, limit)
    }

    /// Returns the range of a key's or string's unescaped text; nil if it contains an unpaired surrogate.
    mutating func plain(_ token: JSONToken) -> ByteRange? {
        guard token.escaped else { return ByteRange(offset: token.offset, count: token.count) }
        let start = arena.count
        guard tape.appendUnescaped(token, to: &arena) else { return nil }
        return ByteRange(offset: start, count: arena.count - start, in: .arena)
    }

    func with<R>(_ range: ByteRange, _ work: (Span<UInt8>) -> R) -> R {
        switch range.source {
        case .body: work(tape.bytes.span.extracting(range.range))
        case .arena: work(arena.span.extracting(range.range))
        }
    }

    func string(_ range: ByteRange) -> String {
        String(decoding: range.source == .body ? tape.bytes[range.range] : arena[range.range], as: UTF8.self)
    }

    private func check(_ range: ByteRange, _ limit: Int) -> Reading {
        with(range) { text in
            if !text.hasScalars(atMost: limit) { return .tooLong }
            return text.isPrintable ? .text(range) : .unprintable
        }
    }
}
