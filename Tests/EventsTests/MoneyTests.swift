// SPDX-License-Identifier: Apache-2.0

import Events
import Testing

@Suite struct MoneyTests {
    static let amounts: [(String, Money.Reading)] = [
        ("0", .amount(0)), ("-0", .amount(0)), ("9.99", .amount(9_990_000)), ("-9.99", .amount(-9_990_000)), ("1e3", .amount(1_000_000_000)),
        ("1.5E-2", .amount(15_000)), ("1.5e+2", .amount(150_000_000)), ("0.000001", .amount(1)), ("0.0000001", .amount(0)),
        ("0.0000005", .amount(0)), ("0.0000015", .amount(2)), ("0.0000025", .amount(2)), ("0.00000250001", .amount(3)),
        ("0.30000000000000004", .amount(300_000)), ("19.999999999999996", .amount(20_000_000)), ("0.9999999", .amount(1_000_000)),
        ("9223372036854.775807", .amount(.max)), ("-9223372036854.775807", .amount(-.max)), ("9223372036854.775808", .outOfRange),
        ("9223372036854.7758074", .amount(.max)), ("9223372036854.7758075", .outOfRange), ("1e13", .outOfRange), ("1e999999999999", .outOfRange),
        ("0e999999999999", .amount(0)), ("1e-999999999999", .amount(0)), ("0.00000000000000000001e20", .amount(1_000_000)),
        ("100000000000000000000e-20", .amount(1_000_000)), ("123456789.123456e-3", .amount(123_456_789_123)),
        ("", .malformed), ("-", .malformed), ("+1", .malformed), ("1.", .malformed), (".5", .malformed), ("01", .malformed), ("1e", .malformed),
        ("1e+", .malformed), ("1,000", .malformed), ("$1", .malformed), (" 1", .malformed), ("1 ", .malformed), ("0x1", .malformed),
        ("NaN", .malformed), ("1.2.3", .malformed), ("1e2e3", .malformed), ("--1", .malformed),
    ]

    @Test(arguments: amounts)
    func `money is read exactly`(text: String, reading: Money.Reading) {
        let bytes = Array(text.utf8)
        #expect(Money.millionths(bytes.span) == reading)
    }

    @Test func `a very long mantissa takes linear time`() {
        let bytes = Array(("0." + String(repeating: "0", count: 100_000) + "1e100001").utf8)
        #expect(Money.millionths(bytes.span) == .amount(1_000_000))
    }

    static let currencies: [(String, UInt32?)] = [
        ("EUR", 0x455552), ("usd", 0x555344), ("Gbp", 0x474250), ("", nil), ("EU", nil), ("EURO", nil), ("E1R", nil), ("€", nil), ("E R", nil),
        ("[[[", nil), ("@@@", nil), ("E{R", nil), ("\u{1}\u{1}\u{1}", nil),
    ]

    @Test(arguments: currencies)
    func `a currency is three letters in either case`(text: String, packed: UInt32?) {
        let bytes = Array(text.utf8)
        #expect(Money.currency(bytes.span) == packed)
    }

    @Test func `a product that does not fit is out of range`() {
        #expect(Money.product(1_990_000, 3) == .amount(5_970_000))
        #expect(Money.product(.max, 2) == .outOfRange)
        #expect(Money.product(1 << 62, -2) == .outOfRange)
    }
}
