// SPDX-License-Identifier: Apache-2.0

/// A writer of JSON and its tape, so that a translated document needs no parsing.
///
/// It adds commas and quotes; the caller matches begins and ends.
package struct TapeWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var tokens: [JSONToken] = []
    /// The open objects and arrays, the innermost last.
    private var open: [Int] = []
    private var needsComma = false

    package init(bytes: Int = 256, tokens: Int = 16) {
        self.bytes.reserveCapacity(bytes)
        self.tokens.reserveCapacity(tokens)
    }

    /// The memory in use, including tokens.
    package var bytesHeld: Int { bytes.capacity + tokens.capacity * MemoryLayout<JSONToken>.stride }

    /// Returns the document. Everything begun must have ended.
    package func tape() -> JSONTape {
        precondition(open.isEmpty, "a tape was requested while an object or array is open")
        return JSONTape(tokens: tokens, count: tokens.count, bytes: bytes)
    }

    package mutating func beginObject() { begin(.object, UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray() { begin(.array, UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Continues the outermost array after its end.
    package mutating func resumeArray() {
        precondition(open.isEmpty && bytes.last == UInt8(ascii: "]"), "only a complete array can be continued")
        bytes.removeLast()
        open.append(0)
        needsComma = tokens[0].children > 0
    }

    // MARK: Keys

    /// Writes a name that needs no escapes.
    package mutating func key(_ name: StaticString) {
        beginMember()
        let count = name.utf8CodeUnitCount
        add(.key, offset: bytes.count + 1, count: count)
        bytes.append(UInt8(ascii: "\""))
        // A static string lives as long as the program and has `count` bytes.
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: count))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func key(text name: String) {
        beginMember()
        quote(name, .key)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Copies the key at `place`, or a string as a key.
    package mutating func key(copying place: Int, of tape: JSONTape) {
        beginMember()
        let token = tape[place]
        add(.key, offset: bytes.count + 1, count: token.count, escaped: token.escaped)
        copyBytes(tape.slice(place), of: tape)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    package mutating func string(_ text: String) {
        beginValue()
        quote(text, .string)
    }

    package mutating func integer(_ value: Int64) {
        beginValue()
        let start = bytes.count
        bytes.append(contentsOf: String(value).utf8)
        add(.integer, offset: start, count: bytes.count - start, bits: UInt64(bitPattern: value))
    }

    package mutating func bool(_ value: Bool) { word(value ? .true : .false, value ? "true" : "false") }
    package mutating func null() { word(.null, "null") }

    /// Copies a value of another tape.
    package mutating func copy(_ place: Int, of tape: JSONTape) {
        beginValue()
        let slice = tape.slice(place)
        copyTokens(place..<max(place + 1, tape[place].next), of: tape, forwards: bytes.count &- slice.lowerBound)
        copyBytes(slice, of: tape)
    }

    /// Copies adjacent members of another tape's object as one piece.
    package mutating func copyMembers(from first: Int, through last: Int, count: Int, of tape: JSONTape) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        if let object = open.last { tokens[object].addChildren(count) }
        let value = tape[last].next
        let text = tape.slice(first).lowerBound..<tape.slice(value).upperBound
        copyTokens(first..<max(value + 1, tape[value].next), of: tape, forwards: bytes.count &- text.lowerBound)
        copyBytes(text, of: tape)
    }

    /// Copies a number of another tape as a string of its digits.
    package mutating func string(copyingNumber place: Int, of tape: JSONTape) {
        beginValue()
        let token = tape[place]
        add(.string, offset: bytes.count + 1, count: token.count)
        bytes.append(UInt8(ascii: "\""))
        copyBytes(token.range, of: tape)
        bytes.append(UInt8(ascii: "\""))
    }
}

// MARK: - Bytes and tokens

extension TapeWriter {
    private mutating func begin(_ kind: JSONKind, _ bracket: UInt8) {
        beginValue()
        open.append(tokens.count)
        add(kind, offset: bytes.count)
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
        guard let place = open.popLast() else { return }
        tokens[place].close(end: bytes.count, next: tokens.count)
    }

    private mutating func beginMember() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
        if let object = open.last { tokens[object].addChildren() }
    }

    /// A member was already counted with its key.
    private mutating func beginValue() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        if let array = open.last, tokens[array].kind == .array { tokens[array].addChildren() }
    }

    private mutating func add(_ kind: JSONKind, offset: Int, count: Int = 0, escaped: Bool = false, bits: UInt64 = 0) {
        tokens.append(JSONToken(kind, offset: offset, count: count, index: tokens.count, escaped: escaped, bits: bits))
    }

    private mutating func word(_ kind: JSONKind, _ text: StaticString) {
        beginValue()
        add(kind, offset: bytes.count, count: text.utf8CodeUnitCount)
        // As in `key`.
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func quote(_ text: String, _ kind: JSONKind) {
        let start = bytes.count + 1
        let isEscaped = bytes.appendQuoted(text)
        add(kind, offset: start, count: bytes.count - 1 - start, escaped: isEscaped)
    }

    private mutating func copyTokens(_ places: Range<Int>, of tape: JSONTape, forwards: Int) {
        let behind = tokens.count &- places.lowerBound
        for i in places { tokens.append(tape[i].moved(bytes: forwards, tokens: behind)) }
    }

    /// The buffer is not kept. Slicing checks the range.
    private mutating func copyBytes(_ range: Range<Int>, of tape: JSONTape) {
        tape.bytes.withUnsafeBufferPointer { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
