// SPDX-License-Identifier: Apache-2.0

import EventStore

/// The rows of one UTC day in one file: 96 bits of quarter-hours for each pair. A pair may have several rows unless they are merged.
struct DayRows: Sendable {
    private(set) var pairs: [UInt32] = []
    private(set) var early: [UInt64] = []
    private(set) var late: [UInt64] = []
    /// The row of each pair, by its number plus one; nil if rows are not merged.
    private var places: KeyTable?

    init(merges: Bool) {
        places = merges ? KeyTable() : nil
    }

    var bytes: Int { pairs.count * 20 + (places?.bytes ?? 0) }

    /// Makes room for more rows.
    mutating func reserve(_ more: Int) {
        pairs.reserveCapacity(pairs.count + more)
        early.reserveCapacity(early.count + more)
        late.reserveCapacity(late.count + more)
    }

    mutating func add(_ pair: UInt32, _ early: UInt64, _ late: UInt64) {
        if let known = places?[UInt64(pair) + 1].map(Int.init) {
            self.early[known] |= early
            self.late[known] |= late
            return
        }
        places?.set(UInt64(pair) + 1, UInt32(truncatingIfNeeded: pairs.count))
        pairs.append(pair)
        self.early.append(early)
        self.late.append(late)
    }

    mutating func startMerging() {
        if places != nil { return }
        var rows = DayRows(merges: true)
        for i in pairs.indices { rows.add(pairs[i], early[i], late[i]) }
        self = rows
    }

    mutating func stopMerging() { places = nil }
}
