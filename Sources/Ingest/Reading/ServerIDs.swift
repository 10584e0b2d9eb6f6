// SPDX-License-Identifier: Apache-2.0

import Platform

/// IDs for events without one: one random number per request, incremented for each event, so that they sort in order.
struct ServerIDs {
    private let received: Timestamp
    private var next: UUID128?

    /// - Parameter first: The first ID; random by default.
    init(received: Timestamp, first: UUID128?) {
        self.received = received
        next = first
    }

    mutating func take() -> UUID128 {
        let id = next ?? drawn()
        // Only the 62 random bits are incremented; the two bits before them are the UUID's variant.
        next = UUID128(high: id.high, low: 0x8000_0000_0000_0000 | (id.low &+ 1) & 0x3fff_ffff_ffff_ffff)
        return id
    }

    private func drawn() -> UUID128 {
        var generator = UUIDv7Generator()
        return generator.next(at: received)
    }
}
