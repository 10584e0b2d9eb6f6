// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// A sum of amounts in SQL, in two halves of 32 bits, because SQLite's `sum` of integers fails on overflow.
///
/// Example: two purchases of 5·10¹⁸ exceed 64 bits. Their halves do not, and `read` returns the largest integer.
package enum AmountSum {
    package static func columns(_ amount: String) -> String { "sum(\(amount) >> 32), sum(\(amount) & 4294967295)" }

    /// Returns the sum, clamped to 64 bits.
    package static func read(_ row: Row, at column: Int32) -> Int64 {
        let low = row.integer(column + 1)
        let high = row.integer(column) + low >> 32
        guard Int32(exactly: high) != nil else { return high < 0 ? .min : .max }
        return high << 32 | low & 0xffff_ffff
    }
}
