// SPDX-License-Identifier: Apache-2.0

import Events

/// The counts of one name by bucket, without zeros.
///
/// There may be as many names as events, of which only those with the largest totals are shown.
package struct SparseLine: Sendable {
    private var counts: [Int: Int64] = [:]

    init() {}

    init(_ dense: [Int64]) {
        for (bucket, count) in dense.enumerated() where count != 0 { counts[bucket] = count }
    }

    /// Adds a count or an amount. A sum that would overflow stays at the largest number.
    mutating func add(_ count: Int64, at bucket: Int) {
        counts[bucket] = (counts[bucket] ?? 0).addingClamped(count)
    }

    mutating func add(_ other: SparseLine) {
        for (bucket, count) in other.counts { add(count, at: bucket) }
    }

    func each(_ body: (_ bucket: Int, _ count: Int64) -> Void) {
        for (bucket, count) in counts { body(bucket, count) }
    }

    /// The sum in the order of the buckets, because sums that saturate depend on the order.
    var total: Int64 {
        counts.sorted { $0.key < $1.key }.reduce(0) { $0.addingClamped($1.value) }
    }

    func dense(_ buckets: Int) -> [Int64] {
        var dense = [Int64](repeating: 0, count: buckets)
        for (bucket, count) in counts { dense[bucket] = count }
        return dense
    }
}
