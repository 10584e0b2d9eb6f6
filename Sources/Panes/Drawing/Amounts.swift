// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// Amounts of money as text, from exact millionths.
extension DecimalText {
    /// All digits, at least two decimals.
    var exact: String { written(millionths.magnitude) }

    /// Rounded to the nearest cent, for averages.
    var cents: String { written((millionths.magnitude + 5_000) / 10_000 * 10_000) }

    /// The amount as a number, for charts.
    package var number: Double { Double(millionths) / 1_000_000 }

    private func written(_ size: UInt64) -> String {
        let (whole, part) = size.quotientAndRemainder(dividingBy: 1_000_000)
        let text = String(part)
        var digits = String(repeating: "0", count: 6 - text.count) + text
        while digits.count > 2, digits.hasSuffix("0") { digits.removeLast() }
        return "\(millionths < 0 && size > 0 ? "−" : "")\(Numbers.grouped(Double(whole))).\(digits)"
    }
}
