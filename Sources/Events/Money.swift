// SPDX-License-Identifier: Apache-2.0

/// Exact amounts in millionths, read from the digits people sent and never by way of a binary fraction.
package enum Money {
    package enum Reading: Equatable, Sendable {
        case amount(Int64)
        /// More than ±9,223,372,036,854.775807.
        case outOfRange
        case malformed
    }

    /// Reads a JSON number's text. A seventh decimal and those after it are rounded to the nearest even millionth, which takes out what
    /// binary fractions leave behind (`0.1 + 0.2` is sent as `0.30000000000000004`).
    package static func millionths(_ text: Span<UInt8>) -> Reading {
        guard let number = DecimalShape(text) else { return .malformed }
        guard let magnitude = number.magnitude(text, scale: 6) else { return .outOfRange }
        return .amount(number.negative ? -magnitude : magnitude)
    }

    /// `amount` × `quantity`, exactly.
    package static func product(_ amount: Int64, _ quantity: Int64) -> Reading {
        let (value, overflow) = amount.multipliedReportingOverflow(by: quantity)
        return overflow || value == .min ? .outOfRange : .amount(value)
    }

    /// Three letters, upper-cased and packed big-endian.
    package static func currency(_ text: Span<UInt8>) -> UInt32? {
        guard text.count == 3 else { return nil }
        var packed: UInt32 = 0
        for i in 0..<3 {
            let letter = text[i] & 0xdf
            guard (0x41...0x5a).contains(letter), text[i] >= 0x41 else { return nil }
            packed = packed << 8 | UInt32(letter)
        }
        return packed
    }
}

/// Where the parts of a decimal number stand in its text.
private struct DecimalShape {
    let negative: Bool
    private let digits: Range<Int>
    private let integerDigits: Int
    private let fractionDigits: Int
    private let exponent: Int

    init?(_ text: Span<UInt8>) {
        var at = 0
        negative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if negative { at = 1 }
        let first = at
        integerDigits = text.skipDigits(&at)
        guard integerDigits == 1 || (integerDigits > 1 && text[first] != 0x30) else { return nil }
        var fraction = 0
        if at < text.count, text[at] == UInt8(ascii: ".") {
            at += 1
            fraction = text.skipDigits(&at)
            guard fraction > 0 else { return nil }
        }
        fractionDigits = fraction
        digits = first..<at
        guard let power = DecimalShape.exponent(text, &at), at == text.count else { return nil }
        exponent = power
    }

    /// The number's size times ten to the `scale`, rounded half to even; nil beyond 63 bits.
    func magnitude(_ text: Span<UInt8>, scale: Int) -> Int64? {
        let shift = exponent - fractionDigits + scale
        let total = integerDigits + fractionDigits
        let kept = min(total, total + shift)
        var (value, seen, half, rest) = (Int64(0), 0, 0, false)
        for i in digits where text[i] != UInt8(ascii: ".") {
            let digit = Int64(text[i] - 0x30)
            if seen < kept {
                guard let next = DecimalShape.append(digit, to: value) else { return nil }
                value = next
            } else if seen == kept {
                half = Int(digit)
            } else if digit > 0 {
                rest = true
            }
            seen += 1
        }
        var zeros = shift
        while zeros > 0, value > 0 {
            guard let next = DecimalShape.append(0, to: value) else { return nil }
            (value, zeros) = (next, zeros - 1)
        }
        let up = half > 5 || (half == 5 && (rest || value % 2 == 1))
        return up ? DecimalShape.increment(value) : value
    }

    private static func append(_ digit: Int64, to value: Int64) -> Int64? {
        let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(digit)
        return overflow || carry ? nil : sum
    }

    private static func increment(_ value: Int64) -> Int64? {
        value < .max ? value + 1 : nil
    }

    /// The power of ten; one so large that no mantissa could make up for it stands for all larger.
    private static func exponent(_ text: Span<UInt8>, _ at: inout Int) -> Int? {
        guard at < text.count, text[at] | 0x20 == UInt8(ascii: "e") else { return 0 }
        at += 1
        let negative = at < text.count && text[at] == UInt8(ascii: "-")
        if negative || (at < text.count && text[at] == UInt8(ascii: "+")) { at += 1 }
        let first = at
        guard text.skipDigits(&at) > 0 else { return nil }
        var value = 0
        for i in first..<at { value = min(value * 10 + Int(text[i] - 0x30), 1_000_000_000) }
        return negative ? -value : value
    }
}

extension Span<UInt8> {
    fileprivate func skipDigits(_ at: inout Int) -> Int {
        let from = at
        while at < count, (0x30...0x39).contains(self[at]) { at += 1 }
        return at - from
    }
}
