// SPDX-License-Identifier: Apache-2.0

/// An exact decimal number, read from the text of a JSON number. Values beyond the precision of binary fractions stay distinct.
///
///     "12"  "12.0"  "1.2e1"                    equal
///     "9007199254740993"  >  "9007199254740992"
///     "007"  "0x1f"  ".5"  "nan"  "1e999999"   no numbers
package struct DecimalNumber: Sendable, Comparable {
    /// The value of a whole number of at most 18 digits, which most are. Such a number has no digits.
    private var whole: Int64?
    private var isNegative = false
    /// The digits without zeros at either end, after the decimal point: `120` and `0.12` have the digits `12`.
    private var digits: [UInt8] = []
    /// The power of ten by which the digits are multiplied: 3 for `120`, 0 for `0.12`.
    private var exponent = 0

    private static let largestExponent = 100_000

    package init?(_ text: Span<UInt8>) {
        if let whole = DecimalNumber.whole(text) {
            self.whole = whole
            return
        }
        var at = 0
        isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative { at = 1 }
        let first = at
        takeDigits(text, &at)
        exponent = at - first
        guard exponent == 1 || exponent > 1 && text[first] != UInt8(ascii: "0") else { return nil }
        if at < text.count, text[at] == UInt8(ascii: ".") {
            at += 1
            let fraction = at
            takeDigits(text, &at)
            guard at > fraction else { return nil }
        }
        guard let power = DecimalNumber.power(text, &at), at == text.count else { return nil }
        exponent += power
        trim()
    }

    /// Returns the value of a whole number without an exponent; nil for other texts and for long ones.
    private static func whole(_ text: Span<UInt8>) -> Int64? {
        let start = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
        let count = text.count - start
        guard (1...18).contains(count), count == 1 || text[start] != UInt8(ascii: "0") else { return nil }
        var value: Int64 = 0
        for i in start..<text.count {
            guard isDigit(text[i]) else { return nil }
            value = value * 10 + Int64(text[i] - UInt8(ascii: "0"))
        }
        return start == 1 ? -value : value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func takeDigits(_ text: Span<UInt8>, _ at: inout Int) {
        while at < text.count, DecimalNumber.isDigit(text[at]) {
            digits.append(text[at])
            at += 1
        }
    }

    /// Reads an exponent, 0 if there is none; nil if it is malformed or too large.
    private static func power(_ text: Span<UInt8>, _ at: inout Int) -> Int? {
        guard at < text.count, text[at] | 0x20 == UInt8(ascii: "e") else { return 0 }
        at += 1
        let isNegative = at < text.count && text[at] == UInt8(ascii: "-")
        if isNegative || at < text.count && text[at] == UInt8(ascii: "+") { at += 1 }
        let first = at
        var value = 0
        while at < text.count, isDigit(text[at]), value <= largestExponent {
            value = value * 10 + Int(text[at] - UInt8(ascii: "0"))
            at += 1
        }
        guard at > first, value <= largestExponent else { return nil }
        return isNegative ? -value : value
    }

    private mutating func trim() {
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(zeros)
        exponent -= zeros
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }

    /// The number with digits, to compare it with one that has them.
    private var spelled: DecimalNumber {
        guard let whole else { return self }
        var number = self
        number.whole = nil
        number.isNegative = whole < 0
        number.digits = Array(String(whole.magnitude).utf8)
        number.exponent = number.digits.count
        number.trim()
        return number
    }

    package static func == (a: DecimalNumber, b: DecimalNumber) -> Bool {
        if let first = a.whole, let second = b.whole { return first == second }
        let (a, b) = (a.spelled, b.spelled)
        return a.isNegative == b.isNegative && a.exponent == b.exponent && a.digits == b.digits
    }

    package static func < (a: DecimalNumber, b: DecimalNumber) -> Bool {
        if let first = a.whole, let second = b.whole { return first < second }
        let (a, b) = (a.spelled, b.spelled)
        if a.isNegative != b.isNegative { return a.isNegative }
        return a.isNegative ? b.isSmaller(than: a) : a.isSmaller(than: b)
    }

    /// Compares magnitudes.
    private func isSmaller(than other: DecimalNumber) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        if exponent != other.exponent { return exponent < other.exponent }
        return digits.lexicographicallyPrecedes(other.digits)
    }
}
