// SPDX-License-Identifier: Apache-2.0

/// A writer of JSON text. It adds commas and quotes; the caller matches begins and ends.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reserving capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    package mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key that is already JSON, with its quotes.
    package mutating func rawKey(_ json: ArraySlice<UInt8>) {
        raw(json)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: String) {
        separate()
        bytes.appendQuoted(text)
    }

    package mutating func string(_ utf8: ArraySlice<UInt8>) {
        separate()
        _ = utf8.withUnsafeBufferPointer { bytes.appendQuoted($0) }
    }

    package mutating func integer(_ value: some BinaryInteger) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    package mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    package mutating func null() {
        raw("null")
    }

    /// Writes the shortest text that parses to the same number. NaN and infinities become null.
    package mutating func real(_ value: Double) {
        guard value.isFinite else { return null() }
        if value == value.rounded(), abs(value) < 1e15 { return integer(Int64(value)) }
        raw("\(value)")
    }

    /// Writes millionths as a number, or with `quoted` as a string, without trailing zeros.
    package mutating func decimal(millionths: Int64, quoted: Bool = false) {
        let text = JSONWriter.decimalText(millionths)
        raw(quoted ? "\"\(text)\"" : text)
    }

    /// Writes text that is already JSON.
    package mutating func raw(_ json: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    private mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private static func decimalText(_ millionths: Int64) -> String {
        let (whole, part) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var text = (millionths < 0 ? "-" : "") + String(whole)
        guard part > 0 else { return text }
        var digits = String(part)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        text += "." + digits
        return text
    }
}
