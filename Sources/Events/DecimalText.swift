// SPDX-License-Identifier: Apache-2.0

/// An amount of money as a decimal text, exact to the millionth: `DecimalText(9_990_000).text` is `9.99`.
package struct DecimalText: Codable, Sendable, Equatable {
    package var millionths: Int64

    package init(_ millionths: Int64) {
        self.millionths = millionths
    }

    package var text: String {
        let (whole, part) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = millionths < 0 ? "-" : ""
        guard part > 0 else { return sign + String(whole) }
        var digits = String(part)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard case .amount(let millionths) = Money.millionths(Array(text.utf8).span) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not an amount of money"))
        }
        self.millionths = millionths
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Int64 {
    /// Returns the sum, limited to the range of the type.
    package func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    package func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// Returns an equal part, rounded half away from zero; 0 for no people.
    func share(among people: Int) -> Int64 {
        guard people > 0 else { return 0 }
        let (quotient, rest) = quotientAndRemainder(dividingBy: Int64(people))
        let half = rest.magnitude >= (UInt64(people) + 1) / 2
        return half ? quotient + (self < 0 ? -1 : 1) : quotient
    }
}
