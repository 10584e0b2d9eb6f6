// SPDX-License-Identifier: Apache-2.0

/// Sums by key. A key whose sum is zero takes no memory.
package struct KeyedSums<Key: Hashable> {
    private var sums: [Key: Int] = [:]

    package init() {}

    package subscript(key: Key) -> Int { sums[key] ?? 0 }

    package mutating func add(_ amount: Int, to key: Key) {
        let sum = self[key] + amount
        sums[key] = sum == 0 ? nil : sum
    }
}
