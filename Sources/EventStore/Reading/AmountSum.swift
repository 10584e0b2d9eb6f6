// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// Amounts added up by SQLite, in two halves of 32 bits: its own sum of whole amounts fails where they are too large together, and two
/// purchases can be.
package enum AmountSum {
    package static func columns(_ amount: String) -> String { "sum(\(amount) >> 32), sum(\(amount) & 4294967295)" }

    /// The sum, or the nearest number there is.
    package static func read(_ row: Row, at column: Int32) -> Int64 {
        let low = row.integer(column + 1)
        let high = row.integer(column) + low >> 32
        guard Int32(exactly: high) != nil else { return high < 0 ? .min : .max }
        return high << 32 | low & 0xffff_ffff
    }
}
