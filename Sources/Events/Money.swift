// SPDX-License-Identifier: Apache-2.0

/// Exact amounts of money in millionths, read from decimal digits and never through a binary fraction.
///
///     "9.99"                    →  9_990_000
///     "0.30000000000000004"     →    300_000
///     "1e-7"                    →          0
///     "1e13"                    →  out of range
package enum Money {
    package enum Reading: Equatable, Sendable {
        case amount(Int64)
        /// Beyond ±9,223,372,036,854.775807.
        case outOfRange
        case malformed
    }

    /// Reads the text of a JSON number. Decimals from the seventh on are rounded half to even, which removes the error of binary fractions:
    /// `0.1 + 0.2` is sent as `0.30000000000000004`.
    package static func millionths(_ text: Span<UInt8>) -> Reading {
        guard let number = DecimalShape(text) else { return .malformed }
        guard let magnitude = number.magnitude(text, scale: 6) else { return .outOfRange }
        return .amount(number.negative ? -magnitude : magnitude)
    }

    /// Returns `amount` × `quantity` exactly.
    package static func product(_ amount: Int64, _ quantity: Int64) -> Reading {
        let (value, overflow) = amount.multipliedReportingOverflow(by: quantity)
        return overflow || value == .min ? .outOfRange : .amount(value)
    }

    /// Packs three letters big-endian in upper case: `eur` becomes `0x455552`.
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

/// The positions of a decimal number's parts in its text.
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

    /// Returns the number's magnitude times ten to the `scale`, rounded half to even; nil beyond 63 bits.
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

    /// Returns the power of ten. Exponents too large for any mantissa are limited to one such value.
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
