// SPDX-License-Identifier: Apache-2.0

package import Platform

extension ByteSet {
    /// Letters, digits and ``!#$%&'*+-.^_`|~``: a token (RFC 9110, 5.6.2).
    package static var token: ByteSet { ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe) }
    /// Visible characters except `#`, which is not sent in requests.
    package static var target: ByteSet { ByteSet(low: 0xffff_fff6_0000_0000, high: 0x7fff_ffff_ffff_ffff) }
    /// Letters, digits and ``!$%&'()*+,-.;=_~``: a registered name (RFC 3986, 3.2.2).
    package static var host: ByteSet { ByteSet(low: 0x2bff_7ff2_0000_0000, high: 0x47ff_fffe_87ff_fffe) }
    /// Hexadecimal digits, colon and dot: the inside of a bracketed IPv6 address.
    package static var addressLiteral: ByteSet { ByteSet(low: 0x07ff_4000_0000_0000, high: 0x0000_007e_0000_007e) }
}

/// Whether a field value may contain this byte: any but control characters, except tab.
@inline(__always)
func isFieldContent(_ byte: UInt8) -> Bool {
    byte >= 0x20 ? byte != 0x7f : byte == 0x09
}

extension [UInt8] {
    /// Compares with a lower-case constant. Setting bit 5 lower-cases letters; it could otherwise only turn a control character into a
    /// digit or hyphen, and control characters are rejected before.
    func equals(_ range: Range<Int>, _ constant: StaticString) -> Bool {
        guard range.count == constant.utf8CodeUnitCount else { return false }
        return constant.withUTF8Buffer { text in
            for i in 0..<text.count where self[range.lowerBound + i] | 0x20 != text[i] { return false }
            return true
        }
    }

    /// Compares ASCII text, ignoring case.
    func equalsIgnoringCase(_ range: Range<Int>, _ text: String) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var i = range.lowerBound
        for byte in text.utf8 {
            guard self[i].lowercased == byte.lowercased else { return false }
            i += 1
        }
        return true
    }

    /// Returns `range` without leading and trailing blanks.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound, end = range.upperBound
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return start..<end
    }

    /// Returns the trimmed elements of a comma-separated list, empty ones included.
    func forEachElement(of range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = range.lowerBound
        for i in range where self[i] == 0x2c {
            body(trimmed(start..<i))
            start = i + 1
        }
        body(trimmed(start..<range.upperBound))
    }
}
