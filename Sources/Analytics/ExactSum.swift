// SPDX-License-Identifier: Apache-2.0

/// A sum of doubles that is rounded once, at the end, so it does not depend on their order.
///
/// The sum is kept as doubles that do not overlap (Shewchuk 1997), in ascending order. Usually these are one or two.
///
///     1e16 + 1 + 1 + -1e16     parts 2          2; plain addition returns 0
struct ExactSum: Sendable {
    private var parts: [Double] = []

    /// Adds a number whose magnitude is small enough for the sum to stay finite.
    mutating func add(_ number: Double) {
        var (carry, kept) = (number, 0)
        for part in parts {
            let (more, less) = abs(carry) < abs(part) ? (part, carry) : (carry, part)
            carry = more + less
            let rest = less - (carry - more)
            if rest != 0 {
                parts[kept] = rest
                kept += 1
            }
        }
        parts.removeSubrange(kept...)
        parts.append(carry)
    }

    mutating func add(_ other: ExactSum) {
        for part in other.parts { add(part) }
    }

    /// The double next to the sum, and of two the even one.
    var rounded: Double {
        var rest = parts[...]
        guard var sum = rest.popLast() else { return 0 }
        var less = 0.0
        while less == 0, let part = rest.popLast() {
            let before = sum
            sum = before + part
            less = part - (sum - before)
        }
        // Exactly between two doubles, the parts below decide.
        if let next = rest.last, less != 0, (less < 0) == (next < 0) {
            let doubled = less * 2
            let up = sum + doubled
            if up - sum == doubled { sum = up }
        }
        return sum
    }
}
