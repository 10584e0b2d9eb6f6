// SPDX-License-Identifier: Apache-2.0

import JSON

/// JSON. Every token is inside the bytes and its parent, and text written from a tape reads as the same.
enum Documents {
    private static let parser = JSONParser()
    private static let limits = JSONLimits(bytes: 1 << 20, tokens: 4_000, depth: 16)

    static func run(_ bytes: [UInt8]) {
        lines(bytes)
        guard let tape = tape(bytes, in: 0..<bytes.count) else {
            require(embedded(bytes) == nil, "is JSON only with something around it")
            return
        }
        accepted()
        require(tape.count <= limits.tokens && tape[0].next == tape.count, "the first value is not the whole")
        walk(tape, 0, within: 0..<bytes.count, depth: 0)
        compareEmbedded(tape, embedded(bytes))
        compareWritten(tape)
    }

    private static func tape(_ bytes: [UInt8], in range: Range<Int>) -> JSONTape? {
        parser.withReader { reader in try? reader.parse(bytes, in: range, limits: limits) }
    }

    private static func lines(_ bytes: [UInt8]) {
        var last = 0
        for line in JSONLines(bytes) {
            require(last <= line.lowerBound && !line.isEmpty && line.upperBound <= bytes.count, "an empty line, or one outside the bytes")
            require(!bytes[line].contains(0x0a), "a line with a line's end inside")
            last = line.upperBound
            _ = tape(bytes, in: line)
        }
    }

    // MARK: Bounds

    private static func walk(_ tape: JSONTape, _ index: Int, within outer: Range<Int>, depth: Int) {
        let token = tape[index], slice = tape.slice(index)
        require(outer.lowerBound <= slice.lowerBound && slice.upperBound <= outer.upperBound, "token \(index) leaves its parent")
        require(depth <= limits.depth, "deeper than the limit")
        var children = 0
        var place = index + 1
        while token.kind == .object || token.kind == .array, place < token.next {
            if token.kind == .object {
                require(tape[place].kind == .key && tape[place].next == place + 1, "a member without a key")
                readText(tape, place)
                place += 1
            }
            walk(tape, place, within: slice, depth: depth + 1)
            require(tape[place].next > place, "a token's next is not after it")
            place = tape[place].next
            children += 1
        }
        require(place == token.next, "token \(index) does not end where it says")
        if token.kind == .object || token.kind == .array { require(children == token.children, "miscounted children") }
        readText(tape, index)
    }

    private static func readText(_ tape: JSONTape, _ index: Int) {
        var out: [UInt8] = [7]
        let token = tape[index]
        guard token.kind == .string || token.kind == .key else { return }
        if tape.appendUnescaped(token, to: &out) {
            require(String(validating: out.dropFirst(), as: UTF8.self) == tape.text(token), "two readings of one text")
        } else {
            require(out == [7] && tape.text(token) == nil, "half a text was left behind")
        }
    }

    // MARK: Part of a body

    /// Parses the document between bytes that would invalidate it if they were read.
    private static func embedded(_ bytes: [UInt8]) -> JSONTape? {
        tape([0x22, 0x5c, 0xff] + bytes + [0x39, 0x22, 0xff], in: 3..<3 + bytes.count)
    }

    private static func compareEmbedded(_ tape: JSONTape, _ other: JSONTape?) {
        require(other?.count == tape.count, "is read differently with something around it")
        guard let other else { return }
        for i in 0..<tape.count {
            let (a, b) = (tape[i], other[i])
            require(a.kind == b.kind && a.offset + 3 == b.offset && a.count == b.count && a.next == b.next, "token \(i) moved")
        }
    }

    // MARK: Round trip

    private static func compareWritten(_ tape: JSONTape) {
        var writer = JSONWriter()
        guard write(tape, 0, to: &writer) else { return }
        guard let again = Documents.tape(writer.bytes, in: 0..<writer.bytes.count) else { return require(false, "what was written is no JSON") }
        require(again.count == tape.count, "what was written has other values")
        for i in 0..<tape.count {
            let (a, b) = (tape[i], again[i])
            require(a.kind == b.kind && a.next == b.next && a.double == b.double, "token \(i) was lost")
            if a.kind == .string || a.kind == .key { require(tape.text(a) == again.text(b), "the text of token \(i) was lost") }
        }
    }

    /// Returns false for an unpaired surrogate, which no writer accepts.
    private static func write(_ tape: JSONTape, _ index: Int, to writer: inout JSONWriter) -> Bool {
        let token = tape[index]
        switch token.kind {
        case .object:
            writer.beginObject()
            guard writeMembers(of: tape, index, to: &writer) else { return false }
            writer.endObject()
        case .array:
            writer.beginArray()
            guard writeElements(of: tape, index, to: &writer) else { return false }
            writer.endArray()
        case .string, .key:
            guard let text = tape.text(token) else { return false }
            writer.string(text)
        case .integer: writer.integer(token.integer ?? 0)
        case .true, .false: writer.bool(token.kind == .true)
        case .null: writer.null()
        case .unsigned, .double, .bigNumber: writer.raw(tape.bytes[tape.slice(index)])
        }
        return true
    }

    private static func writeMembers(of tape: JSONTape, _ object: Int, to writer: inout JSONWriter) -> Bool {
        var place = object + 1
        while place < tape[object].next {
            guard let name = tape.text(tape[place]) else { return false }
            writer.key(name)
            guard write(tape, place + 1, to: &writer) else { return false }
            place = tape[place + 1].next
        }
        return true
    }

    private static func writeElements(of tape: JSONTape, _ array: Int, to writer: inout JSONWriter) -> Bool {
        var place = array + 1
        while place < tape[array].next {
            guard write(tape, place, to: &writer) else { return false }
            place = tape[place].next
        }
        return true
    }
}
