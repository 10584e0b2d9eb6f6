import Platform

/// Ids for events that came without one: one draw of randomness a request, counted up from there, so that they stay in order.
struct ServerIDs {
    private let received: Timestamp
    private var last: UUID128?

    init(received: Timestamp) {
        self.received = received
    }

    mutating func next() -> UUID128 {
        guard var id = last else {
            var generator = UUIDv7Generator()
            let first = generator.next(at: received)
            last = first
            return first
        }
        // Only the 62 random bits move; the two before them are the variant.
        id.low = 0x8000_0000_0000_0000 | (id.low &+ 1) & 0x3fff_ffff_ffff_ffff
        last = id
        return id
    }
}
