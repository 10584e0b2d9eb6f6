// SPDX-License-Identifier: Apache-2.0

import Events
import JSON

extension SourceText {
    /// Writes the object at `index` to the arena without the members and elements in `dropped`, and names without escapes. Empty if nothing
    /// is left.
    ///
    /// - Parameter unsigned: The place of a negative number that loses its sign.
    mutating func rewrite(_ index: Int, without dropped: PlaceSet, unsigned: Int?) -> ByteRange {
        var rewriter = ParamRewriter(tape, dropped, unsigned, from: index)
        rewriter.writeObject(index)
        guard rewriter.writer.bytes.count > 2 else { return .none }
        let range = ByteRange(offset: arena.count, count: rewriter.writer.bytes.count, in: .arena)
        arena.append(contentsOf: rewriter.writer.bytes)
        return range
    }
}

/// Rewrites an object in one pass over its tokens: `{"\u0061":1,"b":2}` without its second member becomes `{"a":1}`.
private struct ParamRewriter {
    private let tape: JSONTape
    private let dropped: PlaceSet
    private let unsigned: Int?
    /// The first change after the current position.
    private var nextChange: Int
    private(set) var writer: JSONWriter

    init(_ tape: JSONTape, _ dropped: PlaceSet, _ unsigned: Int?, from index: Int) {
        (self.tape, self.dropped, self.unsigned) = (tape, dropped, unsigned)
        nextChange = index
        writer = JSONWriter(reserving: tape[index].count)
    }

    mutating func writeObject(_ index: Int) {
        writer.beginObject()
        var at = index + 1
        while at < tape[index].next {
            let value = tape[at].next
            if !dropped.contains(at) {
                writeKey(at)
                writeValue(value)
            }
            at = tape[value].next
        }
        writer.endObject()
    }

    private mutating func writeKey(_ key: Int) {
        if tape[key].escaped { writer.key(tape.text(tape[key]) ?? "") } else { writer.rawKey(tape.bytes[tape.slice(key)]) }
    }

    /// Writes a value. Only values with a change inside are taken apart.
    private mutating func writeValue(_ index: Int) {
        let token = tape[index]
        if index == unsigned { return writeUnsigned(token) }
        guard changes(in: index + 1..<max(index + 1, token.next)) else { return writer.raw(tape.bytes[tape.slice(index)]) }
        guard token.kind == .array else { return writeObject(index) }
        writer.beginArray()
        var at = index + 1
        while at < token.next {
            if !dropped.contains(at) { writeValue(at) }
            at = tape[at].next
        }
        writer.endArray()
    }

    /// Writes a number, or a string with one, without its sign.
    private mutating func writeUnsigned(_ token: JSONToken) {
        let text = String((tape.text(token) ?? "").drop { $0 == "-" })
        if token.kind == .string { writer.string(text) } else { writer.raw(Array(text.utf8)[...]) }
    }

    /// Whether there is a change in these positions. Calls are in ascending order, so each position is examined once.
    private mutating func changes(in places: Range<Int>) -> Bool {
        nextChange = max(nextChange, places.lowerBound)
        while nextChange < places.upperBound {
            let token = tape[nextChange]
            if token.kind == .key && token.escaped || dropped.contains(nextChange) { return true }
            nextChange += 1
        }
        return false
    }
}
